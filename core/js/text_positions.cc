#include "core/js/text_positions.h"

#include <algorithm>

#include "core/base/utf.h"
#include "core/js/lexer.h"
#include "core/js/line_breaks.h"

namespace twofold::js {
namespace {

constexpr std::uint32_t kBlockBytes = 64;

bool is_tail_byte(char byte) {
  return (static_cast<std::uint8_t>(byte) & 0xC0) == 0x80;
}

}  // namespace

TextPositions::TextPositions(std::string_view text) : text_(text) {
  const bool is_ascii = find_lines();
  if (!is_ascii && count_utf16(text_) != text_.size()) count_units();
}

// Fills line_starts_. True: the text is ASCII.
bool TextPositions::find_lines() {
  const char* const begin = text_.data();
  const char* const end = begin + text_.size();
  line_starts_.push_back(0);
  return for_each_line_break_byte(begin, text_.size(), [&](std::size_t at) {
    std::size_t size = 1;
    if (begin[at] == '\r' && at + 1 < text_.size() && begin[at + 1] == '\n')
      return;  // CRLF: at its LF
    if (begin[at] == '\xE2') {
      if (!is_unicode_line_break(begin + at, end)) return;
      size = 3;
    }
    line_starts_.push_back(static_cast<std::uint32_t>(at + size));
  });
}

// A character counts in the block where it begins, so blocks are cut at whole characters.
void TextPositions::count_units() {
  std::size_t at = 0;
  std::uint32_t units = 0;
  for (std::size_t block = 0; block < text_.size(); block += kBlockBytes) {
    block_units_.push_back(units);
    const std::size_t from = at;
    at = std::min<std::size_t>(block + kBlockBytes, text_.size());
    while (at < text_.size() && is_tail_byte(text_[at])) ++at;
    units += static_cast<std::uint32_t>(count_utf16(text_.substr(from, at - from)));
  }
}

std::uint32_t TextPositions::units_before(std::uint32_t offset) const {
  if (block_units_.empty()) return offset;
  std::size_t block = offset / kBlockBytes;
  if (block == block_units_.size()) --block;  // the end of a text of whole blocks
  std::size_t from = block * kBlockBytes;
  // A block of as many units as bytes is ASCII up to its last character.
  const bool is_ascii = block + 1 < block_units_.size() && !is_tail_byte(text_[from]) &&
                        block_units_[block + 1] - block_units_[block] == kBlockBytes;
  if (is_ascii) return block_units_[block] + static_cast<std::uint32_t>(offset - from);
  while (from < offset && is_tail_byte(text_[from])) ++from;
  return block_units_[block] +
         static_cast<std::uint32_t>(count_utf16(text_.substr(from, offset - from)));
}

Position TextPositions::position(std::uint32_t offset) const {
  offset = std::min(offset, static_cast<std::uint32_t>(text_.size()));
  while (offset > 0 && offset < text_.size() && is_tail_byte(text_[offset])) --offset;
  const auto behind = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const std::uint32_t line_start = *(behind - 1);
  return {Line(static_cast<std::uint32_t>(behind - line_starts_.begin() - 1)),
          Utf16Column(units_before(offset) - units_before(line_start))};
}

std::uint32_t TextPositions::line_end(std::uint32_t line) const {
  if (line + 1 == line_count()) return static_cast<std::uint32_t>(text_.size());
  std::uint32_t end = line_starts_[line + 1];
  if (text_[end - 1] == '\n') return end - (end > 1 && text_[end - 2] == '\r' ? 2 : 1);
  return end - (text_[end - 1] == '\r' ? 1 : 3);
}

std::uint32_t TextPositions::offset(Position position) const {
  const std::uint32_t line = position.line.value();
  if (line >= line_count()) return static_cast<std::uint32_t>(text_.size());
  const std::uint32_t start = line_starts_[line];
  const std::uint32_t end = line_end(line);
  const std::uint32_t column = position.column.value();
  if (block_units_.empty()) return column < end - start ? start + column : end;

  const std::uint64_t units = std::uint64_t{units_before(start)} + column;
  if (units >= units_before(end)) return end;
  const auto behind = std::upper_bound(block_units_.begin(), block_units_.end(), units);
  const auto block = static_cast<std::uint32_t>(behind - block_units_.begin() - 1);
  std::uint32_t from = block * kBlockBytes;
  while (from < end && is_tail_byte(text_[from])) ++from;
  const auto rest = static_cast<std::uint32_t>(units - block_units_[block]);
  return from + to_utf8(text_.substr(from, end - from), Utf16Column(rest)).value();
}

}  // namespace twofold::js
