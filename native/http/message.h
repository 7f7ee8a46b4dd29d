// A request as the routes see it, and what they answer. Plain values: no sockets, no parser.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/padded.h"

namespace twofold::http {

enum class Method : std::uint8_t { kGet, kHead, kPost, kPut, kOther };

struct Request {
  Method method = Method::kOther;
  std::string target;  // path and query as sent
  // Headers that mean something to us; "" for those that did not come.
  std::string authorization;
  std::string content_type;
  std::string content_encoding;
  std::string accept;
  std::string artifact_name;  // X-Artifact-Name
  std::string request_id;     // X-Request-Id, if it is harmless; else one of ours
  PaddedBuffer body;

  // Keeps the memory of its strings.
  void clear() {
    method = Method::kOther;
    for (std::string* text : {&target, &authorization, &content_type, &content_encoding, &accept,
                              &artifact_name, &request_id}) {
      text->clear();
    }
    body.resize(0);
  }
};

struct Response {
  std::uint32_t status = 200;
  std::string_view content_type = "application/json";
  std::string extra_headers;  // whole lines with their \r\n
  std::string body;
};

[[nodiscard]] std::string_view reason_phrase(std::uint32_t status);

// The status of a failure, and its JSON as body.
struct Refusal {
  std::uint32_t status;
  std::string_view code;  // for scripts: unknown_route, too_large, ...
  std::string detail;
  std::string extra_headers = {};
  std::uint64_t offset = ~std::uint64_t{0};  // in the body, for bad_json
};
[[nodiscard]] Response to_response(const Refusal& refusal);

// Text behind `key=` in a query, percent-decoded, + as a space; "" when it is not there.
[[nodiscard]] std::string find_parameter(std::string_view target, std::string_view key);

// The media type alone: `Text/Plain; charset=utf-8` is text/plain.
[[nodiscard]] std::string media_type(std::string_view content_type);
// The value of a parameter of a header, quotes and escapes resolved; "" when it is not there.
[[nodiscard]] std::string header_parameter(std::string_view header, std::string_view key);

// By an Accept header: the rewritten text rather than JSON. JSON unless text is wanted more.
[[nodiscard]] bool prefers_text(std::string_view accept);

}  // namespace twofold::http
