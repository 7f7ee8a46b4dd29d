#include "core/js/function_names.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace twofold;
using namespace twofold::js;

namespace {

// A map of one source, written by hand: generated column on line 0, original line and column, name.
struct Place {
  std::uint32_t generated;
  std::uint32_t line;
  std::uint32_t column;
  std::string name = {};
};
SourceMap make_map(const std::vector<Place>& places) {
  SourceMap map;
  map.sources.add("a.js");
  map.is_ignored.push_back(false);
  for (const Place& place : places) {
    Segment segment;
    segment.generated = {Line(0), Utf16Column(place.generated)};
    segment.source = 0;
    segment.original = {Line(place.line), Utf16Column(place.column)};
    if (!place.name.empty()) {
      segment.name = static_cast<std::uint32_t>(map.names.size());
      map.names.add(place.name);
    }
    map.segments.push_back(segment);
  }
  return map;
}

// `column name` of every token, `nature` where there is no name.
std::vector<std::string> tokens_of(const std::string& bundle, const SourceMap& map,
                                   std::string_view contents = {}) {
  const std::string_view plain[] = {contents};
  SourceTexts texts(plain);
  const FunctionScopes scopes = find_functions(bundle);
  const FunctionNames found = name_functions({bundle, scopes, map, texts});
  std::vector<std::string> tokens;
  for (const FunctionToken& token : found.tokens) {
    const char* const natures[] = {"global", "anonymous", "named"};
    tokens.push_back(std::to_string(token.generated.column.value()) + " " +
                     (token.name == kNoIndex ? std::string(natures[static_cast<int>(token.nature)])
                                             : "'" + std::string(found.names[token.name]) + "'"));
  }
  return tokens;
}

using Tokens = std::vector<std::string>;

}  // namespace

TEST_CASE("NameFunctions.TakesIdentifiersBackThroughTheMap") {
  const SourceMap map = make_map({{0, 0, 0}, {9, 0, 9, "load"}, {13, 0, 15}});
  CHECK(tokens_of("function n(){a}", map) ==
        Tokens{"0 'load'", "9 'load'", "13 'load'", "15 global"});
}

TEST_CASE("NameFunctions.AcceptsANameOneColumnBeforeTheIdentifier") {
  const SourceMap map = make_map({{0, 0, 0}, {8, 0, 8, "load"}, {13, 0, 15}});
  CHECK(tokens_of("function n(){a}", map)[2] == "13 'load'");
}

TEST_CASE("NameFunctions.AcceptsANameOnTheKeywordOfTheSamePlace") {
  const SourceMap same = make_map({{0, 0, 9, "load"}, {9, 0, 9}, {13, 0, 15}});
  CHECK(tokens_of("function n(){a}", same)[2] == "13 'load'");
  const SourceMap other = make_map({{0, 0, 0, "outer"}, {9, 0, 9}, {13, 0, 15}});
  CHECK(tokens_of("function n(){a}", other)[2] != "13 'outer'");
}

TEST_CASE("NameFunctions.ReadsTheIdentifierInTheSourceTextOfAMapWithoutNames") {
  const SourceMap map = make_map({{0, 0, 0}, {9, 0, 9}, {13, 0, 22}});
  // Not plain JavaScript, so only the identifier is read.
  CHECK(tokens_of("function n(){a}", map, "function load(x: Y) { a }")[2] == "13 'load'");
}

TEST_CASE("NameFunctions.NeverTakesACalleeForTheFunction") {
  const SourceMap map = make_map({{0, 0, 0}, {9, 0, 9, "load"}, {13, 0, 20, "callee"}});
  CHECK(tokens_of("function n(){c()}", map)[2] == "13 'load'");
}

