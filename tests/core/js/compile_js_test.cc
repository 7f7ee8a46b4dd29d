#include "core/js/compile_js.h"

#include <catch2/catch.hpp>
#include <cstdio>
#include <string>

#include "core/tw/dump.h"
#include "core/tw/lookup.h"
#include "core/tw/verify.h"
#include "tests/reference/compare.h"
#include "tests/reference/slow_map.h"
#include "tests/support/corpus.h"
#include "tests/support/random.h"

using namespace twofold;
using twofold::test::Random;

namespace {

std::string compile_and_dump(std::string_view json) {
  js::JsCompiler compiler;
  const PaddedBuffer buffer(json);
  const auto compiled = compiler.compile_js(buffer, {});
  if (!compiled.ok()) return to_string(compiled.error());
  return tw::dump(tw::View::open(compiled.value().tw).value());
}

// "" when the compiled map is valid and answers as the twin does.
std::string compare_with_twin(js::JsCompiler& compiler, const std::string& json) {
  const PaddedBuffer buffer{std::string_view(json)};
  const auto compiled = compiler.compile_js(buffer, {});
  if (!compiled.ok()) return "refused: " + to_string(compiled.error());
  const auto slow = reference::slow_read_map(json);
  if (!slow) return "accepted, but the twin refuses it";
  const auto view = tw::FlatView::open(compiled.value().tw);
  if (!view.ok()) return to_string(view.error());
  if (const Status status = tw::verify(view.value()); !status.ok())
    return to_string(status.error());
  return reference::find_difference(view.value(), *slow);
}

}  // namespace

TEST_CASE("CompileJs.SmallMap") {
  CHECK(compile_and_dump(R"({"version":3,"sourceRoot":"src","sources":["unused.js","a.js",null],)"
                         R"("names":["n"],"mappings":"ACAAA,IACC,C;;AAAA,CCAA"})") ==
        "tw version 1, 5 tokens, 1 files, 0 functions\n"
        "token 1:1 -> src/a.js:1:1\n"
        "token 1:5 -> src/a.js:2:2\n"
        "token 1:6 -> unmapped\n"
        "token 3:1 -> src/a.js:2:2\n"
        "token 3:2 -> -:2:2\n"
        "file 0 src/a.js\n");
}

TEST_CASE("CompileJs.IgnoredFilesFollowTheFileTable") {
  js::JsCompiler compiler;
  const PaddedBuffer map(std::string_view(
      R"({"version":3,"sources":["unused","own.js","lib.js","also.js"],"ignoreList":[0,2],)"
      R"("mappings":"AGAA,CDAA,CDAA","debugId":"d-1"})"));
  const auto compiled = compiler.compile_js(map, {});
  REQUIRE(compiled.ok());
  const auto view = tw::FlatView::open(compiled.value().tw);
  REQUIRE(view.value().files().count() == 3);
  CHECK(view.value().files().find(0) == "also.js");
  CHECK(view.value().files().find(1) == "lib.js");
  CHECK(compiled.value().is_ignored == std::vector<bool>{false, true, false});
  CHECK(compiled.value().debug_id == "d-1");
}

TEST_CASE("CompileJs.ReusedCompilerGivesTheSameBytes") {
  const PaddedBuffer maps[] = {
      PaddedBuffer(std::string_view(
          R"({"version":3,"sources":["b","a"],"mappings":"ACAA,IDAA","ignoreList":[1],"debugId":"x"})")),
      PaddedBuffer(std::string_view(R"({"version":3,"sources":["c"],"mappings":"KAAA,DAAC"})")),
      PaddedBuffer(std::string_view(R"({"version":3,"sources":["a"],"mappings":"A!"})")),
      PaddedBuffer(std::string_view(R"({"version":3,"sources":[],"mappings":""})")),
  };
  js::JsCompiler reused;
  for (int round = 0; round < 3; ++round) {
    for (const PaddedBuffer& map : maps) {
      js::JsCompiler fresh;
      const auto first = fresh.compile_js(map, {});
      const auto second = reused.compile_js(map, {});
      REQUIRE(first.ok() == second.ok());
      if (!first.ok()) continue;
      CHECK(first.value().tw == second.value().tw);
      CHECK(first.value().is_ignored == second.value().is_ignored);
      CHECK(first.value().debug_id == second.value().debug_id);
    }
  }
}

// Index maps of random sections, nested up to three deep, some reaching into the next.
TEST_CASE("CompileJs.EqualsSlowTwinOnGeneratedIndexMaps") {
  Random random(31);
  js::JsCompiler compiler;
  const auto plain = [&] {
    static constexpr const char* kMappings[] = {
        "", "A", "AAAA", "CAAA;EACA", "AAAA,KACA,DACC;;C", "gBAAA;A,CAAC", "AAAAA,SACAA", ";;AACA"};
    return std::string(R"({"version":3,"sources":["s)") + std::to_string(random.below(4)) +
           R"("],"names":["n"],"mappings":")" + kMappings[random.below(8)] + "\"}";
  };
  for (int round = 0; round < 3000; ++round) {
    std::string json = plain();
    for (std::uint32_t depth = random.below(4); depth > 0; --depth) {
      std::string sections;
      std::uint32_t line = random.below(2);
      std::uint32_t column = random.below(4);
      const std::uint32_t count = 1 + random.below(4);
      const std::uint32_t inner = random.below(count);
      for (std::uint32_t i = 0; i < count; ++i) {
        if (i > 0) sections += ',';
        sections += R"({"offset":{"line":)" + std::to_string(line) + R"(,"column":)" +
                    std::to_string(column) + R"(},"map":)" + (i == inner ? json : plain()) + "}";
        const std::uint32_t lines = random.below(3);
        line += lines;
        column = lines == 0 ? column + 1 + random.below(8) : random.below(8);
      }
      json = R"({"version":3,"sections":[)" + sections + "]}";
    }
    INFO(json);
    REQUIRE(compare_with_twin(compiler, json) == "");
  }
}

TEST_CASE("CompileJs.EqualsSlowTwinOnCorpus") {
  const auto corpus = test::find_corpus("CompileJs.EqualsSlowTwinOnCorpus");
  if (!corpus) return;
  js::JsCompiler compiler;
  std::size_t compared = 0;
  for (const auto& path : test::list_maps(*corpus / "A-js")) {
    INFO(path.string());
    const std::string difference = compare_with_twin(compiler, test::read_file(path));
    const bool is_bad_on_purpose =
        path.string().find("tc39-source-map-tests") != std::string::npos &&
        difference.find("refused") == 0;
    if (is_bad_on_purpose) continue;  // tc39_test.cc judges those
    CHECK(difference == "");
    ++compared;
  }
  std::printf("compared %zu maps of the corpus with the slow twin\n", compared);
  CHECK(compared > 100);
}
