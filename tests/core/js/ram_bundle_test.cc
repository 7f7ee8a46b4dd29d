#include "core/js/ram_bundle.h"

#include <catch2/catch.hpp>
#include <string>

using namespace twofold;
using namespace twofold::js;

namespace {

std::string u32(std::uint32_t value) {
  std::string bytes;
  for (unsigned shift = 0; shift < 32; shift += 8)
    bytes += static_cast<char>(value >> shift & 0xFF);
  return bytes;
}

// Three ids, of which 1 has no code.
std::string small_bundle() {
  return u32(kRamBundleMagic) + u32(3) + u32(5) + u32(5) + u32(3) + u32(0) + u32(0) + u32(8) +
         u32(2) + "start" + std::string("aa\0b\0", 5);
}

}  // namespace

TEST_CASE("RamBundle.CountsModulesWithCode") {
  const std::string file = small_bundle();
  const auto bundle = read_ram_bundle(as_byte_view(file));
  REQUIRE(bundle.ok());
  CHECK(bundle.value().module_count == 2);
  CHECK(bundle.value().startup_code == "start");
}

TEST_CASE("RamBundle.CutAnywhereIsRefused") {
  const std::string file = small_bundle();
  for (std::size_t size = 0; size < file.size(); ++size) {
    CAPTURE(size);
    const auto bundle = read_ram_bundle(as_byte_view(std::string_view(file).substr(0, size)));
    REQUIRE_FALSE(bundle.ok());
    CHECK(bundle.error().code == (size < 4 ? Code::kBadMagic : Code::kTruncated));
  }
}

TEST_CASE("RamBundle.CountsAndOffsetsBeyondTheFileAreRefused") {
  for (std::size_t at = 4; at < 36; at += 4) {
    std::string file = small_bundle();
    file.replace(at, 4, u32(0xFFFFFFFF));
    CAPTURE(at);
    CHECK_FALSE(read_ram_bundle(as_byte_view(file)).ok());
  }
}
