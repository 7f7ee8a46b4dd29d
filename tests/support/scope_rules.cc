#include "tests/support/scope_rules.h"

namespace twofold::test {
namespace {

using namespace js;

const char* broken_rule_of(const FunctionScopes& found, std::string_view text,
                           const std::vector<ScopeChange>& changes, std::uint32_t i) {
  const Scope& scope = found.scopes[i];
  if (scope.begin >= scope.end || scope.end > text.size()) return "no range of the text";
  if (scope.name.begin > scope.name.end || scope.name.end > text.size()) return "its name's range";
  // Only a field's initializer may begin where what it holds begins.
  const bool shares_begin = i + 1 < found.scopes.size() && found.scopes[i + 1].begin == scope.begin;
  if (shares_begin && scope.kind != ScopeKind::kFieldInitializer) return "two begin there";
  if (i != 0 && found.scopes[i - 1].begin > scope.begin) return "not in order";
  if (scope.binding != kNoEntry && scope.binding >= found.bindings.size()) return "its binding";
  if (!shares_begin && find_innermost(changes, scope.begin) != i) return "not found at its begin";
  if (scope.parent == kNoEntry) return nullptr;
  const Scope& parent = found.scopes[scope.parent];
  const bool is_inside = parent.begin <= scope.begin && scope.end <= parent.end;
  return scope.parent < i && is_inside ? nullptr : "not inside its parent";
}

}  // namespace

std::string find_broken_rule(const FunctionScopes& found, std::string_view text) {
  const std::vector<ScopeChange> changes = list_changes(found);
  for (std::uint32_t i = 0; i < found.scopes.size(); ++i) {
    if (const char* const rule = broken_rule_of(found, text, changes, i)) {
      return "scope " + std::to_string(i) + ": " + rule;
    }
  }
  for (std::uint32_t i = 0; i < found.bindings.size(); ++i) {
    const Binding& binding = found.bindings[i];
    const bool is_good = (binding.parent == kNoEntry || binding.parent < i) &&
                         binding.text.begin <= binding.text.end && binding.text.end <= text.size();
    if (!is_good) return "binding " + std::to_string(i);
  }
  return {};
}

}  // namespace twofold::test
