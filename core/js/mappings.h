// Decodes the `mappings` string of a source map (ECMA-426 §"Mappings grammar").
#pragma once

#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/js/source_map.h"

namespace twofold::js {

// How much a map may deviate. The tolerant form accepts what shipping tools write and every
// consumer reads; core/js/README.md lists each difference and its reason.
enum class Strictness : std::uint8_t { kTolerant, kSpecification };

struct MappingBounds {
  std::uint64_t source_count = 0;
  std::uint64_t name_count = 0;
  Strictness strictness = Strictness::kTolerant;
};

// Appends the segments of `mappings` in the order of the text; generated columns may go back within
// a line, which the caller sorts out (the result says so). Sources and names are checked against
// `bounds`. On an error some segments may have been appended; its offset counts from the start of
// `mappings`. Errors: kBadMapping.
struct DecodedMappings {
  bool is_sorted;
};
[[nodiscard]] Result<DecodedMappings> decode_mappings(std::string_view mappings,
                                                      const MappingBounds& bounds,
                                                      std::vector<Segment>& segments);

}  // namespace twofold::js
