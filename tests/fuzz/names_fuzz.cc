// Any bytes as bundle, source text and map of it: no crash, and what name_functions promises holds.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "core/js/binding_names.h"
#include "core/js/function_names.h"

namespace {

using namespace twofold;
using namespace twofold::js;

void require(bool holds) {
  if (!holds) std::abort();
}

// A map whose segments the bytes choose: three bytes each, generated step, original line and
// column.
SourceMap make_map(std::string_view bytes) {
  SourceMap map;
  map.sources.add("a.js");
  map.sources.add("");
  map.is_ignored = {false, false};
  map.names.add("name");
  map.names.add("this");
  map.names.add("a$1");
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  for (std::size_t i = 0; i + 3 <= bytes.size(); i += 3) {
    const auto byte = [&](std::size_t at) {
      return std::uint32_t{static_cast<std::uint8_t>(bytes[i + at])};
    };
    if (byte(0) >= 250) {
      ++line;
      column = 0;
    } else {
      column += byte(0) % 16;
    }
    Segment segment;
    segment.generated = {Line(line), Utf16Column(column)};
    segment.source = byte(1) % 8 == 7 ? kNoIndex : byte(1) % 8 == 6 ? 1 : 0;
    segment.original = {Line(byte(1) % 5), Utf16Column(byte(2) % 64)};
    segment.name = byte(2) % 5 < 3 ? byte(2) % 5 : kNoIndex;
    map.segments.push_back(segment);
  }
  return map;
}

}  // namespace

// The first byte says how much of the rest is the map; the other parts are bundle and source text.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::vector<char> exact(data + 1, data + size);
  const std::string_view all(exact.data(), exact.size());
  const std::size_t map_size = all.size() * data[0] / 512;
  const SourceMap map = make_map(all.substr(0, map_size));
  const std::string_view bundle = all.substr(map_size);
  const std::string_view contents[] = {bundle.substr(bundle.size() / 2)};
  const FunctionScopes scopes = find_functions(bundle);
  SourceTexts texts(contents);
  const FunctionNames found = name_functions({bundle, scopes, map, texts});
  std::uint32_t next_segment = 0;
  for (std::size_t i = 0; i < found.tokens.size(); ++i) {
    const FunctionToken& token = found.tokens[i];
    require(i == 0 || found.tokens[i - 1].generated <= token.generated);
    require(token.segment < map.segments.size());
    if (token.segment == next_segment && token.generated == map.segments[next_segment].generated) {
      ++next_segment;
    }
    if (token.name == kNoIndex) continue;
    require(token.name < found.names.size());
    require(!found.names[token.name].empty());
    require(found.names[token.name].size() <= kMaxNameBytes + 8);
  }
  require(next_segment == map.segments.size());
  return 0;
}
