// What an identifier of the bundle was called originally: the map's word for one place.
//
// Three sources, in order: the name of the map's segment at the identifier; the name of the segment
// before it, if that has the same original place (Closure and TypeScript put a function's name on
// its keyword); the identifier that stands at the original place in the source text, if the map
// carries it. Otherwise the bundle's own text stands.
#pragma once

#include <string_view>

#include "core/js/source_map.h"
#include "core/js/source_positions.h"

namespace twofold::js {

struct OriginalName {
  std::string_view text;
  // The map knows this identifier, so `text` is what the author wrote. Otherwise `text` is
  // minified.
  bool is_known = false;
};

// Borrows the map and the sources. Not thread-safe: it remembers where it looked last.
class MapNames {
 public:
  // `sources` has the text of each source of `map`, "" where unknown; it may have fewer.
  MapNames(const SourceMap& map, SourcePositions& sources) : map_(map), sources_(sources) {}

  // The original of the identifier `minified` at `at`. O(log segments) and, for the third source,
  // one look at the source text.
  [[nodiscard]] OriginalName find(Position at, std::string_view minified);
  // The name of a segment that begins at `from` and reaches to `to`, with no other one between; or
  // "".
  [[nodiscard]] std::string_view name_reaching(Position from, Position to);
  // The last segment at or before `at` on its line, or null.
  [[nodiscard]] const Segment* find_floor(Position at);
  [[nodiscard]] std::string_view source_of(const Segment& segment) const;

 private:
  std::string_view name_of(const Segment& segment) const;
  const Segment* first_at_same_place(const Segment* segment) const;
  std::string_view name_in_contents(const Segment& segment);

  const SourceMap& map_;
  SourcePositions& sources_;
  std::size_t last_ = 0;  // the segment that was found last
};

}  // namespace twofold::js
