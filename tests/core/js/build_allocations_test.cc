// What a build with names allocates: little the first time, nothing but its answer when the
// compiler has seen such a map before. Counted, not believed.
#include <catch2/catch.hpp>
#include <string>

#include "core/js/compile_js.h"
#include "tests/support/allocations.h"
#include "tests/support/corpus.h"

using namespace twofold;
using namespace twofold::test;

namespace {

// The .tw and the flag of each of its files: what is returned cannot be kept.
constexpr std::size_t kReturned = 2;

std::size_t count_allocations(js::JsCompiler& compiler, const PaddedBuffer& map,
                              std::string_view script) {
  const std::size_t before = allocation_count();
  bool is_ok = false;
  {
    const auto compiled = compiler.compile_js(map, {.script = script});
    is_ok = compiled.ok();
  }
  const std::size_t count = allocation_count() - before;
  REQUIRE(is_ok);
  return count;
}

void check(const PaddedBuffer& map, std::string_view script) {
  js::JsCompiler compiler;
  CHECK(count_allocations(compiler, map, script) <= 64);
  // The reader and the map swap their lists of names, so both have grown after two.
  (void)count_allocations(compiler, map, script);
  (void)count_allocations(compiler, map, script);
  CHECK(count_allocations(compiler, map, script) == kReturned);
}

}  // namespace

// Two sources, one of them TypeScript, which is not read; names by the map and by the source text.
TEST_CASE("CompileJs.ReusedAllocatesNothingButItsAnswer") {
  const PaddedBuffer map(std::string_view(
      R"({"version":3,"sources":["a.js","b.ts"],"names":["first","Second","third"],)"
      R"("mappings":"AAAA,SAASA,EAAMC,GAAIC,UCAA,WAAO",)"
      R"("sourcesContent":["function first(Second) {\n\tthird(() => Second);\n}\n",)"
      R"("const f = (x: string) => {\n\tthrow x;\n}"]})"));
  check(map, "function a(b){c(()=>b)};var d=function(){throw{e(){}}}");
}

TEST_CASE("CompileJs.ReusedForPreactAllocatesNothingButItsAnswer") {
  const auto corpus = find_corpus("build_allocations_test");
  if (!corpus) return;
  const auto folder = *corpus / "A-js/symbolic";
  const PaddedBuffer map{std::string_view(read_file(folder / "preact.module.js.map"))};
  check(map, read_file(folder / "preact.module.js"));
}
