// Counting the offsets of a block sixteen at once gives what the loop gives.
#include "core/tw/key_search.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

using namespace twofold;

TEST_CASE("CountAtMost.EqualsTheLoop") {
  std::mt19937 random(1);
  for (std::uint32_t count = 1; count <= 3 * tw::kCountedAtOnce; ++count) {
    for (const unsigned most : {3u, 31u, 255u}) {
      // What is behind the offsets is anything.
      std::vector<std::uint8_t> offsets(count + tw::kCountedAtOnce);
      for (std::uint8_t& byte : offsets) byte = static_cast<std::uint8_t>(random());
      for (std::uint32_t i = 0; i < count; ++i) {
        offsets[i] = static_cast<std::uint8_t>(random() % (most + 1));
      }
      std::sort(offsets.begin(), offsets.begin() + count);
      for (unsigned limit = 0; limit < 256; ++limit) {
        const auto wanted = static_cast<std::uint8_t>(limit);
        REQUIRE(tw::count_at_most(offsets.data(), count, wanted) ==
                tw::count_at_most_by_loop(offsets.data(), count, wanted));
      }
    }
  }
}
