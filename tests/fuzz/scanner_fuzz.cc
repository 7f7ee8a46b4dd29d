// Any bytes as JavaScript: no crash, and what the scanner promises of its table holds.
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "core/js/scopes.h"
#include "core/js/source_mapping_url.h"
#include "core/js/text_positions.h"
#include "tests/support/scope_rules.h"

namespace {

using namespace twofold::js;

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<char> exact(data, data + size);
  const std::string_view text(exact.data(), exact.size());
  const FunctionScopes found = find_functions(text);
  require(twofold::test::find_broken_rule(found, text).empty());
  (void)find_bundle_comments(text);
  const TextPositions positions(text);
  for (const Scope& scope : found.scopes) {
    require(positions.position(scope.begin) <= positions.position(scope.end));
  }
  return 0;
}
