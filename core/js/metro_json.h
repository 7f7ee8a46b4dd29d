// What Metro, the bundler of React Native, adds to the JSON of a source map. Apart from map_json,
// because only its maps have any of it, and nothing here may fail a map: what does not look as
// Metro writes it counts as absent.
//
//   x_facebook_sources   per source `[function map]` or null (function_map.h)
//   x_facebook_offsets   RAM bundles: per module id the line of the map at which the module starts
//   x_facebook_segments  code-split bundles: segment id to the map of that segment, which may have
//                        offsets of its own
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/padded.h"
#include "core/base/units.h"
#include "core/js/function_map.h"

namespace twofold::js {

// Which sources of FunctionMaps the entries are for: entry i belongs to source first + i.
struct SourceRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

// Adds the function maps of one map. `list`: the value of its `x_facebook_sources`. Entries beyond
// the range are left out.
void read_function_maps(PaddedView list, SourceRange sources, FunctionMaps& maps);

// One segment of a bundle.
struct BundleSegment {
  std::uint32_t id = 0;  // 0: the bundle itself
  std::string_view map;  // inside the text that was read: the whole of it for segment 0
  // Where each module of a RAM bundle starts; no value for an id without code. Empty: the segment
  // is not split into modules.
  std::vector<std::optional<Line>> module_lines;

  [[nodiscard]] std::optional<Line> find_module(std::uint32_t module) const {
    return module < module_lines.size() ? module_lines[module] : std::nullopt;
  }
};

// What the text of a map file says of segments and modules: the bundle first, then its segments as
// they stand. Empty when it says nothing, which costs a search for the two words only.
[[nodiscard]] std::vector<BundleSegment> read_segments(PaddedView map);

}  // namespace twofold::js
