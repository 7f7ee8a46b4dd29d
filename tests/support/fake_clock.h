// A clock that stands until a test turns it.
#pragma once

#include <atomic>

#include "native/os/clock.h"

namespace twofold::test {

class FakeClock : public os::Clock {
 public:
  [[nodiscard]] os::SteadyTime now() const override {
    return os::SteadyTime(std::chrono::seconds(steady_seconds_.load()));
  }
  [[nodiscard]] std::chrono::system_clock::time_point wall_now() const override {
    return std::chrono::system_clock::time_point(std::chrono::seconds(wall_seconds_.load()));
  }
  void advance(std::chrono::seconds by) {
    steady_seconds_ += by.count();
    wall_seconds_ += by.count();
  }
  // Somebody sets the time of day.
  void set_wall(std::chrono::system_clock::time_point to) {
    wall_seconds_ = std::chrono::duration_cast<std::chrono::seconds>(to.time_since_epoch()).count();
  }

 private:
  std::atomic<std::int64_t> steady_seconds_{1'000'000};
  std::atomic<std::int64_t> wall_seconds_{1'700'000'000};
};

}  // namespace twofold::test
