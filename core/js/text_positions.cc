#include "core/js/text_positions.h"

#include <algorithm>

#include "core/base/make_room.h"
#include "core/base/utf.h"
#include "core/js/lexer.h"
#include "core/js/line_breaks.h"

namespace twofold::js {
namespace {

constexpr std::uint32_t kBlockBytes = 64;

bool is_tail_byte(char byte) {
  return (static_cast<std::uint8_t>(byte) & 0xC0) == 0x80;
}

// Appends the starts of lines. True: the text is ASCII.
bool append_line_starts(std::string_view text, std::vector<std::uint32_t>& line_starts) {
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  line_starts.push_back(0);
  return for_each_line_break_byte(begin, text.size(), [&](std::size_t at) {
    std::size_t size = 1;
    if (begin[at] == '\r' && at + 1 < text.size() && begin[at + 1] == '\n')
      return;  // CRLF: at its LF
    if (begin[at] == '\xE2') {
      if (!is_unicode_line_break(begin + at, end)) return;
      size = 3;
    }
    line_starts.push_back(static_cast<std::uint32_t>(at + size));
  });
}

// A character counts in the block where it begins, so blocks are cut at whole characters.
void append_block_units(std::string_view text, std::vector<std::uint32_t>& block_units) {
  make_room(block_units.size() + text.size() / kBlockBytes + 1, block_units);
  std::size_t at = 0;
  std::uint32_t units = 0;
  for (std::size_t block = 0; block < text.size(); block += kBlockBytes) {
    block_units.push_back(units);
    const std::size_t from = at;
    at = std::min<std::size_t>(block + kBlockBytes, text.size());
    while (at < text.size() && is_tail_byte(text[at])) ++at;
    units += static_cast<std::uint32_t>(count_utf16(text.substr(from, at - from)));
  }
}

}  // namespace

void append_line_index(std::string_view text, std::vector<std::uint32_t>& line_starts,
                       std::vector<std::uint32_t>& block_units) {
  make_room(line_starts.size() + text.size() / 4096, line_starts);
  const bool is_ascii = append_line_starts(text, line_starts);
  if (!is_ascii && count_utf16(text) != text.size()) append_block_units(text, block_units);
}

void TextPositions::assign(std::string_view text) {
  text_ = text;
  line_starts_.clear();
  block_units_.clear();
  append_line_index(text, line_starts_, block_units_);
}

std::uint32_t TextPositionsView::units_before(std::uint32_t offset) const {
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

std::uint32_t TextPositionsView::to_place(std::uint32_t offset) const {
  offset = std::min(offset, static_cast<std::uint32_t>(text_.size()));
  while (offset > 0 && offset < text_.size() && is_tail_byte(text_[offset])) --offset;
  return offset;
}

Position TextPositionsView::on_line(std::uint32_t line, std::uint32_t offset) const {
  return {Line(line), Utf16Column(units_before(offset) - units_before(line_starts_[line]))};
}

Position TextPositionsView::position(std::uint32_t offset) const {
  offset = to_place(offset);
  const auto behind = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  return on_line(static_cast<std::uint32_t>(behind - line_starts_.begin() - 1), offset);
}

Position TextPositionsView::next_position(std::uint32_t offset, std::uint32_t& line) const {
  offset = to_place(offset);
  while (line + 1 < line_count() && line_starts_[line + 1] <= offset) ++line;
  return on_line(line, offset);
}

std::uint32_t TextPositionsView::line_end(std::uint32_t line) const {
  if (line + 1 == line_count()) return static_cast<std::uint32_t>(text_.size());
  std::uint32_t end = line_starts_[line + 1];
  if (text_[end - 1] == '\n') return end - (end > 1 && text_[end - 2] == '\r' ? 2 : 1);
  return end - (text_[end - 1] == '\r' ? 1 : 3);
}

std::uint32_t TextPositionsView::offset(Position position) const {
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
