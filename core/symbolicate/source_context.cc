#include "core/symbolicate/source_context.h"

#include <algorithm>

namespace twofold {
namespace {

constexpr std::string_view kCut = "...";
constexpr std::uint32_t kLineEnd = 0xFFFFFFFF;  // as a column

bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

// At most kLongestContextLineBytes of `line`, `at` (an offset) among them, characters whole.
std::string cut_line(std::string_view line, std::size_t at) {
  if (line.size() <= kLongestContextLineBytes) return std::string(line);
  constexpr std::size_t kKept = kLongestContextLineBytes - 2 * kCut.size();
  std::size_t begin = at < kKept ? 0 : std::min(at - kKept / 2, line.size() - kKept);
  std::size_t end = begin + kKept;
  while (begin < end && continues_character(line[begin])) ++begin;
  while (end > begin && end < line.size() && continues_character(line[end])) --end;
  std::string cut;
  if (begin > 0) cut += kCut;
  cut += line.substr(begin, end - begin);
  if (end < line.size()) cut += kCut;
  return cut;
}

}  // namespace

std::optional<SourceContext> ArtifactSources::around(std::uint32_t file, OneBasedLine line,
                                                     OneBasedColumn column, std::uint32_t around) {
  if (file >= texts_.size() || texts_[file].empty() || line.value() == 0) return std::nullopt;
  const std::string_view text = texts_[file];
  if (positions_[file] == nullptr) positions_[file] = std::make_unique<js::TextPositions>(text);
  const js::TextPositions& positions = *positions_[file];
  if (line.value() > positions.line_count()) return std::nullopt;

  const std::uint32_t middle = line.value() - 1;
  const std::uint32_t first = middle - std::min(middle, around);
  const std::uint32_t last = middle + std::min(positions.line_count() - line.value(), around);
  SourceContext context{first + 1, {}};
  for (std::uint32_t i = first; i <= last; ++i) {
    const std::uint32_t begin = positions.offset({Line(i), Utf16Column(0)});
    const std::uint32_t end = positions.offset({Line(i), Utf16Column(kLineEnd)});
    std::uint32_t at = begin;
    if (i == middle && column.value() > 0) {
      at = positions.offset({Line(i), Utf16Column(column.value() - 1)});
    }
    context.lines.push_back(cut_line(text.substr(begin, end - begin), at - begin));
  }
  return context;
}

}  // namespace twofold
