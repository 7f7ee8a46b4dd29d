#include "tests/reference/slow_lookup.h"

#include <map>
#include <utility>

namespace twofold::reference {

std::optional<std::size_t> slow_locate(const std::vector<SlowSegment>& segments, std::uint32_t line,
                                       std::uint32_t column) {
  std::optional<std::size_t> exact;  // first one exactly there
  std::optional<std::size_t> floor;  // last one of those furthest right
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const SlowSegment& segment = segments[i];
    if (segment.line != line || segment.column > column) continue;
    if (segment.column == column && !exact) exact = i;
    if (!floor || segment.column >= segments[*floor].column) floor = i;
  }
  const std::optional<std::size_t> found = exact ? exact : floor;
  if (found && !segments[*found].is_mapped) return std::nullopt;
  return found;
}

std::vector<std::optional<std::size_t>> slow_locate_all(const std::vector<SlowSegment>& segments,
                                                        const std::vector<SlowQuery>& positions) {
  struct FirstAndLast {
    std::size_t first;
    std::size_t last;
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, FirstAndLast> groups;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const auto [it, is_new] = groups.insert({{segments[i].line, segments[i].column}, {i, i}});
    if (!is_new) it->second.last = i;
  }

  std::vector<std::optional<std::size_t>> answers;
  answers.reserve(positions.size());
  auto next = groups.begin();  // the first group behind the position
  for (const SlowQuery& query : positions) {
    const std::pair<std::uint32_t, std::uint32_t> at{query.line, query.column};
    while (next != groups.end() && next->first <= at) ++next;
    std::optional<std::size_t> found;
    if (next != groups.begin()) {
      const auto before = std::prev(next);
      if (before->first == at) {
        found = before->second.first;
      } else if (before->first.first == query.line) {
        found = before->second.last;
      }
    }
    if (found && !segments[*found].is_mapped) found = std::nullopt;
    answers.push_back(found);
  }
  return answers;
}

}  // namespace twofold::reference
