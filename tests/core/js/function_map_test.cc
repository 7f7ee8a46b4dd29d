#include "core/js/function_map.h"

#include <catch2/catch.hpp>
#include <string>

#include "core/js/bundle_module.h"
#include "core/js/compile_js.h"
#include "core/js/metro_json.h"
#include "core/tw/dump.h"

using namespace twofold;
using namespace twofold::js;

namespace {

constexpr std::uint32_t kSource = 0;

StringList list(std::initializer_list<std::string_view> texts) {
  StringList names;
  for (const std::string_view text : texts) names.add(text);
  return names;
}

// The function around a place as in the map (line from 1, column from 0); "-": none.
std::string function_at(const FunctionMaps& maps, std::uint32_t source, std::uint32_t line,
                        std::uint32_t column) {
  const auto name = maps.find(source, {Line(line - 1), Utf16Column(column)});
  return name ? std::string(maps.names()[*name]) : "-";
}

std::string dump_functions(std::string_view json, std::string_view script = {}) {
  JsCompiler compiler;
  const PaddedBuffer buffer(json);
  const auto compiled = compiler.compile_js(buffer, {.script = script});
  if (!compiled.ok()) return to_string(compiled.error());
  return tw::dump(tw::View::open(compiled.value().tw).value());
}

}  // namespace

TEST_CASE("FunctionMap.LastEntryAtOrBeforeThePlaceCounts") {
  FunctionMaps maps;
  REQUIRE(maps.add(kSource, list({"<global>", "f", "g"}), "AAA;aCC,KCA,ED;CDE"));
  struct Row {
    std::uint32_t line, column;
    const char* function;
  };
  const Row rows[] = {
      {1, 0, "<global>"}, {1, 999, "<global>"}, {2, 12, "<global>"}, {2, 13, "f"},
      {2, 17, "f"},       {2, 18, "g"},         {2, 19, "g"},        {2, 20, "f"},
      {3, 0, "f"},        {4, 0, "f"},          {4, 1, "<global>"},  {99, 0, "<global>"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.line, row.column);
    CHECK(function_at(maps, kSource, row.line, row.column) == row.function);
  }
}

TEST_CASE("FunctionMap.BeforeTheFirstEntryNothingIsKnown") {
  FunctionMaps maps;
  REQUIRE(maps.add(kSource, list({"f"}), "KAC"));
  CHECK(function_at(maps, kSource, 1, 9) == "-");
  CHECK(function_at(maps, kSource, 2, 4) == "-");
  CHECK(function_at(maps, kSource, 2, 5) == "f");
}

TEST_CASE("FunctionMap.SourcesWithoutOneHaveNoAnswer") {
  FunctionMaps maps;
  REQUIRE(maps.add(2, list({"two"}), "AAA"));
  REQUIRE(maps.add(5, list({"five"}), "AAA"));
  const char* const expected[] = {"-", "-", "two", "-", "-", "five", "-"};
  for (std::uint32_t source = 0; source < 7; ++source) {
    CHECK(function_at(maps, source, 1, 0) == expected[source]);
  }
}

TEST_CASE("FunctionMap.UnsortedEntriesAreSorted") {
  FunctionMaps maps;
  REQUIRE(maps.add(kSource, list({"late", "early"}), "AAE;ACD"));
  CHECK(function_at(maps, kSource, 2, 0) == "early");
  CHECK(function_at(maps, kSource, 3, 0) == "late");
}

TEST_CASE("FunctionMap.DamageCostsTheNamesOfItsSourceOnly") {
  struct Row {
    const char* why;
    std::string mappings;
  };
  const std::string huge = "+/////D";  // 2^31 - 1
  const Row rows[] = {
      {"one number", "A"},
      {"a name before the first", "ADA"},
      {"a name behind the last", "ACA"},
      {"a line before the first", "AAD"},
      {"a column before the first", "DAA"},
      {"columns that sum up beyond 31 bits", huge + "AA," + huge + "AA"},
      {"lines that sum up beyond 31 bits", "AA" + huge + ";AA" + huge},
      {"a number beyond 32 bits", "///////DAA"},
      {"the smallest number", "BAA"},
      {"cut inside a number", "AAA;Ag"},
      {"not base64", "AAA;A!A"},
      {"bytes above ASCII", "AAA;\xC3\xA4"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.why);
    FunctionMaps maps;
    REQUIRE(maps.add(0, list({"before"}), "AAA"));
    CHECK_FALSE(maps.add(1, list({"f"}), row.mappings));
    REQUIRE(maps.add(2, list({"after"}), "AAA"));
    CHECK(function_at(maps, 0, 1, 0) == "before");
    CHECK(function_at(maps, 1, 1, 0) == "-");
    CHECK(function_at(maps, 2, 1, 0) == "after");
  }
}

