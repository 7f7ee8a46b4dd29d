// The texts of a map's sources (sourcesContent), unescaped.
//
// Three quarters of a map are these texts, and most of its readers do not need them: the map reader
// notes where they stand, and this turns them into text when somebody asks.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/js/source_map.h"

namespace twofold::js {

// Keeps its memory for the next map. Not thread-safe.
class SourceTexts {
 public:
  // The texts of all sources of `map`, whose JSON must be alive; "" where it has none. An escaped
  // lone surrogate becomes U+FFFD, which is one UTF-16 unit as well. The views are valid until the
  // next `read`. One pass over the texts.
  std::span<const std::string_view> read(const SourceMap& map);

 private:
  std::vector<std::uint8_t> bytes_;
  std::vector<std::string_view> texts_;
};

}  // namespace twofold::js
