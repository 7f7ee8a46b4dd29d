#include "core/js/called_names.h"

#include <algorithm>

namespace twofold::js {

CalledNames::CalledNames(const SourceMap& map) : names_(map.names) {
  for (const Segment& segment : map.segments) {
    if (segment.name != kNoIndex) entries_.push_back({segment.generated, segment.name});
  }
}

std::optional<std::string_view> CalledNames::find(Position at) const {
  const auto found =
      std::lower_bound(entries_.begin(), entries_.end(), at,
                       [](const Entry& entry, Position wanted) { return entry.at < wanted; });
  if (found == entries_.end() || found->at != at) return std::nullopt;
  const std::string_view name = names_[found->name];
  const bool is_of_the_call = name == "call" || name == "apply" || name == "__webpack_require__";
  if (name.empty() || is_of_the_call) return std::nullopt;
  return name;
}

}  // namespace twofold::js
