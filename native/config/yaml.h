// YAML text as a plain tree with line numbers. The one place where yaml-cpp and its exceptions are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace twofold::config {

struct YamlNode {
  enum class Kind : std::uint8_t { kNull, kScalar, kList, kMap };
  Kind kind = Kind::kNull;
  std::uint32_t line = 0;  // 1-based
  std::string scalar;      // as written, quotes and escapes resolved
  std::vector<YamlNode> items;
  std::vector<std::pair<std::string, YamlNode>> fields;  // in order, each key once
};

// One document; an empty one is kNull. Errors: kUsage with `line N: ` in the detail and the offset
// of nothing, for text that is no YAML, keys that are no plain text or come twice, and trees of
// more than 100,000 nodes (aliases can make those from a few lines).
[[nodiscard]] Result<YamlNode> parse_yaml(std::string_view text);

// `line 7: what`, as every error about a YAML text begins.
[[nodiscard]] Error at_line(std::uint32_t line, std::string_view what);

}  // namespace twofold::config
