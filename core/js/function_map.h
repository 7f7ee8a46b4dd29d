// Function maps: Metro's list, per source, of which function begins where in the *original* text.
//
// React Native's bundler writes them (`x_facebook_sources`), and the composer of Hermes maps keeps
// them. They were made from the syntax tree of the source, so they know every function by its
// author's name, and they need no bundle: the bundle of a Hermes app is bytecode.
//
// One source's map is a list of names and `mappings` of its own: groups parted by `;`, entries by
// `,`. An entry is two or three VLQ numbers: column, from 0 in each group; index of the name,
// relative to the entry before; and line, relative to the entry before, 0 if absent, from line 1.
// From an entry to the next the innermost function is the one named; so a function's end is an
// entry with the name of the function around it.
//
//   {"names":["<global>","f"],"mappings":"AAA;aCC;CDE"}
//     1:0 <global>   2:13 f   4:1 <global>
//
// Reads no JSON (metro_json.h) and does not know the bundle.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/string_list.h"
#include "core/base/units.h"

namespace twofold::js {

// The function maps of all sources of one SourceMap.
class FunctionMaps {
 public:
  // Adds the map of `source`. Precondition: sources come in ascending order, each once.
  // False: an entry breaks the grammar, names nothing or lies outside of 32 bits; then the source
  // counts as one without a function map, because what a damaged list says of the rest of the file
  // would be wrong names. O(mappings), O(n log n) where entries are not sorted.
  bool add(std::uint32_t source, const StringList& names, std::string_view mappings);

  // The function around `original`: index of `names()`. No value: the source has no function map,
  // or the place is before its first entry. O(log entries).
  [[nodiscard]] std::optional<std::uint32_t> find(std::uint32_t source, Position original) const;

  // Whether `find` gives a value. O(1).
  [[nodiscard]] bool tells(std::uint32_t source, Position original) const {
    if (source >= ends_.size()) return false;
    const std::uint32_t first = source == 0 ? 0 : ends_[source - 1];
    return first != ends_[source] && starts_[first].at <= original;
  }

  // Top level and functions without a name are spelled as in function_of_token.h, which took these
  // spellings over from here.
  [[nodiscard]] const StringList& names() const { return names_; }
  [[nodiscard]] bool empty() const { return starts_.empty(); }
  void clear();

 private:
  struct Start {
    Position at;  // 0-based, in the original
    std::uint32_t name;
  };
  bool decode(std::string_view mappings, std::size_t name_count);

  std::vector<Start> starts_;  // source after source, each sorted by place
  std::vector<std::uint32_t>
      ends_;  // per source: where its starts end; may be shorter than sources
  StringList names_;
};

}  // namespace twofold::js
