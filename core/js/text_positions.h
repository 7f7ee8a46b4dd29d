// Byte offsets of a text to lines and columns, and back.
//
// Lines end at CR, LF, CRLF, U+2028 and U+2029, as engines and source maps count them in
// JavaScript. Built in one pass; pure ASCII text, as most bundles are, costs four bytes per line,
// other text one count per 64 bytes more. Invalid UTF-8 counts as utf.h says. Borrows the text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/units.h"

namespace twofold::js {

class TextPositions {
 public:
  // Precondition: the text is shorter than 4 GiB.
  explicit TextPositions(std::string_view text);

  // O(log lines). An offset past the end counts as the end; one inside a character as its start.
  [[nodiscard]] Position position(std::uint32_t offset) const;
  // O(log text). Past the end of the line: the end of the line, before its line break. Past the
  // text: its end.
  [[nodiscard]] std::uint32_t offset(Position position) const;

  [[nodiscard]] std::uint32_t line_count() const {
    return static_cast<std::uint32_t>(line_starts_.size());
  }

 private:
  bool find_lines();
  void count_units();
  std::uint32_t units_before(std::uint32_t offset) const;
  std::uint32_t line_end(std::uint32_t line) const;  // before its line break

  std::string_view text_;
  std::vector<std::uint32_t> line_starts_;
  // UTF-16 units before every block of kBlockBytes bytes; empty if the text is ASCII.
  std::vector<std::uint32_t> block_units_;
};

}  // namespace twofold::js
