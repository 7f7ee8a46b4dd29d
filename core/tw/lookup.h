// The lookup: which original place is behind a generated one.
//
// The token that answers is the last one at or before the position on the same generated line; a
// mapping never reaches past its line. Several tokens at one position: a query for exactly that
// position takes the first of them, a query behind it the last (what trace-mapping does; FORMAT.md,
// "Duplicates"). Allocates nothing, copies nothing; answers are views into the file. O(log tokens).
#pragma once

#include <cstdint>
#include <optional>

#include "core/tw/flat_view.h"
#include "core/tw/location.h"

namespace twofold::tw {

// Index of the token that answers, or kNone. The token may say "unmapped from here".
[[nodiscard]] std::uint32_t find_floor(const FlatView& view, Position position);

// No value: no token reaches the position, or the one that does says "unmapped from here".
[[nodiscard]] std::optional<Location> find_location(const FlatView& view, Position position);

}  // namespace twofold::tw
