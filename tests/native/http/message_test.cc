#include "native/http/message.h"

#include <catch2/catch.hpp>

#include "native/http/routes.h"
#include "native/http/server.h"

using namespace twofold;
using namespace twofold::http;

TEST_CASE("Accept.TextOnlyWhenItIsWantedMore") {
  struct Row {
    const char* accept;
    bool expected;
  };
  const Row rows[] = {
      {"", false},
      {"*/*", false},
      {"text/plain", true},
      {"TEXT/Plain; charset=utf-8", true},
      {"text/*", true},
      {"application/json", false},
      {"text/plain, application/json", false},
      {"text/plain, */*", true},
      {"text/plain;q=0.5, application/json", false},
      {"application/json;q=0.5, text/plain;q=0.8", true},
      {"text/plain;q=0", false},
      {"text/plain;q=x", false},
      {"text/html, */*;q=0.1", false},
      {",,;;==", false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.accept);
    CHECK(prefers_text(row.accept) == row.expected);
  }
}

TEST_CASE("Parameters.OfQueriesAndHeaders") {
  CHECK(find_parameter("/a?name=x%20y+z&b", "name") == "x y z");
  CHECK(find_parameter("/a?xname=1&name=2&name=3#f", "name") == "2");
  CHECK(find_parameter("/a?name", "name").empty());
  CHECK(find_parameter("/a?name=%4", "name") == "%4");
  CHECK(find_parameter("/a?name=%zz%", "name") == "%zz%");
  CHECK(find_parameter("/a", "name").empty());
  CHECK(header_parameter("a/b; boundary=x", "boundary") == "x");
  CHECK(header_parameter("a/b; c=\"d;\\\"e\"; Boundary=\"x y\"", "boundary") == "x y");
  CHECK(header_parameter("a/b; boundary", "boundary").empty());
  CHECK(header_parameter("a/b; boundary=\"x", "boundary") == "x");
  CHECK(header_parameter("a/b; boundary=\"x\\", "boundary") == "x\\");
  CHECK(header_parameter("a/b; c; boundary=x", "boundary") == "x");
  CHECK(header_parameter("a/b;", "boundary").empty());
  CHECK(media_type(" Text/Plain ; x") == "text/plain");
}

TEST_CASE("Routes.EachHasItsMethods") {
  struct Row {
    Method method;
    const char* target;
    Route route;
    bool is_allowed;
  };
  const Row rows[] = {
      {Method::kPost, "/v1/symbolicate", Route::kSymbolicate, true},
      {Method::kPost, "/v1/symbolicate?context=1", Route::kSymbolicate, true},
      {Method::kGet, "/v1/symbolicate", Route::kSymbolicate, false},
      {Method::kPut, "/v1/artifacts", Route::kUpload, true},
      {Method::kPost, "/v1/artifacts?name=a", Route::kUpload, true},
      {Method::kGet, "/v1/artifacts", Route::kUpload, false},
      {Method::kGet, "/v1/artifacts/abc", Route::kArtifact, true},
      {Method::kHead, "/v1/artifacts/abc", Route::kArtifact, true},
      {Method::kOther, "/v1/artifacts/abc", Route::kArtifact, false},
      {Method::kGet, "/v1/artifacts/", Route::kUnknown, false},
      {Method::kGet, "/v1/artifactsabc", Route::kUnknown, false},
      {Method::kGet, "/healthz", Route::kHealth, true},
      {Method::kPost, "/metrics", Route::kMetrics, false},
      {Method::kGet, "/", Route::kUnknown, false},
      {Method::kGet, "", Route::kUnknown, false},
      {Method::kGet, "//healthz", Route::kUnknown, false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.target);
    const Routed routed = find_route(row.method, row.target);
    CHECK(routed.route == row.route);
    CHECK(routed.is_allowed == row.is_allowed);
  }
  CHECK(find_route(Method::kGet, "/v1/artifacts/a%2Fb?x").artifact_id == "a%2Fb");
}

TEST_CASE("Address.IsAnAddressAndAPort") {
  CHECK(parse_address("127.0.0.1:80").value().port == 80);
  CHECK(parse_address("[::1]:0").value().host == "::1");
  for (const char* const bad : {"", ":", ":80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x",
                                "127.0.0.1:65536", "127.0.0.1:-1", "::1:80", "[]:80"}) {
    CAPTURE(bad);
    CHECK_FALSE(parse_address(bad));
  }
}

TEST_CASE("Refusal.IsJsonWithWhatIsKnown") {
  CHECK(to_response({400, "bad_json", "a \"b\"", {}, 7}).body ==
        "{\"error\":{\"code\":\"bad_json\",\"offset\":7,\"detail\":\"a \\\"b\\\"\"}}\n");
  CHECK(to_response({404, "not_found", "x"}).body ==
        "{\"error\":{\"code\":\"not_found\",\"detail\":\"x\"}}\n");
}
