// Time, as something that can be handed in: tests turn it by hand.
#pragma once

#include <chrono>

namespace twofold::os {

using SteadyTime = std::chrono::steady_clock::time_point;

class Clock {
 public:
  virtual ~Clock() = default;
  // Never goes back. Any thread.
  [[nodiscard]] virtual SteadyTime now() const { return std::chrono::steady_clock::now(); }
  // What files are stamped with; may jump either way.
  [[nodiscard]] virtual std::chrono::system_clock::time_point wall_now() const {
    return std::chrono::system_clock::now();
  }
};

}  // namespace twofold::os
