// Byte offsets of a text to lines and columns, and back.
//
// Lines end at CR, LF, CRLF, U+2028 and U+2029, as engines and source maps count them in
// JavaScript. Built in one pass; pure ASCII text, as most bundles are, costs four bytes per line,
// other text one count per 64 bytes more. Invalid UTF-8 counts as utf.h says.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/units.h"

namespace twofold::js {

// Appends the offset at which each line of `text` starts, and, unless the text is ASCII, the UTF-16
// units before every 64 bytes of it. Precondition: the text is shorter than 4 GiB.
void append_line_index(std::string_view text, std::vector<std::uint32_t>& line_starts,
                       std::vector<std::uint32_t>& block_units);

// Borrows the text and its line index.
class TextPositionsView {
 public:
  // `block_units` is empty if the text is ASCII.
  TextPositionsView(std::string_view text, std::span<const std::uint32_t> line_starts,
                    std::span<const std::uint32_t> block_units)
      : text_(text), line_starts_(line_starts), block_units_(block_units) {}

  // O(log lines). An offset past the end counts as the end; one inside a character as its start.
  [[nodiscard]] Position position(std::uint32_t offset) const;
  // The same for offsets that ascend from call to call: O(lines) for all of them. `line` is that of
  // the call before, 0 for the first.
  [[nodiscard]] Position next_position(std::uint32_t offset, std::uint32_t& line) const;
  // O(log text). Past the end of the line: the end of the line, before its line break. Past the
  // text: its end.
  [[nodiscard]] std::uint32_t offset(Position position) const;

  [[nodiscard]] std::uint32_t line_count() const {
    return static_cast<std::uint32_t>(line_starts_.size());
  }

 private:
  std::uint32_t to_place(std::uint32_t offset) const;
  Position on_line(std::uint32_t line, std::uint32_t offset) const;
  std::uint32_t units_before(std::uint32_t offset) const;
  std::uint32_t line_end(std::uint32_t line) const;  // before its line break

  std::string_view text_;
  std::span<const std::uint32_t> line_starts_;
  std::span<const std::uint32_t> block_units_;
};

// With an index of its own. Borrows the text.
class TextPositions {
 public:
  TextPositions() = default;
  explicit TextPositions(std::string_view text) { assign(text); }
  // Another text, in the same memory.
  void assign(std::string_view text);

  [[nodiscard]] TextPositionsView view() const { return {text_, line_starts_, block_units_}; }
  [[nodiscard]] Position position(std::uint32_t offset) const { return view().position(offset); }
  [[nodiscard]] std::uint32_t offset(Position position) const { return view().offset(position); }
  [[nodiscard]] std::uint32_t line_count() const { return view().line_count(); }

 private:
  std::string_view text_;
  std::vector<std::uint32_t> line_starts_;
  std::vector<std::uint32_t> block_units_;
};

}  // namespace twofold::js