TEST_CASE("FunctionMap.EmptyGroupsAndFurtherNumbersAreSteppedOver") {
  FunctionMaps maps;
  REQUIRE(maps.add(kSource, list({"f", "g"}), ";;,AAAAAA,;;CCC,;"));
  CHECK(function_at(maps, kSource, 1, 0) == "f");
  CHECK(function_at(maps, kSource, 2, 1) == "g");
  REQUIRE(maps.add(kSource + 1, list({}), ""));
  CHECK(function_at(maps, kSource + 1, 1, 0) == "-");
}

TEST_CASE("FunctionMap.AMillionEntries") {
  constexpr std::uint32_t kCount = 1'000'000;
  std::string mappings = "AAA";
  for (std::uint32_t i = 1; i < kCount; ++i) mappings += i % 2 == 1 ? ";ACC" : ";ADC";
  FunctionMaps maps;
  REQUIRE(maps.add(kSource, list({"even", "odd"}), mappings));
  CHECK(function_at(maps, kSource, 1, 0) == "even");
  CHECK(function_at(maps, kSource, kCount, 7) == "odd");
}

TEST_CASE("MetroJson.FunctionMapsOfAnyShapeNeverFailTheOthers") {
  const std::string_view lists[] = {
      R"([[{"names":["f"],"mappings":"AAA"}],null,[{"mappings":"AAA","names":["g"]}]])",
      R"([[{"names":["f"],"mappings":"AAA"},7],[null],[{"mappings":"AAA","names":["g"]},null]])",
      R"([[{"names":["f"],"mappings":"AAA","x":{"y":[1]}}],[],[{"names":["g"],"mappings":"AAA"}]])",
      R"([[{"names":["f"],"mappings":"AAA"}],[{"names":[1],"mappings":"AAA"}],[{"names":["g"],"mappings":"AAA"}]])",
      R"([[{"names":["f"],"mappings":"AAA"}],[{"names":["x"],"mappings":{}}],[{"names":["g"],"mappings":"AAA"}]])",
      R"([[{"names":["f"],"mappings":"AAA"}],[{"names":["x"]}],[{"names":["g"],"mappings":"AAA"}]])",
      R"([[{"names":["f"],"mappings":"AAA"}],"x",[{"names":["g"],"mappings":"AAA"}],[{"names":["too many"],"mappings":"AAA"}]])",
  };
  for (const std::string_view json : lists) {
    CAPTURE(json);
    FunctionMaps maps;
    const PaddedBuffer buffer(json);
    read_function_maps(buffer, {.first = 0, .count = 3}, maps);
    CHECK(function_at(maps, 0, 1, 0) == "f");
    CHECK(function_at(maps, 1, 1, 0) == "-");
    CHECK(function_at(maps, 2, 1, 0) == "g");
    CHECK(function_at(maps, 3, 1, 0) == "-");
  }
}

TEST_CASE("MetroJson.WhatIsNoListOfFunctionMapsIsNone") {
  for (const std::string_view json : {"null", "{}", "7", "[", "[[{", R"([[{"names":["f"])", ""}) {
    CAPTURE(json);
    FunctionMaps maps;
    const PaddedBuffer buffer(json);
    read_function_maps(buffer, {.first = 0, .count = 3}, maps);
    CHECK(maps.empty());
  }
}

// Generated 1:1 is in f, 1:6 at top level, 1:11 in a source without a function map.
TEST_CASE("CompileJs.FunctionMapsNameTheTokensOfTheirSource") {
  CHECK(
      dump_functions(
          R"({"version":3,"sources":["a.js","b.js"],"mappings":"AACA,KACA,KCAA",)"
          R"("x_facebook_sources":[[{"names":["<global>","f"],"mappings":"AAA;ACC;ADC"}],null]})") ==
      "tw version 1, 3 tokens, 2 files, 2 functions\n"
      "token 1:1 -> a.js:2:1 fn=f\n"
      "token 1:6 -> a.js:3:1 fn=<global>\n"
      "token 1:11 -> b.js:3:1\n"
      "file 0 a.js\n"
      "file 1 b.js\n"
      "function 0 f\n"
      "function 1 <global>\n");
}

TEST_CASE("CompileJs.FunctionMapsOfSectionsBelongToTheirSources") {
  const std::string section =
      R"({"version":3,"sources":["unused",")" + std::string("%") +
      R"("],"mappings":"ACAA","x_facebook_sources":[null,[{"names":["%"],"mappings":"AAA"}]]})";
  const auto named = [&](char name) {
    std::string text = section;
    for (char& c : text) c = c == '%' ? name : c;
    return text;
  };
  CHECK(dump_functions(R"({"version":3,"sections":[{"offset":{"line":0,"column":0},"map":)" +
                       named('f') + R"(},{"offset":{"line":1,"column":0},"map":)" + named('g') +
                       "}]}") ==
        "tw version 1, 2 tokens, 2 files, 2 functions\n"
        "token 1:1 -> f:1:1 fn=f\n"
        "token 2:1 -> g:1:1 fn=g\n"
        "file 0 f\n"
        "file 1 g\n"
        "function 0 f\n"
        "function 1 g\n");
}