TEST_CASE("NameFunctions.AddsTokensWhereFunctionsBeginAndEndBetweenSegments") {
  const SourceMap map = make_map({{0, 0, 0}});
  CHECK(tokens_of("a;function b(){c(()=>d)}e", map) ==
        Tokens{"0 global", "2 'b'", "17 anonymous", "22 'b'", "24 global"});
  // None before the first segment of a line, nor on a line without one.
  const SourceMap late = make_map({{20, 0, 0}});
  CHECK(tokens_of("function b(){c}\nfunction d(){}", late) == Tokens{"20 global"});
}

TEST_CASE("NameFunctions.FindsInlinedFunctionsInTheSourceText") {
  // The minifier put `check` into `run`; the throw belongs to check all the same.
  const std::string source = "function check(x) { throw x }\nfunction run(x) { check(x) }\n";
  const SourceMap map = make_map({{0, 1, 0}, {9, 1, 9, "run"}, {14, 0, 20}});
  CHECK(tokens_of("function r(x){throw x}", map, source)[2] == "14 'check'");
  CHECK(tokens_of("function r(x){throw x}", map)[2] == "14 'run'");
}

TEST_CASE("NameFunctions.SaysWhatTheBundlesFunctionIsWhateverItsName") {
  const std::string source = "function check(x) {\n  throw x;\n}\n";
  const SourceMap map = make_map({{0, 0, 0}, {13, 1, 2}});
  const std::string bundle = "!function(x){throw x}(1)";
  const FunctionScopes scopes = find_functions(bundle);
  const std::string_view contents[] = {source};
  SourceTexts texts(contents);
  const FunctionNames found = name_functions({bundle, scopes, map, texts});
  const FunctionToken& token = found.tokens[2];
  CHECK(token.generated.column.value() == 13);
  CHECK(found.names[token.name] == "check");
  CHECK(token.nature == ScopeNature::kAnonymous);
}

TEST_CASE("NameFunctions.TrustsTheBundleWhereTheSourceTextIsNotJavaScript") {
  const std::string source =
      "const check = (x: string): void => { throw x }\nlet f: Handler = () => 1\n";
  const SourceMap map = make_map({{0, 0, 0}, {4, 0, 6, "check"}, {11, 0, 37}});
  CHECK(tokens_of("let c=x=>{throw x}", map, source)[3] == "11 'check'");
}

TEST_CASE("NameFunctions.CallsAWholeModuleByItsExports") {
  const std::string source = "module.exports = function load() {\n  throw 1;\n};\n";
  const SourceMap map = make_map({{0, 0, 0, "module"}, {2, 0, 7, "exports"}, {21, 1, 2}});
  CHECK(tokens_of("m.exports=function(){throw 1}", map, source)[3] == "21 'module.exports'");
}

TEST_CASE("NameFunctions.StripsWhatBundlersAddToNames") {
  const std::pair<const char*, const char*> rows[] = {
      {"hide$1", "hide"},
      {"$114dff7b9008f5c0$var$extend", "extend"},
      {"$114dff7b9008f5c0$export$2e2b", "2e2b"},
      {"$", "$"},
      {"$1", "$1"},
      {"a$b", "a$b"},
      {"a$", "a$"},
      {"_$1", "_"},
  };
  for (const auto& [name, expected] : rows) {
    const SourceMap map = make_map({{0, 0, 0}, {9, 0, 9, name}, {13, 0, 20}});
    CHECK(tokens_of("function n(){a}", map)[2] == "13 '" + std::string(expected) + "'");
  }
}

TEST_CASE("NameFunctions.KeepsEverySegmentInOrder") {
  const SourceMap map = make_map({{0, 0, 0}, {0, 0, 1}, {5, 0, 2}, {5, 0, 3}, {5, 0, 4}});
  const std::string bundle = "a=b=>c;d";
  const FunctionScopes scopes = find_functions(bundle);
  SourceTexts texts;
  const FunctionNames found = name_functions({bundle, scopes, map, texts});
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < found.tokens.size(); ++i) {
    if (i > 0) CHECK(found.tokens[i - 1].generated <= found.tokens[i].generated);
    if (found.tokens[i].segment == next) ++next;
  }
  CHECK(next == map.segments.size());
}
