// Times a function: many samples, each long enough for the clock, and the median of them.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

namespace twofold::bench {

// Keeps the compiler from dropping work whose result nobody uses.
template <class T>
inline void keep(const T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

struct Timing {
  double median_ns;  // per call
  double min_ns;
};

inline std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// Calls `work` over and over for about a second. `work` does `operations` things per call; the result is
// per thing.
template <class Work>
Timing measure(std::uint64_t operations, Work work) {
  constexpr std::int64_t kSampleNs = 5'000'000;
  constexpr int kSampleCount = 151;
  std::uint64_t calls = 1;
  for (;;) {  // warms up and finds how many calls fill a sample
    const std::int64_t start = now_ns();
    for (std::uint64_t i = 0; i < calls; ++i) work();
    const std::int64_t took = now_ns() - start;
    if (took >= kSampleNs) break;
    calls *= 2;
  }
  const bool is_long = calls == 1;
  std::vector<double> samples;
  for (int sample = 0; sample < (is_long ? 31 : kSampleCount); ++sample) {
    const std::int64_t start = now_ns();
    for (std::uint64_t i = 0; i < calls; ++i) work();
    samples.push_back(static_cast<double>(now_ns() - start) / static_cast<double>(calls * operations));
  }
  std::sort(samples.begin(), samples.end());
  return {samples[samples.size() / 2], samples.front()};
}

}  // namespace twofold::bench
