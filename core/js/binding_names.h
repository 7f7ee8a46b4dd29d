// What the place is called that a value goes to: `a.b` in `a.b = {c: function () {}}` and `a.b.c`
// for the function in it. Reads keys and assignment targets, and takes their identifiers back
// through the map.
//
// Knows bindings and spans, not scopes: which class a field belongs to and what `this` is, names.cc
// says.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/js/map_names.h"
#include "core/js/scopes.h"

namespace twofold::js {

// No name is longer. An owner that would make one longer is left out, anything else is cut.
inline constexpr std::size_t kMaxNameBytes = 512;

// `owner.name`, or `name` alone without an owner or where both are too long.
[[nodiscard]] std::string join_names(std::string_view owner, std::string_view name);

struct BindingName {
  std::string text;          // "": the value of such a binding has no name
  bool is_known = false;     // the map knows the identifier that it begins with
  bool is_field = false;     // begins with a class field, so the class belongs before it
  bool begins_this = false;  // began with `this`, which is not in the text
};

class BindingNames {
 public:
  // Without positions and map the text is the original, and every identifier its own name.
  BindingNames(std::string_view text, const FunctionScopes& scopes, const TextPositions* positions,
               MapNames* map);

  // Remembered, so that a chain of bindings is climbed once. Valid until the next call.
  [[nodiscard]] const BindingName& name_of(std::uint32_t binding);
  // A key: an identifier, `#x`, the value of a string or number, or what stands in brackets.
  [[nodiscard]] std::string key_name(TextSpan key, bool is_computed);
  // The identifier by its original name.
  [[nodiscard]] OriginalName original(TextSpan identifier);

 private:
  BindingName make_name(const Binding& binding);
  BindingName property_name(const Binding& binding, const std::string& key) const;
  BindingName chain_name(TextSpan span);
  void add_word(TextSpan word, bool is_first, BindingName& name);
  std::string computed_name(std::string_view text) const;
  std::string described_class(const Binding& binding);

  std::string_view text_;
  const std::vector<Binding>& bindings_;
  const TextPositions* positions_;
  MapNames* map_;
  std::vector<std::uint32_t> made_;  // per binding: its place in names_, or kNoEntry
  std::vector<BindingName> names_;
};

}  // namespace twofold::js
