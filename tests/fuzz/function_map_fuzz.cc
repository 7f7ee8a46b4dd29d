// Any bytes as what Metro writes: entries of a function map, the list of function maps, segments of
// a map, an indexed RAM bundle. A function map answers as a walk over all of its entries does.
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "core/js/bundle_module.h"
#include "core/js/function_map.h"
#include "core/js/metro_json.h"
#include "core/js/ram_bundle.h"

using namespace twofold;
using namespace twofold::js;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void check_mappings(std::string_view mappings) {
  StringList names;
  for (const char* name : {"<global>", "a", "b", ""}) names.add(name);
  FunctionMaps maps;
  const bool is_sound = maps.add(1, names, mappings);
  require(maps.names().size() == (is_sound ? names.size() : 0));
  require(!maps.find(0, {}) && !maps.find(2, {}));
  // What is found at one place holds up to the next one, and never ends again.
  bool was_found = false;
  for (std::uint32_t line = 0; line < 8; ++line) {
    for (std::uint32_t column = 0; column < 8; ++column) {
      const auto found = maps.find(1, {Line(line), Utf16Column(column)});
      require(!found || *found < maps.names().size());
      require(found || !was_found);
      was_found = found.has_value();
    }
  }
  require(is_sound || !was_found);
}

void check_json(PaddedView json) {
  constexpr SourceRange kSources{2, 3};
  FunctionMaps maps;
  read_function_maps(json, kSources, maps);
  const Position far{Line(0x7FFFFFFF), Utf16Column(0)};
  for (std::uint32_t source = 0; source < 8; ++source) {
    const bool is_ours = source >= kSources.first && source < kSources.first + kSources.count;
    require(is_ours || !maps.find(source, far));
  }
  for (const BundleSegment& segment : read_segments(json)) {
    require(segment.map.data() >= json.text().data());
    require(segment.map.data() + segment.map.size() <= json.text().data() + json.text().size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const PaddedBuffer buffer(ByteView(data, size));
  check_mappings(buffer.text());
  check_json(buffer);
  (void)parse_module_name(buffer.text());
  const auto bundle = read_ram_bundle(buffer.bytes());
  if (bundle.ok()) require(bundle.value().startup_code.size() <= size);
  return 0;
}
