// What is called where: the map's names at the places of calls.
//
// A map without its script does not tell which function a place is in. But the frame below in a
// trace stands at the call, and there the map often has the name of what is called. Exact places
// only: the name before is that of something else.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/string_list.h"
#include "core/js/source_map.h"

namespace twofold::js {

class CalledNames {
 public:
  CalledNames() = default;
  // Copies what it needs of `map`: 12 bytes for each segment with a name, and the names.
  explicit CalledNames(const SourceMap& map);

  [[nodiscard]] bool empty() const { return entries_.empty(); }
  // The name at exactly `at`. No value: there is none, or it names the call and not the function
  // (`f.call()`). O(log names), valid as long as this object.
  [[nodiscard]] std::optional<std::string_view> find(Position at) const;

 private:
  struct Entry {
    Position at;
    std::uint32_t name;
  };
  std::vector<Entry> entries_;  // in order of their places
  StringList names_;
};

}  // namespace twofold::js
