// The one JSON spelling of a request, for hosts that take traces as JSON: a server, a batch of
// lines.
//
//   {"trace":"Error: no\n    at a (app.js:1:15)","context":2}      or only the string
//
// Other keys are stepped over, so that a record of a batch may carry more than we ask for.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/padded.h"
#include "core/base/result.h"

namespace twofold {

struct TraceRequest {
  std::string_view trace;  // in the reader, until it reads again
  std::optional<std::uint32_t> context_lines;
};

// Owns the JSON parser and the text of the last request. Not thread-safe.
class RequestReader {
 public:
  RequestReader();
  ~RequestReader();
  RequestReader(RequestReader&&) noexcept;
  RequestReader& operator=(RequestReader&&) noexcept;

  // `record`: one JSON value. Escapes of half a surrogate pair become U+FFFD. Errors: kBadJson with
  // the offset in `record`, also for JSON that is no request.
  [[nodiscard]] Result<TraceRequest> parse(PaddedView record);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// What answers a request that none can answer: {"error":{"code":…,"offset":…,"detail":…}}. The
// offset is left out where there is none.
[[nodiscard]] std::string to_json(const Error& error);

}  // namespace twofold
