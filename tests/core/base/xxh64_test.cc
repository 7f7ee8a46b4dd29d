#include "core/base/xxh64.h"

#include <catch2/catch.hpp>
#include <string>

using namespace twofold;

// Known answers of the algorithm, seed 0: every way through it (4, 8 and 32 bytes at a time).
TEST_CASE("Xxh64.GivesKnownAnswers") {
  const auto hash = [](std::string_view text) { return xxh64(as_byte_view(text)); };
  CHECK(hash("") == 0xEF46DB3751D8E999u);
  CHECK(hash("a") == 0xD24EC4F1A98C6E5Bu);
  CHECK(hash("abc") == 0x44BC2CF5AD770999u);
  CHECK(hash("Nobody inspects the spammish repetition") == 0xFBCEA83C8A378BF1u);
}
