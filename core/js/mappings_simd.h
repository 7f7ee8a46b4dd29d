// The fast way through `mappings`: a whole segment in a handful of 16-byte instructions, without
// branches that depend on the text. What it does not understand it leaves to the plain decoder in
// mappings.cc.
//
// Why: the lengths of numbers are close to random, so a decoder that asks digit by digit "was this
// the last one?" mispredicts two or three branches per segment: 20 ns of its 25 (bench/README.md).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/js/mappings.h"
#include "core/js/source_map.h"

namespace twofold::js {

// What the fields of the next segment are relative to, and the line it is on.
struct MappingsState {
  std::int64_t column = 0;
  std::int64_t source = 0;
  std::int64_t original_line = 0;
  std::int64_t original_column = 0;
  std::int64_t name = 0;
  std::uint32_t line = 0;
  bool is_sorted = true;  // no column went back within its line so far
};

// Decodes segments from the offset `from` on, which is where a segment or a line begins, appends
// them and keeps `state` up to date. Returns the offset, again the start of a segment or line, of
// the first thing it does not handle: the last 16 bytes, a segment of more than 9 characters, a
// number of more than 4 digits, and everything that is or may be an error. Never reports one: the
// plain decoder comes next.
//
// Does nothing where SSE4.1 is missing (WebAssembly has it through Emscripten).
[[nodiscard]] std::size_t decode_mappings_simd(std::string_view mappings, std::size_t from,
                                               const MappingBounds& bounds, MappingsState& state,
                                               std::vector<Segment>& segments);

}  // namespace twofold::js
