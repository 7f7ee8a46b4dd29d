#include <catch2/catch.hpp>
#include <string>

#include "core/js/compile_js.h"
#include "core/js/function_of_token.h"
#include "core/tw/lookup.h"

using namespace twofold;

TEST_CASE("CompileJs.SplitsATokenWhereAFunctionBeginsInIt") {
  // One segment for the whole line; the function begins and ends inside it.
  const PaddedBuffer map(
      std::string_view(R"({"version":3,"sources":["a.js"],"names":[],"mappings":"AAAA"})"));
  js::JsCompiler compiler;
  const auto compiled = compiler.compile_js(map, {.script = "x;function go(){y}z;()=>1"});
  REQUIRE(compiled.ok());
  const auto view = tw::FlatView::open(compiled.value().tw);
  REQUIRE(view.ok());
  const auto function_at = [&](std::uint32_t column) {
    const auto location = tw::find_location(view.value(), {Line(0), Utf16Column(column)});
    REQUIRE(location.has_value());
    CHECK(location->line.value() == 1);
    return std::string(location->function.value_or("nothing"));
  };
  CHECK(function_at(0) == js::kTopLevel);
  CHECK(function_at(2) == "go");
  CHECK(function_at(16) == "go");
  CHECK(function_at(18) == js::kTopLevel);
  CHECK(function_at(20) == js::kAnonymousFunction);
}

TEST_CASE("CompileJs.ReadsTheNamesOfTheSourceText") {
  // `run` and, inlined in it, `check`; the map has no names.
  const PaddedBuffer map(std::string_view(
      R"({"version":3,"sources":["a.js"],"names":[],"mappings":"AAAA,eACA",)"
      R"("sourcesContent":["function run(x){check(x)}\nfunction check(x){throw x}"]})"));
  js::JsCompiler compiler;
  const auto compiled = compiler.compile_js(map, {.script = "function r(x){ throw x}"});
  REQUIRE(compiled.ok());
  const auto view = tw::FlatView::open(compiled.value().tw);
  REQUIRE(view.ok());
  const auto function_at = [&](std::uint32_t column) {
    const auto location = tw::find_location(view.value(), {Line(0), Utf16Column(column)});
    return std::string(location && location->function ? *location->function : "nothing");
  };
  CHECK(function_at(0) == "run");
  CHECK(function_at(15) == "check");
}

TEST_CASE("CompileJs.NamesChangeNoPosition") {
  const std::string_view json =
      R"({"version":3,"sources":["a.js"],"names":[],"mappings":"AAAA,GAAE,CAAC,CAAC,KAAI;;EAAA,EACA,C"})";
  const PaddedBuffer map(json);
  js::JsCompiler compiler;
  const auto bare = compiler.compile_js(map, {});
  const auto named =
      compiler.compile_js(map, {.script = "f(()=>{function g(){}})\n\na=>b=>c;class{m(){}}"});
  REQUIRE(bare.ok());
  REQUIRE(named.ok());
  const auto bare_view = tw::FlatView::open(bare.value().tw);
  const auto named_view = tw::FlatView::open(named.value().tw);
  for (std::uint32_t line = 0; line < 4; ++line) {
    for (std::uint32_t column = 0; column < 40; ++column) {
      CAPTURE(line, column);
      const Position at{Line(line), Utf16Column(column)};
      const auto want = tw::find_location(bare_view.value(), at);
      const auto got = tw::find_location(named_view.value(), at);
      REQUIRE(want.has_value() == got.has_value());
      if (!want) continue;
      CHECK(want->line == got->line);
      CHECK(want->column == got->column);
      CHECK(want->file == got->file);
    }
  }
}
