#include "tests/reference/compare.h"

#include <algorithm>
#include <optional>

#include "core/tw/lookup.h"

namespace twofold::reference {
namespace {

std::string to_text(const std::optional<tw::Location>& location) {
  if (!location) return "no answer";
  return std::string(location->file.value_or("(no file)")) + ":" +
         std::to_string(location->line.value()) + ":" + std::to_string(location->column.value());
}

std::string to_text(const SlowSegment* segment) {
  if (segment == nullptr) return "no answer";
  return (segment->source.empty() ? "(no file)" : segment->source) + ":" +
         std::to_string(segment->original_line + 1) + ":" +
         std::to_string(segment->original_column + 1);
}

bool is_same(const std::optional<tw::Location>& fast, const SlowSegment* slow) {
  if (!fast || slow == nullptr) return !fast && slow == nullptr;
  return fast->file.value_or("") == slow->source && fast->line.value() == slow->original_line + 1 &&
         fast->column.value() == slow->original_column + 1;
}

}  // namespace

std::vector<SlowQuery> interesting_positions(const std::vector<SlowSegment>& segments) {
  std::vector<SlowQuery> positions;
  for (const SlowSegment& segment : segments) {
    const std::uint32_t line = segment.line;
    if (segment.column > 0) positions.push_back({line, segment.column - 1});
    positions.push_back({line, segment.column});
    positions.push_back({line, segment.column + 1});
    positions.push_back({line, 0});
    positions.push_back({line, 0xFFFFFFFF});
    positions.push_back({line + 1, 0});
    if (line > 0) positions.push_back({line - 1, 0xFFFFFFFF});
  }
  const auto key = [](const SlowQuery& query) {
    return (std::uint64_t{query.line} << 32) | query.column;
  };
  std::sort(positions.begin(), positions.end(),
            [&](const SlowQuery& a, const SlowQuery& b) { return key(a) < key(b); });
  positions.erase(
      std::unique(positions.begin(), positions.end(),
                  [&](const SlowQuery& a, const SlowQuery& b) { return key(a) == key(b); }),
      positions.end());
  return positions;
}

std::string find_difference(const tw::FlatView& view, const std::vector<SlowSegment>& segments) {
  const auto positions = interesting_positions(segments);
  const auto answers = slow_locate_all(segments, positions);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Position at{Line(positions[i].line), Utf16Column(positions[i].column)};
    const auto fast = tw::find_location(view, at);
    const SlowSegment* slow = answers[i] ? &segments[*answers[i]] : nullptr;
    if (is_same(fast, slow)) continue;
    return "at " + std::to_string(positions[i].line) + ":" + std::to_string(positions[i].column) +
           " (0-based): " + to_text(fast) + ", but the twin says " + to_text(slow);
  }
  return {};
}

}  // namespace twofold::reference
