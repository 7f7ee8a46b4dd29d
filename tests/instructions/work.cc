// One piece of work, over and over, for a tool that counts instructions.
//
//   work MAP SCRIPT build|build_named|blocks|lookup|lookup_blocks TIMES
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>

#include "core/js/compile_js.h"
#include "core/tw/block_builder.h"
#include "core/tw/view.h"

namespace {

using namespace twofold;

std::string read_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Positions all over the bundle's longest line; the sum keeps the lookups from being left out.
std::uint64_t look_up(const std::vector<std::uint8_t>& bytes, std::size_t columns, long times) {
  const auto view = tw::View::open(bytes);
  if (!view) return 0;
  std::mt19937 random(1);
  std::uint64_t sum = 0;
  for (long i = 0; i < times; ++i) {
    const Utf16Column column(static_cast<std::uint32_t>(random() % columns));
    const auto found = view.value().find({Line(0), column});
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
  if (what == "lookup" || what == "lookup_blocks" || what == "blocks") {
    const auto compiled = compiler.compile_js(map, {.script = script});
    if (!compiled) return 1;
    const auto flat = tw::FlatView::open(compiled.value().tw);
    tw::BlockBuilder builder;
    auto blocks = builder.build(flat.value(), {});
    for (long i = 0; what == "blocks" && i < times; ++i) blocks = builder.build(flat.value(), {});
    if (!blocks || what == "blocks") return blocks ? 0 : 1;
    const auto& bytes = what == "lookup" ? compiled.value().tw : blocks.value();
    return look_up(bytes, script.size(), times) != 0 ? 0 : 1;
  }
  const std::string_view used_script = what == "build_named" ? std::string_view(script) : "";
  for (long i = 0; i < times; ++i) {
    if (!compiler.compile_js(map, {.script = used_script})) return 1;
  }
  return 0;
}
