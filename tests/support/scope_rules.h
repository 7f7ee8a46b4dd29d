// What the function scanner promises of its table, whatever the text (core/js/scopes.h).
#pragma once

#include <string>
#include <string_view>

#include "core/js/scopes.h"

namespace twofold::test {

// The first rule that `found` breaks and where, "" for none.
[[nodiscard]] std::string find_broken_rule(const js::FunctionScopes& found, std::string_view text);

}  // namespace twofold::test
