// The lookup: which original place is behind a generated one.
//
// The token that answers is the last one at or before the position on the same generated line; a
// mapping never reaches past its line. Several tokens at one position: a query for exactly that
// position takes the first of them, a query behind it the last (what trace-mapping does; FORMAT.md,
// "Duplicates"). Allocates nothing, copies nothing; answers are views into the file. O(log tokens).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/tw/flat_view.h"

namespace twofold::tw {

// The answer to one position, with views into the file it came from.
struct Location {
  std::optional<std::string_view> file;      // no value: the map does not name the source
  std::optional<std::string_view> function;  // no value: the file does not tell
  OneBasedLine line;                         // never 0
  OneBasedColumn column;                     // UTF-16; 0: unknown
  std::uint32_t file_index = kNone;          // kNone without a file
};

// Index of the token that answers, or kNone. The token may say "unmapped from here".
[[nodiscard]] std::uint32_t find_floor(const FlatView& view, Position position);

// No value: no token reaches the position, or the one that does says "unmapped from here".
[[nodiscard]] std::optional<Location> find_location(const FlatView& view, Position position);

}  // namespace twofold::tw
