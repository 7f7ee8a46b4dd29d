#include "native/http/metrics.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace twofold::http {
namespace {

void write_number(double value, std::string& out) {
  char text[32];
  const bool is_whole = value == std::floor(value) && std::fabs(value) < 9e15;
  const auto [end, code] =
      is_whole ? std::to_chars(text, text + sizeof text, static_cast<std::int64_t>(value))
               : std::to_chars(text, text + sizeof text, value, std::chars_format::general, 9);
  out.append(text, code == std::errc() ? end : text);
}

void write_head(std::string_view name, std::string_view type, std::string_view help,
                std::string& out) {
  out.append("# HELP ").append(name).append(" ");
  for (const char c : help) {
    if (c == '\\')
      out += "\\\\";
    else if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  out.append("\n# TYPE ").append(name).append(" ").append(type).append("\n");
}

void write_sample(std::string_view name, std::string_view labels, double value, std::string& out) {
  out += name;
  if (!labels.empty()) out.append("{").append(labels).append("}");
  out += ' ';
  write_number(value, out);
  out += '\n';
}

std::string label(std::string_view key, std::string_view value) {
  return std::string(key) + "=\"" + std::string(value) + "\"";
}

template <class Of>
double sum(const std::vector<const ThreadMetrics*>& threads, Of of) {
  std::uint64_t total = 0;
  for (const ThreadMetrics* const thread : threads) total += of(*thread).value();
  return static_cast<double>(total);
}

void write_requests(const std::vector<const ThreadMetrics*>& threads, std::string& out) {
  constexpr std::string_view kName = "twofold_http_requests_total";
  write_head(kName, "counter", "Requests by route and status.", out);
  for (std::size_t route = 0; route < kRouteCount; ++route) {
    for (std::size_t status = 0; status < ThreadMetrics::kStatuses.size(); ++status) {
      const double count = sum(
          threads, [&](const ThreadMetrics& one) -> auto& { return one.requests[route][status]; });
      if (count == 0) continue;
      const std::uint16_t number = ThreadMetrics::kStatuses[status];
      const std::string code = number == 0 ? "other" : std::to_string(number);
      write_sample(
          kName, label("route", to_string(static_cast<Route>(route))) + "," + label("status", code),
          count, out);
    }
  }
}

void write_histogram(const std::vector<const ThreadMetrics*>& threads, std::string& out) {
  const std::string name = "twofold_http_request_duration_seconds";
  write_head(name, "histogram", "From the last byte of a request to its answer.", out);
  for (std::size_t route = 0; route < kRouteCount; ++route) {
    const std::string labels = label("route", to_string(static_cast<Route>(route)));
    double cumulated = 0;
    std::string text;
    for (std::size_t bucket = 0; bucket <= ThreadMetrics::kBucketsUs.size(); ++bucket) {
      cumulated += sum(
          threads, [&](const ThreadMetrics& one) -> auto& { return one.took[route][bucket]; });
      std::string bound = "+Inf";
      if (bucket < ThreadMetrics::kBucketsUs.size()) {
        bound.clear();
        write_number(ThreadMetrics::kBucketsUs[bucket] / 1e6, bound);
      }
      write_sample(name + "_bucket", labels + "," + label("le", bound), cumulated, text);
    }
    if (cumulated == 0) continue;
    out += text;
    const double took_ns = sum(
        threads, [&](const ThreadMetrics& one) -> auto& { return one.took_ns[route]; });
    write_sample(name + "_sum", labels, took_ns / 1e9, out);
    write_sample(name + "_count", labels, cumulated, out);
  }
}

void write_frames(const std::vector<const ThreadMetrics*>& threads, std::string& out) {
  constexpr std::string_view kName = "twofold_frames_total";
  write_head(kName, "counter", "Frames by what became of them.", out);
  for (std::size_t status = 0; status < FrameCounts::kStatusCount; ++status) {
    for (std::size_t reason = 0; reason < FrameCounts::kReasonCount; ++reason) {
      const double count = sum(
          threads, [&](const ThreadMetrics& one) -> auto& { return one.frames[status][reason]; });
      if (count == 0) continue;
      std::string labels = label("status", to_string(static_cast<FrameStatus>(status)));
      if (static_cast<Reason>(reason) != Reason::kNone) {
        labels += "," + label("reason", to_string(static_cast<Reason>(reason)));
      }
      write_sample(kName, labels, count, out);
    }
  }
}

void write_cuts(const std::vector<const ThreadMetrics*>& threads, std::string& out) {
  constexpr std::string_view kName = "twofold_http_cut_connections_total";
  write_head(kName, "counter", "Connections that the server ended.", out);
  for (std::size_t cut = 0; cut < kCutCount; ++cut) {
    write_sample(kName, label("reason", to_string(static_cast<Cut>(cut))),
                 sum(
                     threads, [&](const ThreadMetrics& one) -> auto& { return one.cuts[cut]; }),
                 out);
  }
}

void write_gauge(std::string_view name, std::string_view help, double value, std::string& out) {
  write_head(name, "gauge", help, out);
  write_sample(name, "", value, out);
}

// Samples of a name have to stand together.
void write_engine(std::vector<engine::Engine::Metric> metrics, std::string& out) {
  std::stable_sort(metrics.begin(), metrics.end(),
                   [](const auto& a, const auto& b) { return a.name < b.name; });
  std::string_view last;
  for (const engine::Engine::Metric& metric : metrics) {
    if (metric.name != last) {
      write_head(metric.name, metric.is_counter ? "counter" : "gauge", metric.help, out);
    }
    last = metric.name;
    write_sample(metric.name, metric.labels, metric.value, out);
  }
}

}  // namespace

std::string_view to_string(Cut cut) {
  switch (cut) {
    case Cut::kHeaderDeadline:
      return "header_deadline";
    case Cut::kBodyDeadline:
      return "body_deadline";
    case Cut::kIdle:
      return "idle";
    case Cut::kWriteDeadline:
      return "write_deadline";
    case Cut::kTooMany:
      return "too_many";
  }
  return "";
}

std::uint64_t FrameCounts::total() const {
  std::uint64_t total = 0;
  for (const auto& reasons : counts_) {
    for (const std::uint32_t count : reasons) total += count;
  }
  return total;
}

void ThreadMetrics::add_request(Route route, std::uint32_t status, std::uint64_t ns) {
  const auto of_route = static_cast<std::size_t>(route);
  const auto known = std::find(kStatuses.begin(), kStatuses.end() - 1, status);
  requests[of_route][static_cast<std::size_t>(known - kStatuses.begin())].add();
  const auto bucket = std::lower_bound(kBucketsUs.begin(), kBucketsUs.end(), ns,
                                       [](std::uint32_t bound_us, std::uint64_t time) {
                                         return std::uint64_t{bound_us} * 1000 < time;
                                       });
  took[of_route][static_cast<std::size_t>(bucket - kBucketsUs.begin())].add();
  took_ns[of_route].add(ns);
}

void ThreadMetrics::add_frames(const FrameCounts& counts) {
  for (std::size_t status = 0; status < FrameCounts::kStatusCount; ++status) {
    for (std::size_t reason = 0; reason < FrameCounts::kReasonCount; ++reason) {
      if (const auto count = counts.count(status, reason)) frames[status][reason].add(count);
    }
  }
}

std::string to_prometheus(const std::vector<const ThreadMetrics*>& threads,
                          const std::vector<engine::Engine::Metric>& engine, const Gauges& gauges) {
  std::string out;
  write_requests(threads, out);
  write_histogram(threads, out);
  write_frames(threads, out);
  write_cuts(threads, out);
  write_gauge("twofold_http_connections", "Open connections.",
              static_cast<double>(gauges.connections), out);
  write_gauge("twofold_http_waiting_jobs", "Requests that wait for a worker.",
              static_cast<double>(gauges.waiting_jobs), out);
  write_gauge("twofold_http_bodies_bytes", "Bodies of requests in memory.",
              static_cast<double>(gauges.bodies_bytes), out);
  write_gauge("twofold_draining", "1 after SIGTERM.", gauges.is_draining ? 1 : 0, out);
  write_engine(engine, out);
  return out;
}

}  // namespace twofold::http
