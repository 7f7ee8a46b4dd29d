// A .tw as text, for people and for tests that compare files: one line per token and per string.
#pragma once

#include <string>

#include "core/tw/view.h"

namespace twofold::tw {

// Positions 1-based, as in a trace. Any `open`ed file can be dumped, damaged ones too.
//   token 1:1 -> src/a.js:1:1 fn=main
//   token 1:9 -> unmapped
[[nodiscard]] std::string dump(const View& view);

}  // namespace twofold::tw
