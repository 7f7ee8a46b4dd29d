#include "core/js/scopes.h"

#include <algorithm>

#include "core/js/scope_scanner.h"

namespace twofold::js {

std::uint32_t FunctionScopes::find_innermost(std::uint32_t offset) const {
  const auto behind =
      std::upper_bound(scopes.begin(), scopes.end(), offset,
                       [](std::uint32_t at, const Scope& scope) { return at < scope.begin; });
  if (behind == scopes.begin()) return kNoEntry;
  auto index = static_cast<std::uint32_t>(behind - scopes.begin() - 1);
  while (index != kNoEntry && scopes[index].end <= offset) index = scopes[index].parent;
  return index;
}

FunctionScopes find_functions(std::string_view bundle) {
  FunctionScopes scopes;
  ScopeScanner().scan(bundle, scopes);
  return scopes;
}

}  // namespace twofold::js
