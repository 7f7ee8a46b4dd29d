#include "native/store/single_flight.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <thread>
#include <vector>

using namespace twofold;

namespace {

using Flights = storage::SingleFlight<int>;
const os::SteadyTime kNever = os::SteadyTime::max();

}  // namespace

TEST_CASE("SingleFlight.AThousandThatAskAtOnceShareOneCall") {
  Flights flights;
  std::atomic<int> calls{0}, waiting{0}, right{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 1000; ++i) {
    threads.emplace_back([&] {
      ++waiting;
      const auto outcome = flights.run("key", kNever, [&]() -> Flights::Outcome {
        ++calls;
        while (waiting < 1000) std::this_thread::yield();
        return 7;
      });
      if (outcome && outcome.value() == 7) ++right;
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(right == 1000);
  // Whoever was counted but had not asked yet when the first call landed asks again.
  CHECK(calls >= 1);
  CHECK(calls <= 20);
}

TEST_CASE("SingleFlight.AnErrorIsSharedAndNotKept") {
  Flights flights;
  int calls = 0;
  const auto fail = [&]() -> Flights::Outcome {
    ++calls;
    return Error{Code::kUnavailable, kNoOffset, "503"};
  };
  CHECK(flights.run("key", kNever, fail).error().detail == "503");
  CHECK(flights.run("key", kNever, fail).error().detail == "503");
  CHECK(calls == 2);
}

TEST_CASE("SingleFlight.AWaiterWaitsNoLongerThanItMay") {
  Flights flights;
  std::atomic<bool> is_at_it{false}, may_land{false};
  std::thread first([&] {
    CHECK(flights
              .run("key", kNever,
                   [&]() -> Flights::Outcome {
                     is_at_it = true;
                     while (!may_land) std::this_thread::yield();
                     return 1;
                   })
              .value() == 1);
  });
  while (!is_at_it) std::this_thread::yield();
  const auto late =
      flights.run("key", std::chrono::steady_clock::now(), []() -> Flights::Outcome { return 2; });
  REQUIRE_FALSE(late);
  CHECK(late.error().code == Code::kUnavailable);
  const auto other = flights.run("other", kNever, []() -> Flights::Outcome { return 3; });
  CHECK(other.value() == 3);
  may_land = true;
  first.join();
}
