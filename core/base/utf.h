// UTF-8 and UTF-16 columns.
//
// Source maps and engines count a column in UTF-16 code units; files hold UTF-8. An astral
// character is 4 bytes, 2 UTF-16 units and 1 code point: three columns that are all different after
// the first emoji.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/units.h"

namespace twofold {

// One decoded character. `size_bytes` is at least 1, so that a loop always moves. Bytes that are
// not UTF-8 (overlong, surrogate, above U+10FFFF, cut) decode one at a time as U+FFFD, as browsers
// do.
struct Utf8Char {
  char32_t code_point;
  std::uint8_t size_bytes;
  bool valid;
};
// Precondition: `at < text.size()`.
[[nodiscard]] Utf8Char decode_utf8(std::string_view text, std::size_t at);

[[nodiscard]] bool is_valid_utf8(std::string_view text);
// Offset of the first byte that is not UTF-8; the size when all are.
[[nodiscard]] std::size_t find_bad_utf8(std::string_view text);

// Number of UTF-16 code units that `text` takes. O(bytes), eight ASCII bytes at a time.
[[nodiscard]] std::uint64_t count_utf16(std::string_view text);

// The column in UTF-16 units of the byte `column` of `line`, and back. Past the end: the end. In
// the middle of a character: its start.
[[nodiscard]] Utf16Column to_utf16(std::string_view line, Utf8Column column);
[[nodiscard]] Utf8Column to_utf8(std::string_view line, Utf16Column column);

// U+FEFF at the start of a file marks the encoding and is no part of the text.
[[nodiscard]] std::string_view without_bom(std::string_view text);

}  // namespace twofold
