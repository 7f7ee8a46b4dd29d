#include "core/tw/key_search.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

using namespace twofold;

namespace {

// Sorted keys with 16 bytes behind them that are anything.
template <class Key>
std::vector<std::uint8_t> sorted_keys(std::uint32_t count, std::uint64_t most,
                                      std::mt19937& random) {
  std::vector<Key> keys(count);
  for (Key& key : keys) {
    const std::uint64_t any = std::uint64_t{random()} << 32 | random();
    key = static_cast<Key>(most == ~std::uint64_t{0} ? any : any % (most + 1));
  }
  std::sort(keys.begin(), keys.end());
  std::vector<std::uint8_t> bytes(count * sizeof(Key) + 16 * sizeof(Key) + 16);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
  for (std::uint32_t i = 0; i < count; ++i) {
    std::memcpy(bytes.data() + i * sizeof(Key), &keys[i], sizeof(Key));
  }
  return bytes;
}

}  // namespace

TEMPLATE_TEST_CASE("CountKeys.EqualsTheLoop", "", std::uint8_t, std::uint16_t, std::uint32_t,
                   std::uint64_t) {
  constexpr std::uint64_t kMost = static_cast<TestType>(~TestType{0});
  std::mt19937 random(1);
  for (std::uint32_t count = 1; count <= 64; ++count) {
    for (const std::uint64_t most :
         {std::uint64_t{3}, std::min<std::uint64_t>(kMost, 300), kMost}) {
      const auto keys = sorted_keys<TestType>(count, most, random);
      for (unsigned i = 0; i < 40; ++i) {
        const std::uint64_t limit =
            i == 0 ? ~std::uint64_t{0}
                   : (std::uint64_t{random()} << 32 | random()) % (most / 2 + 1) * 2 + i % 2;
        const auto clamped = static_cast<TestType>(std::min(limit, kMost));
        const auto expected = tw::count_keys_by_loop<TestType>(keys.data(), count, clamped);
        REQUIRE(tw::count_keys<TestType>(keys.data(), count, limit, true) == expected);
        REQUIRE(tw::count_keys<TestType>(keys.data(), count, limit, false) == expected);
      }
    }
  }
}

TEST_CASE("CountBlockKeys.EqualsTheLoop") {
  std::mt19937 random(1);
  for (std::uint32_t count = 0; count <= 100; ++count) {
    for (const std::uint64_t most : {std::uint64_t{3}, std::uint64_t{1000}, ~std::uint64_t{2}}) {
      const auto keys = sorted_keys<std::uint64_t>(count, most, random);
      for (int i = 0; i < 40; ++i) {
        const std::uint64_t limit =
            i == 0 ? ~std::uint64_t{0} : (std::uint64_t{random()} << 32 | random()) % (most + 2);
        REQUIRE(tw::count_block_keys(keys.data(), count, limit) ==
                tw::count_keys_by_loop<std::uint64_t>(keys.data(), count, limit));
      }
    }
  }
}
