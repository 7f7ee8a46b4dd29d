// React Native: bytecode stacks, function maps, RAM bundles and segments through the public entry;
// real crashes and the cases of metro-symbolicate where the corpus is there.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "core/symbolicate/script_artifacts.h"
#include "core/symbolicate/symbolicate.h"
#include "tests/support/corpus.h"
#include "tests/support/json.h"

using namespace twofold;
using test::Json;

namespace {

// Generated places of kBytecodeMap: 0 top level, 10 f, 20 f, 30 g; all but 10 are places of calls.
constexpr const char* kBytecodeMap =
    R"({"version":3,"sources":["app.tsx"],"names":[],"mappings":"AAAA,UACA,UAAC,UACD",)"
    R"("x_facebook_sources":[[{"names":["<global>","f","g"],"mappings":"AAA;ACC;ACC"}]],)"
    R"("x_hermes_function_offsets":{"0":[0,8,28]}})";

struct File {
  std::string name;
  std::string content;
};

Answer answer_with(const std::vector<File>& given, std::string_view trace) {
  MemoryFiles files;
  for (const File& file : given) files.add(file.name, PaddedBuffer(std::string_view(file.content)));
  ScriptArtifacts artifacts(files);
  return symbolicate(trace, artifacts);
}

// `file:line function` of each frame, or why it has none.
std::vector<std::string> answers_of(const Answer& answer) {
  std::vector<std::string> all;
  for (const AnswerFrame& frame : answer.frames) {
    if (frame.out.empty()) {
      all.emplace_back(to_string(frame.reason));
      continue;
    }
    const OriginalFrame& out = frame.out.front();
    all.push_back(out.file.value_or("-") + ":" + std::to_string(out.line) + " " +
                  out.function.value_or(std::string(to_string(out.scope))) +
                  (out.is_ignored ? " ignored" : ""));
  }
  return all;
}

using Strings = std::vector<std::string>;

// The file in a .tgz that is no note of the archiver's: headers of 512 bytes, name at 0, octal size
// at 124.
std::string read_only_file_of_archive(const std::filesystem::path& path) {
  const std::string tar = test::read_file(path);
  for (std::size_t at = 0; at + 512 <= tar.size() && tar[at] != '\0';) {
    const std::string_view name(tar.c_str() + at);
    const std::size_t size = std::strtoul(tar.c_str() + at + 124, nullptr, 8);
    if (name.substr(0, 2) != "._") return tar.substr(at + 512, size);
    at += 512 + (size + 511) / 512 * 512;
  }
  return {};
}

// Each of the two big maps is unpacked once.
const std::string& read_map(const std::filesystem::path& path) {
  static std::map<std::filesystem::path, std::string> read;
  const auto known = read.find(path);
  if (known != read.end()) return known->second;
  return read.emplace(path, read_only_file_of_archive(path)).first->second;
}

Strings expected_answers(const Json& crash) {
  Strings expected;
  for (const Json& frame : test::list_of(crash, "expected")) {
    expected.push_back(test::text_of(frame, "file") + ":" +
                       std::to_string(test::number_of(frame, "line")) + " " +
                       test::text_of(frame, "function"));
  }
  return expected;
}

std::string without_ignored(const std::string& text) {
  const std::size_t mark = text.find(" ignored");
  return mark == std::string::npos ? text : text.substr(0, mark);
}

}  // namespace

TEST_CASE("ReactNative.SixRealCrashesAndTheMapsOfTheOtherBuild") {
  const auto corpus = test::find_corpus("ReactNative.SixRealCrashesAndTheMapsOfTheOtherBuild");
  if (!corpus) return;
  simdjson::dom::parser parser;
  const simdjson::padded_string text(test::read_file(*corpus / "A-js/hermes-cases.json"));
  Json cases;
  REQUIRE(parser.parse(text).get(cases) == simdjson::SUCCESS);
  std::size_t crash_count = 0;
  for (const Json& crash : test::list_of(cases, "cases")) {
    CAPTURE(test::text_of(crash, "name"));
    const std::string stack = test::text_of(crash, "stack");
    const auto answer = [&](const char* which) {
      const std::string& map = read_map(*corpus / "A-js" / test::text_of(crash, which));
      return answer_with({{"main.jsbundle.map", map}}, stack);
    };
    const Answer right = answer("map");
    Strings got = answers_of(right);
    std::size_t ignored_count = 0;
    for (std::string& frame : got) {
      ignored_count += frame != without_ignored(frame) ? 1u : 0u;
      frame = without_ignored(frame);
    }
    CHECK(got == expected_answers(crash));
    CHECK(ignored_count == got.size() - 1);  // all but the app's own, in src/
    CHECK(right.faults.empty());

    const Answer wrong = answer("wrong_build_map");
    CHECK(wrong.text == stack);
    CHECK(answers_of(wrong) == Strings(11, "wrong_build"));
    REQUIRE(wrong.faults.size() == 1);
    CHECK(wrong.faults[0].reason == Reason::kWrongBuild);
    ++crash_count;
  }
  std::printf("%zu real crashes\n", crash_count);
  CHECK(crash_count == 6);
}

