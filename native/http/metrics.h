// What a thread counts, and all of it as Prometheus text.
//
// Each thread that talks to clients has counters of its own, which it alone writes: no shared cache
// line, no locked instruction. A scrape reads them while they change; each is right by itself.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/symbolicate/answer.h"
#include "native/engine/engine.h"
#include "native/http/routes.h"

namespace twofold::http {

// Why a connection ended that the client had not closed.
enum class Cut : std::uint8_t {
  kHeaderDeadline,
  kBodyDeadline,
  kIdle,
  kWriteDeadline,
  kTooMany,  // more connections than allowed
};
inline constexpr std::size_t kCutCount = 5;
[[nodiscard]] std::string_view to_string(Cut cut);

// A number that one thread writes and any reads.
class Counter {
 public:
  void add(std::uint64_t count = 1) {
    value_.store(value_.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

// Frames by status and reason.
class FrameCounts {
 public:
  static constexpr std::size_t kStatusCount = 4;
  static constexpr std::size_t kReasonCount = 16;

  void add(const Answer& answer) {
    for (const AnswerFrame& frame : answer.frames) {
      ++counts_[static_cast<std::size_t>(frame.status)][static_cast<std::size_t>(frame.reason)];
    }
  }
  [[nodiscard]] std::uint32_t count(std::size_t status, std::size_t reason) const {
    return counts_[status][reason];
  }
  [[nodiscard]] std::uint64_t total() const;
  void clear() { counts_ = {}; }

 private:
  std::array<std::array<std::uint32_t, kReasonCount>, kStatusCount> counts_{};
};

struct alignas(64) ThreadMetrics {
  // Upper bounds of the histogram's buckets: a hit takes microseconds, a build seconds.
  static constexpr std::array<std::uint32_t, 14> kBucketsUs{
      10,    25,     50,     100,     250,       500,       1'000,
      2'500, 10'000, 50'000, 250'000, 1'000'000, 5'000'000, 15'000'000};
  static constexpr std::array<std::uint16_t, 18> kStatuses{
      200, 201, 400, 401, 403, 404, 405, 408, 413, 415, 422, 431, 500, 501, 503, 505, 507, 0};

  void add_request(Route route, std::uint32_t status, std::uint64_t took_ns);
  void add_frames(const FrameCounts& frames);

  std::array<std::array<Counter, kStatuses.size()>, kRouteCount> requests;
  std::array<std::array<Counter, kBucketsUs.size() + 1>, kRouteCount> took;
  std::array<Counter, kRouteCount> took_ns;
  std::array<std::array<Counter, FrameCounts::kReasonCount>, FrameCounts::kStatusCount> frames;
  std::array<Counter, kCutCount> cuts;
};

// Numbers of the moment.
struct Gauges {
  std::uint64_t connections = 0;
  std::uint64_t waiting_jobs = 0;
  std::uint64_t bodies_bytes = 0;
  bool is_draining = false;
};

// Text format 0.0.4. Counters that were never counted are left out, except for whole families.
[[nodiscard]] std::string to_prometheus(const std::vector<const ThreadMetrics*>& threads,
                                        const std::vector<engine::Engine::Metric>& engine,
                                        const Gauges& gauges);

}  // namespace twofold::http
