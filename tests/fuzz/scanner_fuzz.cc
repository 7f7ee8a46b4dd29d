// Any bytes as JavaScript: no crash, and what the scanner promises of its table holds.
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "core/js/scopes.h"
#include "core/js/source_mapping_url.h"
#include "core/js/text_positions.h"

namespace {

using namespace twofold::js;

void require(bool holds) {
  if (!holds) std::abort();
}

void check(const FunctionScopes& found, std::string_view text) {
  const std::vector<ScopeChange> changes = list_changes(found);
  for (std::uint32_t i = 0; i < found.scopes.size(); ++i) {
    const Scope& scope = found.scopes[i];
    require(scope.begin < scope.end && scope.end <= text.size());
    require(scope.name.begin <= scope.name.end && scope.name.end <= text.size());
    // Only a field's initializer may begin where what it holds begins.
    const bool shares_begin =
        i + 1 < found.scopes.size() && found.scopes[i + 1].begin == scope.begin;
    require(!shares_begin || scope.kind == ScopeKind::kFieldInitializer);
    require(i == 0 || found.scopes[i - 1].begin <= scope.begin);
    require(scope.binding == kNoEntry || scope.binding < found.bindings.size());
    require(shares_begin || find_innermost(changes, scope.begin) == i);
    if (scope.parent == kNoEntry) continue;
    const Scope& parent = found.scopes[scope.parent];
    require(scope.parent < i && parent.begin <= scope.begin && scope.end <= parent.end);
  }
  for (std::uint32_t i = 0; i < found.bindings.size(); ++i) {
    const Binding& binding = found.bindings[i];
    require(binding.parent == kNoEntry || binding.parent < i);
    require(binding.text.begin <= binding.text.end && binding.text.end <= text.size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<char> exact(data, data + size);
  const std::string_view text(exact.data(), exact.size());
  const FunctionScopes found = find_functions(text);
  check(found, text);
  (void)find_bundle_comments(text);
  const TextPositions positions(text);
  for (const Scope& scope : found.scopes) {
    require(positions.position(scope.begin) <= positions.position(scope.end));
  }
  return 0;
}