// As Hermes printed it: addresses from 0; the last one is in the bundler's code, which has no
// source.
TEST_CASE("ReactNative.AStackAsHermesPrintsIt") {
  const auto corpus = test::find_corpus("ReactNative.AStackAsHermesPrintsIt");
  if (!corpus) return;
  const std::string require = "node_modules/metro/src/lib/polyfills/require.js";
  const Answer answer = answer_with(
      {{"main.jsbundle.map",
        test::read_file(*corpus / "A-js/rust-sourcemap/react-native-hermes/output.map")}},
      "Error: lets throw!\n"
      "    at foo (address at main.jsbundle:1:11939)\n"
      "    at anonymous (address at main.jsbundle:1:11857)\n"
      "    at loadModuleImplementation (address at main.jsbundle:1:2608)\n"
      "    at guardedLoadModule (address at main.jsbundle:1:1973)\n"
      "    at metroRequire (address at main.jsbundle:1:1494)\n"
      "    at global (address at main.jsbundle:1:508)\n"
      "    at apply (native)\n");
  CHECK(answers_of(answer) ==
        Strings{"module.js:2 foo", "input.js:3 global", require + ":321 loadModuleImplementation",
                require + ":201 guardedLoadModule", require + ":128 metroRequire", "no_mapping",
                "not_a_location"});
}

// The expectations of metro-symbolicate's own tests; addresses from its offsets of functions.
TEST_CASE("ReactNative.CasesOfMetro") {
  const auto corpus = test::find_corpus("ReactNative.CasesOfMetro");
  if (!corpus) return;
  struct Row {
    const char* map;
    const char* name;
    const char* trace;
    Strings answers;
  };
  const std::string bar = "/js/RKJSModules/bar.js";
  const std::string segmented = "/js/RKJSModules/segmented/";
  const std::string fetched =
      "/js/RKJSModules/Apps/HermesModulesTest/HMTLazyFetched.js:13 getValue";
  const Row rows[] = {
      {"with-function-map.js.map",
       "bundle.js.map",
       "Object.throwSmthInner@bundle.js:427:174\n"
       "Object.throwSmth@bundle.js:426:200\n"
       "makeItThrowInner@bundle.js:425:311\n"
       "makeItThrow@bundle.js:425:253\n"
       "unknown@bundle.js:425:206\n",
       {segmented + "biz.js:5 module.exports.throwSmthInner",
        segmented + "glo.js:7 module.exports.throwSmth", bar + ":14 makeItThrowInner",
        bar + ":10 makeItThrow", bar + ":5 import.then$argument_0"}},
      {"with-ignore-list.js.map",
       "bundle.js.map",
       "Object.throwSmthInner@bundle.js:427:174\nr@bundle.js:3:1\n",
       {segmented + "biz.js:5 Object.throwSmthInner",
        "/../../node_modules/metro/src/lib/polyfills/require.js:12 r ignored"}},
      {"testfile.ram.js.map",
       "main.jsbundle.map",
       "Object.throwSmthInner@seg-1_2.js:6:13\n"
       "Object.throwSmth@seg-1_1.js:8:18\n"
       "makeItThrowInner@1.js:15:9\n"
       "makeItThrow@/data/app/js-modules/1.js:11:5\n"
       "1.js:6:7\n"
       "f@seg-2_2.js:6:13\n"
       "f@99.js:6:7\n",
       {segmented + "biz.js:5 Object.throwSmthInner", segmented + "glo.js:7 Object.throwSmth",
        bar + ":14 makeItThrowInner", bar + ":10 makeItThrow", bar + ":5 unknown", "no_artifact",
        "no_artifact"}},
      {"testfile.sectioned.js.map",
       "main.jsbundle.map",
       "f@353.js:1:73\n",
       {"nested-thrower.js:6 f"}},
      {"hermes.js.hbc.map",
       "main.jsbundle.map",
       "    at f (address at /a/b/c/main.jsbundle:1:7382)\n"
       "    at f (address at /a/b/c/main.jsbundle:1:27631)\n"
       "    at f (address at seg-1.js:1:143)\n"
       "    at f (address at seg-16.js:1:143)\n"
       "    at f (native)\n",
       {("/js/node_modules/react-native/Libraries/polyfills/console.js:480 "
         "columns.forEach$argument_0"),
        "/js/react-native-github/Libraries/Performance/Systrace.js:101 setEnabled", fetched,
        "no_artifact", "not_a_location"}},
      // One line of the map per bytecode file.
      {"hermescjs.js.hbc.map",
       "Fb4aBundle.js.map",
       "    at f (address at Fb4aBundle.js:1:24482)\n"
       "    at f (address at Fb4aBundle.js:52:83)\n",
       {"/js/react-native-github/Libraries/Utilities/createPerformanceLogger.js:160 "
        "result.clearExceptTimespans",
        fetched}},
  };
  const auto fixtures = *corpus / "A-js/metro/metro-symbolicate/src/__tests__/__fixtures__";
  for (const Row& row : rows) {
    CAPTURE(row.map);
    CHECK(answers_of(answer_with({{row.name, test::read_file(fixtures / row.map)}}, row.trace)) ==
          row.answers);
  }
}

