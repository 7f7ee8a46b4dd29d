// Times a function: many samples, each long enough for the clock; the best of them and the median.
//
// Time is that of the calling thread, so that other work on the machine does not count while it
// runs in our place. What it does to shared caches and execution units still does: compare ratios,
// or the best sample.
#pragma once

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <vector>

namespace twofold::bench {

// Keeps the compiler from dropping work whose result nobody uses.
template <class T>
inline void keep(const T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

struct Timing {
  double best_ns;  // per thing
  double median_ns;
};

inline std::int64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// Calls `work` over and over for about a second. `work` does `operations` things per call; the
// result is per thing.
template <class Work>
Timing measure(std::uint64_t operations, Work work) {
  constexpr std::int64_t kSampleNs = 1'000'000;
  constexpr int kSampleCount = 1001;
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
  for (int sample = 0; sample < (is_long ? 51 : kSampleCount); ++sample) {
    const std::int64_t start = now_ns();
    for (std::uint64_t i = 0; i < calls; ++i) work();
    samples.push_back(static_cast<double>(now_ns() - start) /
                      static_cast<double>(calls * operations));
  }
  std::sort(samples.begin(), samples.end());
  return {samples.front(), samples[samples.size() / 2]};
}

}  // namespace twofold::bench
