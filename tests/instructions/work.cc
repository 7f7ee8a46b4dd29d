// One piece of work, over and over, for a tool that counts instructions.
//
//   work MAP SCRIPT build|build_named|lookup TIMES
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>

#include "core/js/compile_js.h"
#include "core/tw/lookup.h"

namespace {

using namespace twofold;

std::string read_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Positions all over the bundle's longest line; the sum keeps the lookups from being left out.
std::uint64_t look_up(const std::vector<std::uint8_t>& bytes, std::size_t columns, long times) {
  const auto view = tw::FlatView::open(bytes);
  if (!view) return 0;
  std::mt19937 random(1);
  std::uint64_t sum = 0;
  for (long i = 0; i < times; ++i) {
    const Utf16Column column(static_cast<std::uint32_t>(random() % columns));
    const auto found = tw::find_location(view.value(), {Line(0), column});
    if (found) sum += found->line.value() + found->file.value_or("").size();
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const PaddedBuffer map{std::string_view(read_file(argv[1]))};
  const std::string script = read_file(argv[2]);
  const std::string_view what = argv[3];
  const long times = std::atol(argv[4]);

  js::JsCompiler compiler;
  if (what == "lookup") {
    const auto compiled = compiler.compile_js(map, {.script = script});
    return compiled && look_up(compiled.value().tw, script.size(), times) != 0 ? 0 : 1;
  }
  const std::string_view used_script = what == "build_named" ? std::string_view(script) : "";
  for (long i = 0; i < times; ++i) {
    if (!compiler.compile_js(map, {.script = used_script})) return 1;
  }
  return 0;
}
