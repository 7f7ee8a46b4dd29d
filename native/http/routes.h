// Which request goes where, and what may be known of it before its body is read.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "native/http/message.h"

namespace twofold::http {

enum class Route : std::uint8_t {
  kSymbolicate,  // POST /v1/symbolicate
  kUpload,       // PUT, POST /v1/artifacts
  kArtifact,     // GET /v1/artifacts/{id}
  kHealth,       // GET /healthz
  kReady,        // GET /readyz
  kMetrics,      // GET /metrics
  kUnknown,
};
inline constexpr std::size_t kRouteCount = 7;

// As it stands in metrics and logs: a label never holds what a client sent.
[[nodiscard]] std::string_view to_string(Route route);

struct Routed {
  Route route = Route::kUnknown;
  bool is_allowed = false;       // the method is
  std::string_view allow;        // for a 405
  std::string_view artifact_id;  // of kArtifact, in the target
};
[[nodiscard]] Routed find_route(Method method, std::string_view target);

}  // namespace twofold::http
