// JSON string literals to text.
//
// Source code has an escape every ten to thirty bytes (line breaks, tabs, quotes), so a copy that
// stops at each of them spends its time on mispredicted jumps. The form with SSSE3 (WebAssembly has
// it through Emscripten) turns a window of 16 bytes into text without a jump; the plain form goes
// byte by byte. A test compares both with simdjson.
#pragma once

#include <cstddef>
#include <string_view>

namespace twofold::js {

// How many bytes behind its result `unescape_json` may overwrite.
inline constexpr std::size_t kUnescapeSlackBytes = 32;

// The text of a JSON string, given without its quotes: valid UTF-8 without control characters or
// unescaped quotes, as the parser has checked. Writes at most as many bytes as it reads, and
// scribbles over the slack behind them. A lone surrogate becomes U+FFFD. Returns the end of the
// text, or null: an escape that JSON does not have.
[[nodiscard]] char* unescape_json(std::string_view string, char* to);

// The form without vectors.
[[nodiscard]] char* unescape_json_plainly(std::string_view string, char* to);

}  // namespace twofold::js
