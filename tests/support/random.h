// Repeatable random numbers for generated inputs: the same on every host, unlike std::uniform_int.
#pragma once

#include <cstdint>
#include <random>

namespace twofold::test {

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  // In [0, end). Precondition: end > 0.
  [[nodiscard]] std::uint32_t below(std::uint32_t end) {
    return static_cast<std::uint32_t>(engine_()) % end;
  }

 private:
  std::mt19937 engine_;
};

}  // namespace twofold::test
