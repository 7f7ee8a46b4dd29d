// The JSON layer of a source map: one map object, read into plain fields. Knows JSON and the types
// that ECMA-426 prescribes; knows nothing of how sections are put together or mappings decoded.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/padded.h"
#include "core/base/result.h"
#include "core/base/string_list.h"
#include "core/base/units.h"
#include "core/js/mappings.h"

namespace twofold::js {

// A section of an index map.
struct SectionField {
  std::string_view map;  // the text of its map object, inside the text that was parsed
  Position offset;
};

// What one map object says. Views point into the parsed text, or into the parser until its next
// `parse`.
struct MapFields {
  bool is_index_map = false;
  std::string_view mappings;      // without its quotes
  std::uint64_t mappings_at = 0;  // offset of its first character in the object's text
  StringList sources;             // "" for null; sourceRoot not applied
  std::string source_root;
  // sourcesContent as it stands in the text: JSON strings with their quotes, "" for null. See
  // SourceTexts.
  std::vector<std::string_view> contents;
  StringList names;
  std::vector<std::int64_t> ignored;   // as given: may be out of range
  std::vector<SectionField> sections;  // in order, without overlap
  std::string file;
  std::string debug_id;
  std::string_view function_maps;  // the text of `x_facebook_sources` (metro_json.h), "" if absent
  bool is_bytecode = false;        // has `x_hermes_function_offsets`: columns are byte offsets

  void clear();
};

// Owns the JSON parser and its buffers.
class MapJson {
 public:
  MapJson();
  ~MapJson();
  MapJson(MapJson&&) noexcept;
  MapJson& operator=(MapJson&&) noexcept;

  // Errors: kBadJson, kBadMap, kBadSection, kUnsupported, kUnsupportedVersion, kTooLarge; offsets
  // count from the start of `object`.
  [[nodiscard]] Status parse(PaddedView object, Strictness strictness, MapFields& fields);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace twofold::js
