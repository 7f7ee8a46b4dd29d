// Building a .tw with the names of functions, from map and script: with the source texts that the
// map carries and without them, next to simdjson's tree (DOM) of the same map in the same run.
// bench/README.md has the figures.
//
//   build/release/bench/build_bench [MAP SCRIPT ...]     pairs in place of the corpus's
#include <simdjson.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/measure.h"
#include "core/js/compile_js.h"
#include "tests/support/allocations.h"
#include "tests/support/corpus.h"

namespace {

using namespace twofold;
using bench::keep;
using bench::measure;
using bench::Timing;

struct Pair {
  std::string name;
  std::filesystem::path map;
  std::filesystem::path script;
};

std::vector<Pair> corpus_pairs(const std::filesystem::path& corpus) {
  const auto npm = corpus / "A-js/npm/public";
  const auto preact = corpus / "A-js/symbolic/preact.module.js";
  const auto chart = npm / "chart.js@4.4.5/chart.umd.js";
  const auto antd = npm / "antd@5.21.6/antd.min.js";
  const auto mermaid = npm / "mermaid@11.4.0/mermaid.min.js";
  return {{"preact", preact.string() + ".map", preact},
          {"chart.js", chart.string() + ".map", chart},
          {"antd", antd.string() + ".map.gz", antd.string() + ".gz"},
          {"mermaid", mermaid.string() + ".map.gz", mermaid.string() + ".gz"}};
}

// The same map as if it had no source texts: the key becomes one that nobody knows.
std::string without_source_texts(std::string map) {
  constexpr std::string_view kKey = "\"sourcesContent\"";
  for (std::size_t at = map.find(kKey); at != map.npos; at = map.find(kKey, at)) map[at + 1] = 'S';
  return map;
}

void bench_build(const char* what, const PaddedBuffer& map, std::string_view script,
                 const Timing& dom) {
  const js::CompileJsOptions options{.script = script};
  const auto build = [&](js::JsCompiler& compiler) { keep(compiler.compile_js(map, options)); };
  const auto count_allocations = [&](js::JsCompiler& compiler) {
    const std::size_t before = test::allocation_count();
    build(compiler);
    return test::allocation_count() - before;
  };
  js::JsCompiler compiler;
  const std::size_t first = count_allocations(compiler);
  const Timing warm = measure(1, [&] { build(compiler); });
  const std::size_t reused = count_allocations(compiler);
  const Timing fresh = measure(1, [&] {
    js::JsCompiler once;
    build(once);
  });
  const double rate = static_cast<double>(map.size_bytes()) / warm.best_ns * 1e3;
  std::printf("  %-22s %9.1f %9.1f %9.1f %9.0f %9.2f %9zu %6zu\n", what, warm.best_ns / 1e3,
              warm.median_ns / 1e3, fresh.best_ns / 1e3, rate, warm.best_ns / dom.best_ns, first,
              reused);
}

void bench_pair(const Pair& pair) {
  const std::string text = test::read_file(pair.map);
  const std::string script = test::read_file(pair.script);
  const PaddedBuffer map{std::string_view(text)};
  const PaddedBuffer bare{std::string_view(without_source_texts(text))};
  simdjson::dom::parser parser;
  const Timing dom = measure(1, [&] {
    const auto* const bytes = reinterpret_cast<const char*>(map.bytes().data());
    keep(parser.parse(bytes, map.size_bytes(), false).error());
  });
  std::printf("%s: map %.0f KB, script %.0f KB; DOM %.1f us\n", pair.name.c_str(),
              static_cast<double>(map.size_bytes()) / 1e3, static_cast<double>(script.size()) / 1e3,
              dom.best_ns / 1e3);
  bench_build("with source texts", map, script, dom);
  bench_build("without", bare, script, dom);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<Pair> pairs;
  for (int i = 1; i + 1 < argc; i += 2) {
    pairs.push_back({std::filesystem::path(argv[i]).filename().string(), argv[i], argv[i + 1]});
  }
  if (pairs.empty()) {
    const auto corpus = test::find_corpus("build_bench");
    if (!corpus) return 1;
    pairs = corpus_pairs(*corpus);
  }
  std::printf("%-24s %9s %9s %9s %9s %9s %16s\n", "with names, us", "best", "median", "new",
              "MB/s map", "x DOM", "allocs new/again");
  for (const Pair& pair : pairs) bench_pair(pair);
  return 0;
}
