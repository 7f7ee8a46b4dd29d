// The slow obvious twin of tw::find_location: no sorting, no dropping, no search. It walks the
// segments as the map has them and keeps the best one seen.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace twofold::reference {

// One segment as a source map states it; plain numbers, all 0-based. Segments of one map in map
// order.
struct SlowSegment {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  bool is_mapped = false;  // false: a segment of one field
  std::string source;      // "" when the map has null there
  std::uint32_t original_line = 0;
  std::uint32_t original_column = 0;
  std::optional<std::string> name;
};

// Index of the segment that answers (line, column): on the same line, the first one exactly there,
// else the last one (in map order) at the greatest column before it. No value: none, or an unmapped
// one.
[[nodiscard]] std::optional<std::size_t> slow_locate(const std::vector<SlowSegment>& segments,
                                                     std::uint32_t line, std::uint32_t column);

// The same for many positions at once, for maps too big to walk from the start each time. Groups
// the segments by position once (a std::map) and steps through both lists side by side. `positions`
// ascending.
struct SlowQuery {
  std::uint32_t line;
  std::uint32_t column;
};
[[nodiscard]] std::vector<std::optional<std::size_t>> slow_locate_all(
    const std::vector<SlowSegment>& segments, const std::vector<SlowQuery>& positions);

}  // namespace twofold::reference
