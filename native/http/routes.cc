#include "native/http/routes.h"

namespace twofold::http {

std::string_view to_string(Route route) {
  switch (route) {
    case Route::kSymbolicate:
      return "symbolicate";
    case Route::kUpload:
      return "upload";
    case Route::kArtifact:
      return "artifact";
    case Route::kHealth:
      return "healthz";
    case Route::kReady:
      return "readyz";
    case Route::kMetrics:
      return "metrics";
    case Route::kUnknown:
      return "unknown";
  }
  return "unknown";
}

Routed find_route(Method method, std::string_view target) {
  constexpr std::string_view kArtifacts = "/v1/artifacts";
  constexpr std::string_view kRead = "GET, HEAD";
  const std::string_view path = target.substr(0, target.find_first_of("?#"));
  const bool is_read = method == Method::kGet || method == Method::kHead;
  if (path == "/v1/symbolicate") {
    return {Route::kSymbolicate, method == Method::kPost, "POST", {}};
  }
  if (path == kArtifacts) {
    return {Route::kUpload, method == Method::kPost || method == Method::kPut, "POST, PUT", {}};
  }
  if (path.starts_with(kArtifacts) && path.size() > kArtifacts.size() + 1 &&
      path[kArtifacts.size()] == '/') {
    return {Route::kArtifact, is_read, kRead, path.substr(kArtifacts.size() + 1)};
  }
  if (path == "/healthz") return {Route::kHealth, is_read, kRead, {}};
  if (path == "/readyz") return {Route::kReady, is_read, kRead, {}};
  if (path == "/metrics") return {Route::kMetrics, is_read, kRead, {}};
  return {};
}

}  // namespace twofold::http
