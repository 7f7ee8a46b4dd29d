// The names of functions, as the engine would print them had the original program run.
//
// A name is inferred from the text (a function's own name, its key, or what it is assigned to); if
// that text is a bundle, its identifiers are taken back through the map. NAMES.md gives the rules.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/string_list.h"
#include "core/js/binding_names.h"
#include "core/js/map_names.h"
#include "core/js/scopes.h"
#include "core/js/text_positions.h"

namespace twofold::js {

struct NameInputs {
  std::string_view text;
  const FunctionScopes* scopes = nullptr;  // of the text
  // Of a bundle. Both null: the text is the original, and every identifier its own name.
  const TextPositions* positions = nullptr;
  MapNames* map = nullptr;
};

// Keeps its memory for the next text. Not thread-safe.
class NameInferrer {
 public:
  // Appends the names to `names`; `of_scope` becomes, per scope, the index of its name, kNoEntry
  // for a function without one. At top level there is no scope, hence no name. What `inputs` refers
  // to must stay until the last question.
  //
  // Linear in text and scopes, time and memory: no name is longer than kMaxNameBytes and a word
  // before it, and once all names together pass eight times the text, further ones go without their
  // owners.
  void infer(const NameInputs& inputs, StringList& names, std::vector<std::uint32_t>& of_scope);

  // Of a function value of the last text that has a name of its own: what it would be called
  // without, by where it goes. "" for others. Valid until the next call.
  [[nodiscard]] std::string_view assigned_name(std::uint32_t scope);

 private:
  std::uint32_t add(std::string_view name, StringList& names);
  void append_own_name(const Scope& scope);
  void append_value_name(const Scope& scope);
  void append_member_name(const Scope& scope);
  void append_function_name(const Scope& scope);
  void append_with_owner(const Scope& scope, const BindingName& name);
  std::string_view class_around(const Scope& scope) const;
  std::string_view owner_of_this(const Scope& scope) const;

  NameInputs inputs_;
  BindingNames bindings_;
  std::string name_;                   // the name that is being made
  StringList class_names_;             // of classes, and of functions that are one
  std::vector<std::uint32_t> owners_;  // per scope: the entry of the class at or around it
  // Bytes that names may still take. Ten million methods of an object with a long name would repeat
  // that name ten million times; eight times the text is far more than real code needs.
  std::size_t budget_bytes_ = 0;
};

// The names of one text: per scope its name, "" for a function without one.
struct ScopeNames {
  StringList names;
  std::vector<std::uint32_t> of_scope;
  [[nodiscard]] std::string_view operator[](std::uint32_t scope) const {
    return of_scope[scope] == kNoEntry ? std::string_view() : names[of_scope[scope]];
  }
};
[[nodiscard]] ScopeNames infer_names(const NameInputs& inputs);

}  // namespace twofold::js
