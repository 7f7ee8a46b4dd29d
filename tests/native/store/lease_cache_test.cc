#include "native/store/lease_cache.h"

#include <catch2/catch.hpp>
#include <thread>
#include <vector>

using namespace twofold;

namespace {

using Cache = storage::LeaseCache<const int>;

Cache::Lease value(int number) {
  return std::make_shared<const int>(number);
}

}  // namespace

TEST_CASE("LeaseCache.DropsTheLeastRecentlyUsed") {
  Cache cache({.most_entries = 3});
  for (int i = 1; i <= 3; ++i) cache.insert(std::to_string(i), value(i), 1);
  CHECK(*cache.find("1") == 1);
  cache.insert("4", value(4), 1);
  CHECK(cache.find("2") == nullptr);
  for (const char* key : {"1", "3", "4"}) CHECK(cache.find(key) != nullptr);
  CHECK(cache.eviction_count() == 1);
  cache.erase("1");
  CHECK(cache.find("1") == nullptr);
  CHECK(cache.count() == 2);
}

TEST_CASE("LeaseCache.CountsBytesToo") {
  Cache cache({.most_entries = 10, .most_bytes = 100});
  cache.insert("1", value(1), 40);
  cache.insert("2", value(2), 40);
  cache.insert("3", value(3), 40);
  CHECK(cache.find("1") == nullptr);
  CHECK(cache.size_bytes() == 80);
  cache.insert("2", value(22), 10);  // in place of what was there
  CHECK(*cache.find("2") == 22);
  CHECK(cache.size_bytes() == 50);
  cache.insert("4", value(4), 101);  // larger than all of it: not kept, and nothing lost for it
  CHECK(cache.find("4") == nullptr);
  CHECK(cache.count() == 2);
}

TEST_CASE("LeaseCache.ALeaseOutlivesItsEntry") {
  Cache cache({.most_entries = 1});
  cache.insert("1", value(1), 1);
  const Cache::Lease lease = cache.find("1");
  cache.insert("2", value(2), 1);
  CHECK(cache.find("1") == nullptr);
  CHECK(*lease == 1);
}

TEST_CASE("LeaseCache.ManyThreadsSeeWhatWasPutIn") {
  Cache cache({.most_entries = 128});
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 5000; ++i) {
        const int number = (i * 7 + thread) % 300;
        const std::string key = std::to_string(number);
        const Cache::Lease found = cache.find(key);
        if (found != nullptr && *found != number) ++wrong;
        if (found == nullptr) cache.insert(key, value(number), 1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(cache.count() <= 128);
}
