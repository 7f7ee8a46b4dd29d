// Reads a source map (ECMA-426), plain or indexed, into a SourceMap.
//
// Accepts: a byte order mark; the `)]}'` guard line; index maps, nested up to kMaxSectionDepth;
// numeric names; `ignoreList` and its old spelling `x_google_ignoreList`; `debugId` and `debug_id`.
// The text of sourcesContent is stepped over, never unescaped or copied. Does not fetch: a section
// given as `url` is an error that says so.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/base/padded.h"
#include "core/base/result.h"
#include "core/js/map_json.h"
#include "core/js/mappings.h"
#include "core/js/source_map.h"

namespace twofold::js {

inline constexpr unsigned kMaxSectionDepth = 8;

// A map on the worklist: its text, where its first line starts in the generated code, and where the
// next section takes over.
struct MapSection {
  std::string_view json;
  Position start;
  std::optional<Position> end;
  unsigned depth = 0;
};

// Keeps its buffers, so that a second map of the same size costs next to no allocation. Not
// thread-safe; one per thread.
class MapReader {
 public:
  // Replaces what `map` holds (its memory is reused). On an error `map` is empty.
  // Errors: kBadJson, kBadMap, kBadMapping, kBadSection, kUnsupported, kUnsupportedVersion,
  // kTooLarge; offsets count from the start of `json`.
  [[nodiscard]] Status parse(PaddedView json, Strictness strictness, SourceMap& map);

 private:
  [[nodiscard]] Status read_sections(PaddedView whole, Strictness strictness, SourceMap& map);

  MapJson json_;
  MapFields fields_;
  std::vector<MapSection> todo_;
};

// The `file` field of a map, "" when it has none or does not parse.
[[nodiscard]] std::string find_file_field(PaddedView json);

// Could this text be a source map? Looks for an opening brace and the two words that every map has;
// a yes is no promise that `parse` succeeds. O(text) at memory speed.
[[nodiscard]] bool looks_like_source_map(std::string_view text);

}  // namespace twofold::js
