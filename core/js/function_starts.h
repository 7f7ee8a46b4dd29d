// Nested function scopes as one flat list: from this position on, that function.
//
// The form a .tw needs, where a position has one function. A lookup between two entries takes the earlier.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/units.h"
#include "core/js/scopes.h"
#include "core/js/text_positions.h"

namespace twofold::js {

struct FunctionStart {
  Position at;
  std::uint32_t scope = kNoEntry;  // kNoEntry: top level
};

// Sorted, one entry per position, the first at the start of the text. Where scopes begin or end at one
// position the innermost that is left counts. Linear in scopes. Borrows nothing.
[[nodiscard]] std::vector<FunctionStart> list_function_starts(const FunctionScopes& functions,
                                                              const TextPositions& positions);

}  // namespace twofold::js
