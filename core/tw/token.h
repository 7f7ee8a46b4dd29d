// One token of a .tw: from this generated position on (to the next token or the end of the
// generated line) the code came from this original place.
#pragma once

#include <cstdint>

#include "core/base/units.h"
#include "core/tw/layout.h"

namespace twofold::tw {

struct Token {
  Position generated;                 // 0-based
  std::uint32_t original_line = 0;    // 1-based; 0: nothing is here, "unmapped from here"
  std::uint32_t original_column = 0;  // 1-based UTF-16; 0 with an original line: column unknown
  std::uint32_t file = kNone;         // index of the file table
  std::uint32_t function = kNone;     // index of the function table

  [[nodiscard]] bool is_unmapped() const { return original_line == 0; }
};

// A generated position as one number that sorts like it: line in the upper half.
[[nodiscard]] constexpr std::uint64_t to_key(Position position) {
  return (std::uint64_t{position.line.value()} << 32) | position.column.value();
}

}  // namespace twofold::tw
