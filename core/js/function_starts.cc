#include "core/js/function_starts.h"

namespace twofold::js {
namespace {

void add(Position at, std::uint32_t scope, std::vector<FunctionStart>& starts) {
  if (!starts.empty() && starts.back().at == at) {
    starts.back().scope = scope;
  } else {
    starts.push_back({at, scope});
  }
}

}  // namespace

std::vector<FunctionStart> list_function_starts(const FunctionScopes& functions,
                                                const TextPositions& positions) {
  const auto& scopes = functions.scopes;
  std::vector<FunctionStart> starts;
  starts.reserve(2 * scopes.size() + 1);
  starts.push_back({});
  std::uint32_t open = kNoEntry;  // the innermost scope that holds the current place
  const auto close_until = [&](std::uint32_t offset) {
    while (open != kNoEntry && scopes[open].end <= offset) {
      const Position end = positions.position(scopes[open].end);
      open = scopes[open].parent;
      add(end, open, starts);
    }
  };
  for (std::uint32_t scope = 0; scope < scopes.size(); ++scope) {
    close_until(scopes[scope].begin);
    open = scope;
    add(positions.position(scopes[scope].begin), open, starts);
  }
  close_until(~std::uint32_t{0});
  return starts;
}

}  // namespace twofold::js
