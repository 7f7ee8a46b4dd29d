// The slow obvious twin of js::MapReader: whole JSON tree, one string per segment, split at every
// separator, nested sections by recursion. Shares no code with the core.
//
// It reads what it is given and does not judge JSON types closely; the fast reader's refusals are
// tested by tables instead. Precondition for comparing: both accepted the map.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "tests/reference/slow_lookup.h"

namespace twofold::reference {

// The segments of one `mappings` text. No value: it breaks the grammar.
[[nodiscard]] std::optional<std::vector<SlowSegment>> slow_decode_mappings(
    std::string_view mappings, const std::vector<std::string>& sources,
    const std::vector<std::string>& names);

// All segments of a map, plain or indexed, in map order; those of sections moved to their place,
// cut where the next section starts, and an unmapped one wherever a section begins. A name that is
// a number reads as
// "". No value: not readable.
[[nodiscard]] std::optional<std::vector<SlowSegment>> slow_read_map(std::string_view json);

}  // namespace twofold::reference
