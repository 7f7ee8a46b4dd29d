// The one JSON spelling of an answer: CLI, HTTP and WebAssembly print these bytes.
#pragma once

#include <string>
#include <string_view>

#include "core/symbolicate/answer.h"

namespace twofold {

// One object, keys in a fixed order, no white space, no newline at the end:
//   {"text":…,"frames":[{"in":…,"line":…,"status":…,"reason":…,"out":[…]}],"artifacts":[…]}
// `artifacts` lists those that could not be used and is left out when there are none. Bytes that
// are not UTF-8 become U+FFFD, since JSON cannot hold them.
[[nodiscard]] std::string to_json(const Answer& answer);

// One element of `frames`.
[[nodiscard]] std::string to_json(const AnswerFrame& frame);

// Appends a JSON string, quotes included.
void write_json_string(std::string_view text, std::string& out);

}  // namespace twofold
