#include "native/http/metrics.h"

#include <catch2/catch.hpp>

using namespace twofold;
using namespace twofold::http;

namespace {

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

}  // namespace

TEST_CASE("Prometheus.CountsOfThreadsAreAdded") {
  ThreadMetrics one;
  ThreadMetrics two;
  one.add_request(Route::kSymbolicate, 200, 9'000);       // in the bucket up to 10 us
  two.add_request(Route::kSymbolicate, 200, 10'000);      // its bound included
  two.add_request(Route::kSymbolicate, 200, 20'000'000);  // 20 ms
  two.add_request(Route::kSymbolicate, 418, 60'000'000'000);
  Answer answer;
  answer.frames.push_back({"", 0, FrameStatus::kMapped, Reason::kNone, {}});
  answer.frames.push_back({"", 0, FrameStatus::kUnmapped, Reason::kNoArtifact, {}});
  answer.frames.push_back({"", 0, FrameStatus::kUnmapped, Reason::kNoArtifact, {}});
  FrameCounts frames;
  frames.add(answer);
  one.add_frames(frames);
  two.add_frames(frames);
  two.cuts[static_cast<std::size_t>(Cut::kIdle)].add();
  const std::string text = to_prometheus({&one, &two}, {}, {.connections = 3});
  for (const char* const line : {
           R"(twofold_http_requests_total{route="symbolicate",status="200"} 3)",
           R"(twofold_http_requests_total{route="symbolicate",status="other"} 1)",
           R"(twofold_http_request_duration_seconds_bucket{route="symbolicate",le="1e-05"} 2)",
           R"(twofold_http_request_duration_seconds_bucket{route="symbolicate",le="0.01"} 2)",
           R"(twofold_http_request_duration_seconds_bucket{route="symbolicate",le="0.05"} 3)",
           R"(twofold_http_request_duration_seconds_bucket{route="symbolicate",le="+Inf"} 4)",
           R"(twofold_http_request_duration_seconds_count{route="symbolicate"} 4)",
           R"(twofold_frames_total{status="mapped"} 2)",
           R"(twofold_frames_total{status="unmapped",reason="no_artifact"} 4)",
           R"(twofold_http_cut_connections_total{reason="idle"} 1)",
           R"(twofold_http_connections 3)",
           R"(twofold_draining 0)",
       }) {
    CAPTURE(line, text);
    CHECK(has_line(text, line));
  }
}

TEST_CASE("Prometheus.FamiliesOfTheEngineStandTogether") {
  const std::vector<engine::Engine::Metric> metrics{
      {"b_total", "tier=\"x\"", "back\\slash\nand newline", true, 1},
      {"a", "", "of the moment", false, 0.5},
      {"b_total", "tier=\"y\"", "back\\slash\nand newline", true, 1e15}};
  const std::string text = to_prometheus({}, metrics, {});
  CHECK(text.find("# HELP a of the moment\n# TYPE a gauge\na 0.5\n"
                  "# HELP b_total back\\\\slash\\nand newline\n# TYPE b_total counter\n"
                  "b_total{tier=\"x\"} 1\nb_total{tier=\"y\"} 1000000000000000\n") !=
        std::string::npos);
}

// What a scraper demands of every line: read as it would read it.
TEST_CASE("Prometheus.EveryLineIsWellFormed") {
  ThreadMetrics one;
  for (std::size_t route = 0; route < kRouteCount; ++route) {
    one.add_request(static_cast<Route>(route), 200, 1);
  }
  const std::string text = to_prometheus({&one}, {}, {});
  REQUIRE(text.ends_with('\n'));
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + 1);
    CAPTURE(std::string(line));
    if (line.starts_with("# HELP ") || line.starts_with("# TYPE ")) continue;
    const std::size_t space = line.rfind(' ');
    REQUIRE(space != std::string_view::npos);
    const std::string_view name = line.substr(0, space);
    CHECK(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_{}=\",.+-Inf0123456789") == name.npos);
    CHECK(name.starts_with("twofold_"));
    CHECK((name.find('{') == name.npos) == !name.ends_with('}'));
  }
}