TEST_CASE("CompileJs.ABrokenFunctionMapCostsNamesNeverPositions") {
  CHECK(dump_functions(R"({"version":3,"sources":["a.js"],"mappings":"AACA",)"
                       R"("x_facebook_sources":[[{"names":["f"],"mappings":"AAA;Z"}]]})") ==
        "tw version 1, 1 tokens, 1 files, 0 functions\n"
        "token 1:1 -> a.js:2:1\n"
        "file 0 a.js\n");
}

// The function map counts at the segments. Where the bundle enters a function between two of them
// (`function n`), only the bundle knows.
TEST_CASE("CompileJs.FunctionMapsAndScriptTogether") {
  CHECK(dump_functions(
            R"({"version":3,"sources":["a.js"],"names":[],"mappings":"AAAA,KACA",)"
            R"("x_facebook_sources":[[{"names":["<global>","original"],"mappings":"AAA;ACC"}]]})",
            "one();two();function n(){}") ==
        "tw version 1, 4 tokens, 1 files, 3 functions\n"
        "token 1:1 -> a.js:1:1 fn=<global>\n"
        "token 1:6 -> a.js:2:1 fn=original\n"
        "token 1:13 -> a.js:2:1 fn=n\n"
        "token 1:27 -> a.js:2:1 fn=<global>\n"
        "file 0 a.js\n"
        "function 0 <global>\n"
        "function 1 original\n"
        "function 2 n\n");
}

// Offsets of bytecode are no columns of the script that it was compiled from.
TEST_CASE("CompileJs.AMapOfBytecodeTakesNoNamesFromTheScript") {
  const std::string map = R"({"version":3,"sources":["a.js"],"mappings":"A,KACA","debugId":"AA",)"
                          R"("x_hermes_function_offsets":{"0":[0]}})";
  CHECK(dump_functions(map, "one();two();function n(){}") == dump_functions(map));
  CHECK(dump_functions(map, "one();\n//# debugId=bb").find("wrong_build") != std::string::npos);
  JsCompiler compiler;
  const PaddedBuffer buffer{std::string_view(map)};
  CHECK(compiler.compile_js(buffer, {}).value().instruction_starts ==
        std::vector<Position>{{Line(0), Utf16Column(0)}, {Line(0), Utf16Column(5)}});
}

TEST_CASE("BundleModule.NamesOfModulesAndSegments") {
  struct Row {
    const char* name;
    std::string expected;  // segment:module
  };
  const Row rows[] = {
      {"12.js", "0:12"},
      {"0.js", "0:0"},
      {"seg-3.js", "3:-"},
      {"seg-3_5.js", "3:5"},
      {"seg-0_1.js", "0:1"},
      {"12.jsx", "none"},
      {"a12.js", "none"},
      {"12a.js", "none"},
      {"-1.js", "none"},
      {"+1.js", "none"},
      {".js", "none"},
      {"seg-.js", "none"},
      {"seg-3_.js", "none"},
      {"seg-3_5x.js", "none"},
      {"seg-3-5.js", "none"},
      {"4294967295.js", "0:4294967295"},
      {"4294967296.js", "none"},
      {"main.jsbundle", "none"},
      {"", "none"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const auto found = parse_module_name(row.name);
    std::string text = "none";
    if (found) {
      text = std::to_string(found->segment) + ":" +
             (found->module ? std::to_string(*found->module) : "-");
    }
    CHECK(text == row.expected);
  }
}

TEST_CASE("MetroJson.SegmentsAndTheirModules") {
  const PaddedBuffer map(std::string_view(
      ")]}'\n"
      R"({"x_facebook_offsets":[4,null,"x",-1,6],"version":3,)"
      R"("x_facebook_segments":{"1":{"version":3,"x_facebook_offsets":[9]},"20":{"version":3}}})"));
  const std::vector<BundleSegment> segments = read_segments(map);
  REQUIRE(segments.size() == 3);
  CHECK(segments[0].id == 0);
  CHECK(segments[0].map.front() == '{');
  CHECK(segments[0].find_module(0) == Line(4));
  CHECK(segments[0].find_module(4) == Line(6));
  for (const std::uint32_t id : {1u, 2u, 3u, 5u, 0xFFFFFFFFu}) {
    CHECK_FALSE(segments[0].find_module(id));
  }
  CHECK(segments[1].id == 1);
  CHECK(segments[1].map == R"({"version":3,"x_facebook_offsets":[9]})");
  CHECK(segments[1].find_module(0) == Line(9));
  CHECK(segments[2].id == 20);
  CHECK(segments[2].module_lines.empty());
}

TEST_CASE("MetroJson.OtherMapsHaveNoSegments") {
  for (const std::string_view text :
       {R"({"version":3,"mappings":""})", "", "x_facebook_offsets", R"({"x_facebook_segments":)"}) {
    CAPTURE(text);
    const PaddedBuffer map(text);
    for (const BundleSegment& segment : read_segments(map)) {
      CHECK(segment.id == 0);
      CHECK(segment.module_lines.empty());
    }
  }
}
