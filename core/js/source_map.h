// A source map, decoded: what every later stage (positions, names, context) works on.
//
// Revision 3 as ECMA-426 defines it. Index maps are flattened already: one list of segments, one
// list of sources, one of names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/string_list.h"
#include "core/base/units.h"
#include "core/js/function_map.h"

namespace twofold::js {

inline constexpr std::uint32_t kNoIndex = 0xFFFFFFFF;

// One segment of `mappings`. All positions 0-based, columns UTF-16.
struct Segment {
  Position generated;
  std::uint32_t source = kNoIndex;  // index of SourceMap::sources; kNoIndex: no source from here on
  Position original;                // meaningful with a source only
  std::uint32_t name = kNoIndex;    // index of SourceMap::names: the identifier *at* this place
};

struct SourceMap {
  // `sources` with sourceRoot in front; "" where the map says null.
  StringList sources;
  // Per source, maybe fewer: its text as a JSON string, quotes and escapes included; "" for none.
  // Views into the text that was parsed. SourceTexts reads them.
  std::vector<std::string_view> contents;
  std::vector<bool> is_ignored;  // per source: listed by ignoreList as third-party code
  StringList names;
  // Sorted by generated position; segments at one position in the order of the map.
  std::vector<Segment> segments;
  std::string file;            // the `file` field, "" when absent
  std::string debug_id;        // `debugId`, else `debug_id`; "" when absent
  FunctionMaps function_maps;  // per source, where Metro wrote them
  // Of Hermes bytecode: a generated column is a byte offset, a line the number of a bytecode file.
  bool is_bytecode = false;

  void clear();
};

}  // namespace twofold::js