// The columns are those of the map: its composer counted the wrapper of a module twice, so true
// columns of these modules would be 28 less (as for metro-symbolicate).
TEST_CASE("ReactNative.RamBundlesAreServedByTheirComposedMap") {
  const auto corpus = test::find_corpus("ReactNative.RamBundlesAreServedByTheirComposedMap");
  if (!corpus) return;
  const auto folder = *corpus / "A-js/rust-sourcemap/ram_bundle";
  const std::string map = test::read_file(folder / "indexed_bundle_1/basic.jsbundle.map");
  const std::string project = "/Users/userx/reps/tmp/ram-bundles-test/metro-test/";
  const char* const trace =
      "f@0.js:1:70\ng@3.js:1:70\nh@4.js:1:80\ni@basic.jsbundle:2:20\nj@1.js:1:1\n";
  const Strings expected{project + "src/index.js:1 f", project + "src/other.js:1 g",
                         project + "node_modules/is-windows/index.js:8 h",
                         project + "node_modules/metro/src/lib/polyfills/require.js:11 i",
                         "no_artifact"};
  const std::string indexed = test::read_file(folder / "indexed_bundle_1/basic.jsbundle");
  CHECK(to_string(detect_kind(indexed)) == "indexed RAM bundle");
  CHECK(answers_of(answer_with({{"basic.jsbundle", indexed}, {"basic.jsbundle.map", map}},
                               trace)) == expected);

  const auto files = folder / "file_bundle_1";
  const std::string marker = test::read_file(files / "js-modules/UNBUNDLE");
  CHECK(to_string(detect_kind(marker)) == "file RAM bundle marker");
  CHECK(answers_of(answer_with({{"js-modules/UNBUNDLE", marker},
                                {"js-modules/0.js", test::read_file(files / "js-modules/0.js")},
                                {"js-modules/3.js", test::read_file(files / "js-modules/3.js")},
                                {"basic.jsbundle.map", map}},
                               trace)) == expected);
}

