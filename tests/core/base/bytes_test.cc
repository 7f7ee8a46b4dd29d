#include "core/base/bytes.h"

#include <catch2/catch.hpp>
#include <limits>

using namespace twofold;

TEST_CASE("ByteReader.FailedReadMovesNothing") {
  const std::uint8_t raw[] = {1, 2, 3, 4, 5, 6};
  ByteReader reader{ByteView(raw)};
  std::uint32_t word = 0;
  CHECK(reader.read_u32(word));
  CHECK(word == 0x04030201);
  CHECK_FALSE(reader.read_u32(word));
  CHECK(reader.at() == 4);
  ByteView rest;
  CHECK_FALSE(reader.read_bytes(3, rest));
  CHECK_FALSE(reader.read_bytes(std::numeric_limits<std::uint64_t>::max(), rest));
  CHECK(reader.read_bytes(2, rest));
  CHECK(rest[0] == 5);
  std::uint8_t byte = 0;
  CHECK_FALSE(reader.read_u8(byte));
}

TEST_CASE("ByteWriter.WritesWhatTheReaderReads") {
  ByteWriter writer;
  writer.put_text("x");
  writer.put_u32(0xFFFFFFFE);
  const std::vector<std::uint8_t> bytes = std::move(writer).take();
  ByteReader reader{ByteView(bytes)};
  std::uint8_t byte = 0;
  std::uint32_t word = 0;
  CHECK(reader.read_u8(byte));
  CHECK(reader.read_u32(word));
  CHECK(word == 0xFFFFFFFE);
  CHECK(reader.remaining() == 0);
}
