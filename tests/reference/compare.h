// Asks a .tw and the slow twin the same questions.
#pragma once

#include <string>
#include <vector>

#include "core/tw/flat_view.h"
#include "tests/reference/slow_lookup.h"

namespace twofold::reference {

// Every position that could tell them apart: each segment's own, the one before and the one behind,
// both ends of every line that has segments and the lines around. Ascending, no duplicates.
[[nodiscard]] std::vector<SlowQuery> interesting_positions(
    const std::vector<SlowSegment>& segments);

// "" when `view` answers every interesting position as the twin does; else the first difference in
// words.
[[nodiscard]] std::string find_difference(const tw::FlatView& view,
                                          const std::vector<SlowSegment>& segments);

}  // namespace twofold::reference
