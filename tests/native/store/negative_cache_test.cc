#include "native/store/negative_cache.h"

#include <catch2/catch.hpp>

#include "tests/support/fake_clock.h"

using namespace twofold;
using namespace std::chrono_literals;

namespace {

const Error kMissing{Code::kNotFound, kNoOffset, "missing"};
const Error kPassing{Code::kUnavailable, kNoOffset, "503"};

}  // namespace

// What came of trying, and for how many seconds it is believed each time.
TEST_CASE("NegativeCache.BelievesTwiceAsLongEachTime") {
  struct Case {
    const Error& error;
    std::vector<int> believed_seconds;
  };
  const Case cases[] = {{kMissing, {60, 120, 240, 480, 900, 900}},
                        {kPassing, {15, 30, 60, 120, 240, 480, 900, 900}}};
  for (const Case& one : cases) {
    test::FakeClock clock;
    storage::NegativeCache cache(clock);
    CHECK_FALSE(cache.find("key"));
    for (const int seconds : one.believed_seconds) {
      CAPTURE(one.error.detail, seconds);
      cache.add("key", one.error);
      clock.advance(std::chrono::seconds(seconds - 1));
      REQUIRE(cache.find("key"));
      CHECK(cache.find("key")->code == one.error.code);
      clock.advance(1s);
      CHECK_FALSE(cache.find("key"));
    }
  }
}

TEST_CASE("NegativeCache.AnotherKindOfFailureStartsAnew") {
  test::FakeClock clock;
  storage::NegativeCache cache(clock);
  for (int i = 0; i < 5; ++i) cache.add("key", kMissing);
  cache.add("key", kPassing);
  clock.advance(15s);
  CHECK_FALSE(cache.find("key"));
}

TEST_CASE("NegativeCache.AnUploadClearsItsProjectOnly") {
  test::FakeClock clock;
  storage::NegativeCache cache(clock);
  for (const char* key : {"a\nx.js", "a\ny.js", "ab\nx.js"}) cache.add(key, kMissing);
  cache.erase_prefix("a\n");
  CHECK_FALSE(cache.find("a\nx.js"));
  CHECK_FALSE(cache.find("a\ny.js"));
  CHECK(cache.find("ab\nx.js"));
  cache.erase("ab\nx.js");
  CHECK(cache.count() == 0);
}

TEST_CASE("NegativeCache.KeepsNoMoreKeysThanItMay") {
  test::FakeClock clock;
  storage::NegativeCache cache(clock, 3);
  for (const char* key : {"1", "2", "3"}) cache.add(key, kMissing);
  cache.add("1", kMissing);  // the newest now
  cache.add("4", kMissing);
  CHECK(cache.count() == 3);
  CHECK_FALSE(cache.find("2"));
  for (const char* key : {"1", "3", "4"}) CHECK(cache.find(key));
  CHECK(cache.hit_count() == 3);
}
