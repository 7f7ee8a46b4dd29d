// The names of functions, as the engine would print them had the original program run.
//
// A name is inferred from the text (a function's own name, its key, or what it is assigned to); if
// that text is a bundle, its identifiers are taken back through the map. NAMES.md gives the rules.
#pragma once

#include <string_view>

#include "core/base/string_list.h"
#include "core/js/map_names.h"
#include "core/js/scopes.h"
#include "core/js/text_positions.h"

namespace twofold::js {

struct NameInputs {
  std::string_view text;
  const FunctionScopes& scopes;
  // Of a bundle. Both null: the text is the original, and every identifier its own name.
  const TextPositions* positions = nullptr;
  MapNames* map = nullptr;
};

// Per scope its name, "" for a function without one. At top level there is no scope, hence no name.
struct ScopeNames {
  StringList names;
  // Of a function value that has a name of its own: what it would be called without, by where it
  // goes.
  // "" for others.
  StringList assigned;
  [[nodiscard]] std::string_view operator[](std::uint32_t scope) const { return names[scope]; }
};

// Linear in text and scopes, time and memory: no name is longer than kMaxNameBytes and a word
// before it, and once all names together pass eight times the text, further ones go without their
// owners.
[[nodiscard]] ScopeNames infer_names(const NameInputs& inputs);

}  // namespace twofold::js