TEST_CASE("ReactNative.BytecodeOfAnotherBuildIsRefused") {
  struct Row {
    const char* why;
    const char* trace;
    Strings answers;
  };
  const Row rows[] = {
      {"addresses from 0",
       "    at g (address at app.bundle:1:30)\n    at f (address at app.bundle:1:20)\n",
       {"app.tsx:3 g", "app.tsx:2 f"}},
      {"addresses from 1",
       "    at g (address at app.bundle:1:31)\n    at f (address at app.bundle:1:21)\n",
       {"app.tsx:3 g", "app.tsx:2 f"}},
      {"counted in two ways, so in neither",
       "    at g (address at app.bundle:1:30)\n    at f (address at app.bundle:1:21)\n",
       {"wrong_build", "wrong_build"}},
      {"between instructions", "    at g (address at app.bundle:1:33)\n", {"wrong_build"}},
      {"address 0", "    at global (address at app.bundle:1:0)\n", {"app.tsx:1 global"}},
      {"one of four made up by a reporter",
       "    at g (address at app.bundle:1:30)\n    at f (address at app.bundle:1:20)\n"
       "    at f (address at app.bundle:1:10)\n    at f (address at app.bundle:1:15)\n",
       {"app.tsx:3 g", "app.tsx:2 f", "app.tsx:2 f", "app.tsx:2 f"}},
      {"two stacks, of which one is of this build",
       "    at g (address at app.bundle:1:30)\nError\n    at g (address at app.bundle:1:33)\n",
       {"app.tsx:3 g", "wrong_build"}},
      {"a stack that Hermes had debug info for is not judged",
       "    at g (app.bundle:1:34)\n",
       {"app.tsx:3 g"}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.why);
    const Answer answer = answer_with({{"app.bundle.map", kBytecodeMap}}, row.trace);
    CHECK(answers_of(answer) == row.answers);
    const auto refused = std::count(row.answers.begin(), row.answers.end(), "wrong_build");
    CHECK(answer.faults.size() == (refused > 0 ? 1u : 0u));
  }
}

TEST_CASE("ReactNative.ARefusalIsOfOneTraceOnly") {
  MemoryFiles files;
  files.add("app.bundle.map", PaddedBuffer(std::string_view(kBytecodeMap)));
  ScriptArtifacts artifacts(files);
  const char* const wrong = "    at g (address at app.bundle:1:33)\n";
  CHECK(answers_of(symbolicate(wrong, artifacts)) == Strings{"wrong_build"});
  const Answer right = symbolicate("    at g (address at app.bundle:1:30)\n", artifacts);
  CHECK(answers_of(right) == Strings{"app.tsx:3 g"});
  CHECK(right.faults.empty());
}

TEST_CASE("ReactNative.ModulesSayWhatIsMissing") {
  const std::string map =
      R"({"version":3,"sources":["m.js"],"names":[],"mappings":";AAAA","x_facebook_offsets":[1,null]})";
  const std::string other_map =
      R"({"version":3,"sources":["n.js"],"names":[],"mappings":";AAAA","x_facebook_offsets":[1]})";
  const std::string ram("\xE5\xD1\x0B\xFB\0\0\0\0\0\0\0\0", 12);
  const std::string bytecode("\xC6\x1F\xBC\x03\xC1\x03\x19\x1F\x60\0\0\0", 12);
  struct Row {
    const char* why;
    std::vector<File> files;
    const char* trace;
    const char* answer;
  };
  const Row rows[] = {
      {"the module is there", {{"a.map", map}}, "f@0.js:1:1\n", "m.js:1 f"},
      {"beside its script", {{"0.js", "__d()"}, {"a.map", map}}, "f@0.js:1:1\n", "m.js:1 f"},
      {"an id without code", {{"a.map", map}}, "f@1.js:1:1\n", "no_artifact"},
      {"an id beyond the table", {{"a.map", map}}, "f@2.js:1:1\n", "no_artifact"},
      {"a segment that is not there", {{"a.map", map}}, "f@seg-1.js:1:1\n", "no_artifact"},
      {"two bundles have the module",
       {{"a.map", map}, {"b.map", other_map}},
       "f@0.js:1:1\n",
       "ambiguous_artifact"},
      {"a line beyond all lines", {{"a.map", map}}, "f@0.js:4294967295:1\n", "no_mapping"},
      {"a chunk of another bundler has its own map",
       {{"0.js", "x"}, {"0.js.map", kBytecodeMap}, {"a.map", map}},
       "f@0.js:1:1\n",
       "app.tsx:1 global"},
      {"an indexed RAM bundle without map",
       {{"main.jsbundle", ram}},
       "f@main.jsbundle:1:1\n",
       "bad_artifact"},
      {"bytecode without map",
       {{"main.jsbundle", bytecode}},
       "    at f (address at main.jsbundle:1:1)\n",
       "bad_artifact"},
      {"bytecode beside its map",
       {{"app.bundle", bytecode}, {"app.bundle.map", kBytecodeMap}},
       "    at f (address at app.bundle:1:20)\n",
       "app.tsx:2 f"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.why);
    const Answer answer = answer_with(row.files, row.trace);
    CHECK(answers_of(answer) == Strings{row.answer});
    const bool is_said = std::string(row.answer) == "bad_artifact" ||
                         std::string(row.answer) == "ambiguous_artifact";
    CHECK(answer.faults.size() == (is_said ? 1u : 0u));
  }
}
