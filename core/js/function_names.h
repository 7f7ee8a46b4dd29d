// Which function each piece of a bundle belongs to: the map's segments, each with the name of its
// function, and segments of our own where a function begins or ends between two of them.
//
// Two readings are joined. The bundle's own functions and what the map says of their names are
// always there. Where the map carries the source text and that is plain JavaScript, the function
// around the original place is read from there; it knows the functions that a minifier has inlined,
// renamed or stripped of their names. NAMES.md says which one counts when.
//
// Does not know what engines printed at run time: aliases and receivers are the caller's business.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/string_list.h"
#include "core/js/scopes.h"
#include "core/js/source_map.h"

namespace twofold::js {

// What the bundle's innermost function is, whatever the original was.
enum class ScopeNature : std::uint8_t { kGlobal, kAnonymous, kNamed };

struct FunctionToken {
  Position generated;
  std::uint32_t segment = kNoIndex;  // of the map: what is at this place; kNoIndex: nothing
  std::uint32_t name = kNoIndex;     // of FunctionNames::names; kNoIndex: top level or anonymous
  ScopeNature nature = ScopeNature::kGlobal;
};

// Tokens are sorted by generated place. Every segment has one; those of one place keep their order.
struct FunctionNames {
  StringList names;  // without duplicates in a row only
  std::vector<FunctionToken> tokens;
};

struct FunctionNamesInputs {
  std::string_view bundle;
  const FunctionScopes& scopes;  // of the bundle
  const SourceMap& map;
  // The text of each source, empty where unknown; may be shorter than the list of sources, or
  // empty.
  std::span<const std::string_view> contents;
};

// About the time of reading the bundle and every source text once.
[[nodiscard]] FunctionNames name_functions(const FunctionNamesInputs& inputs);

}  // namespace twofold::js
