#include "native/http/content_encoding.h"

#include <zlib.h>
#include <zstd.h>

#include <catch2/catch.hpp>
#include <string>

using namespace twofold;
using namespace twofold::http;

namespace {

std::string gzip(std::string_view text) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string packed(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string zstd(std::string_view text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  return packed;
}

Result<PaddedBuffer> decode(std::string_view encoding, std::string_view body,
                            const InflateLimits& limits = {}) {
  return decode_body(encoding, PaddedBuffer(body), limits);
}

std::string sample(std::size_t size) {
  std::string text;
  while (text.size() < size) text += "AAAA,SAASA" + std::to_string(text.size() * 2654435761u);
  text.resize(size);
  return text;
}

}  // namespace

TEST_CASE("ContentEncoding.WhatWasPackedComesBack") {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{65'535},
                                 std::size_t{65'536}, std::size_t{65'537}, std::size_t{300'000}}) {
    const std::string text = sample(size);
    CAPTURE(size);
    for (const char* const name : {"gzip", "GZip", "x-gzip"}) {
      const auto decoded = decode(name, gzip(text));
      REQUIRE(decoded);
      CHECK(decoded.value().text() == text);
    }
    const auto decoded = decode("zstd", zstd(text));
    REQUIRE(decoded);
    CHECK(decoded.value().text() == text);
    for (const char* const name : {"", "identity"})
      CHECK(decode(name, text).value().text() == text);
  }
}

TEST_CASE("ContentEncoding.SeveralMembersAreOneBody") {
  CHECK(decode("gzip", gzip("one ") + gzip("two")).value().text() == "one two");
  CHECK(decode("zstd", zstd("one ") + zstd("two")).value().text() == "one two");
}

TEST_CASE("ContentEncoding.CutAnywhereIsAnError") {
  const std::string text = sample(3000);
  for (const auto& [name, packed] :
       {std::pair{"gzip", gzip(text)}, std::pair{"zstd", zstd(text)}}) {
    for (std::size_t size = 0; size < packed.size(); ++size) {
      CAPTURE(name, size);
      CHECK_FALSE(decode(name, packed.substr(0, size)));
    }
    CHECK_FALSE(decode(name, packed + "x"));
    CHECK_FALSE(decode(name, "plain text, not packed"));
    for (std::size_t at = 0; at < packed.size(); ++at) {  // whatever comes out, nothing breaks
      std::string damaged = packed;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
      const auto decoded = decode(name, damaged);
      if (decoded) CHECK(decoded.value().size_bytes() <= 1 << 20);
    }
  }
}

TEST_CASE("ContentEncoding.BombsAreRefusedWhileTheyGrow") {
  const std::string zeros(64 << 20, '\0');
  struct Row {
    const char* name;
    std::string packed;
    InflateLimits limits;
  };
  const Row rows[] = {
      {"gzip", gzip(zeros), {}},  // 1000 times its size
      {"zstd", zstd(zeros), {}},  // 30,000 times
      {"gzip", gzip(zeros), {.most_bytes = 32 << 20, .most_ratio = 10'000}},
      {"zstd", zstd(zeros), {.most_bytes = 32 << 20, .most_ratio = 100'000}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const auto decoded = decode(row.name, row.packed, row.limits);
    REQUIRE_FALSE(decoded);
    CHECK(decoded.error().code == Code::kTooLarge);
  }
  CHECK(decode("gzip", gzip(zeros), {.most_bytes = 64 << 20, .most_ratio = 2000}));
  CHECK_FALSE(decode("", "12345", {.most_bytes = 4}));
}

TEST_CASE("ContentEncoding.OthersAreUnsupported") {
  for (const char* const name : {"br", "deflate", "gzip, gzip", "compress"}) {
    CHECK_FALSE(is_known_encoding(name));
    CHECK(decode(name, "x").error().code == Code::kUnsupported);
  }
}
