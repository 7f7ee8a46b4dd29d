// Debug IDs, UUIDs and build IDs as people and tools write them: any case, with or without dashes.
#pragma once

#include <string_view>

namespace twofold {

// Equal but for case and dashes. Two empty ids are equal; a caller asks whether there are any
// first.
[[nodiscard]] bool same_debug_id(std::string_view a, std::string_view b);

}  // namespace twofold
