// libFuzzer target: any bytes as what a client sends. The first byte chooses the reader: a form, a
// JSON request, a packed body, headers. Each must stay inside its input, and a body may not grow
// beyond its limit.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/symbolicate/request.h"
#include "native/http/content_encoding.h"
#include "native/http/message.h"
#include "native/http/multipart.h"
#include "native/http/tokens.h"

namespace {

using namespace twofold;
using namespace twofold::http;

void require(bool holds) {
  if (!holds) std::abort();
}

bool is_inside(std::string_view part, std::string_view whole) {
  if (part.empty()) return true;
  return part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size();
}

// The first line is the Content-Type.
void check_multipart(std::string_view text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return;
  const std::string_view body = text.substr(end + 1);
  const auto parts = parse_multipart(body, header_parameter(text.substr(0, end), "boundary"));
  if (!parts) {
    const std::uint64_t offset = parts.error().offset;
    return require(offset == kNoOffset || offset <= body.size());
  }
  require(parts.value().size() <= kMostParts);
  const char* at = body.data();
  for (const Part& part : parts.value()) {
    require(is_inside(part.content, body));
    if (part.content.empty()) continue;
    require(part.content.data() >= at);
    at = part.content.data() + part.content.size();
  }
}

void check_request(std::string_view text) {
  RequestReader reader;
  const PaddedBuffer json(text);
  const auto request = reader.parse(json);
  if (!request) return require(request.error().offset <= text.size());
  // What was read can be said again.
  require(request.value().trace.size() <= text.size());
}

void check_encoding(std::string_view name, std::string_view text) {
  constexpr InflateLimits kLimits{.most_bytes = 1 << 16, .most_ratio = 10};
  const auto decoded = decode_body(name, PaddedBuffer(text), kLimits);
  if (decoded) require(decoded.value().size_bytes() <= kLimits.most_bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0]) {
    case 'm':
      check_multipart(text);
      break;
    case 'j':
      check_request(text);
      break;
    case 'g':
      check_encoding("gzip", text);
      break;
    case 'z':
      check_encoding("zstd", text);
      break;
    case 'h':
      (void)prefers_text(text);
      (void)find_parameter(text, "name");
      (void)header_parameter(text, "boundary");
      break;
    case 't':
      (void)Tokens::parse(text);
      break;
    default:
      break;
  }
  return 0;
}
