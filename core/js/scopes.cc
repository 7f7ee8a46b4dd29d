#include "core/js/scopes.h"

#include <algorithm>

#include "core/js/scope_scanner.h"

namespace twofold::js {

std::vector<ScopeChange> list_changes(const FunctionScopes& scopes) {
  std::vector<ScopeChange> changes;
  changes.reserve(scopes.scopes.size() * 2);
  for_each_change(scopes, [&](const ScopeChange& change) { changes.push_back(change); });
  return changes;
}

std::uint32_t find_innermost(std::span<const ScopeChange> changes, std::uint32_t offset) {
  return InnermostScope(changes).find(offset);
}

std::uint32_t InnermostScope::find(std::uint32_t offset) {
  if (offset >= begin_ && offset < end_) return scope_;
  const auto behind = std::upper_bound(
      changes_.begin(), changes_.end(), offset,
      [](std::uint32_t at, const ScopeChange& change) { return at < change.offset; });
  const bool is_before_all = behind == changes_.begin();
  begin_ = is_before_all ? 0 : (behind - 1)->offset;
  end_ = behind == changes_.end() ? kNoEntry : behind->offset;
  scope_ = is_before_all ? kNoEntry : (behind - 1)->scope;
  return scope_;
}

FunctionScopes find_functions(std::string_view bundle) {
  FunctionScopes scopes;
  ScopeScanner().scan(bundle, scopes);
  return scopes;
}

}  // namespace twofold::js
