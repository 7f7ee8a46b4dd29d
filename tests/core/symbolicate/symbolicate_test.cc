#include "core/symbolicate/symbolicate.h"

#include <catch2/catch.hpp>
#include <string>

#include "core/symbolicate/json.h"
#include "core/symbolicate/script_artifacts.h"

using namespace twofold;

namespace {

// `function load(){boom()}load();` bundled to one line by hand: t is load.
constexpr const char* kScript = "function t(){boom()}t();\n//# sourceMappingURL=app.js.map\n";
// 0 -> 1:1 function, 9 -> 1:10 `load`, 13 -> 2:3 boom, 20 -> 4:1 `load`
constexpr const char* kMap =
    R"({"version":3,"sources":["src/load.js"],"names":["load"],"mappings":"AAAA,SAASA,IACP,OAEFA"})";
constexpr const char* kTrace =
    "Error: boom\n"
    "    at t (https://x.example/app.js:1:14)\n"
    "    at https://x.example/app.js:1:21\n";

// Answers `trace` with the given files, alternating names and contents.
Answer answer_with(std::initializer_list<std::pair<const char*, std::string>> contents,
                   std::string_view trace) {
  MemoryFiles files;
  for (const auto& [name, content] : contents) {
    files.add(name, PaddedBuffer(std::string_view(content)));
  }
  ScriptArtifacts artifacts(files);
  return symbolicate(trace, artifacts);
}

std::string with_debug_id(std::string map, const std::string& id) {
  return map.insert(1, "\"debugId\":\"" + id + "\",");
}

}  // namespace

TEST_CASE("Symbolicate.NamesFunctionAndPlace") {
  const Answer answer = answer_with({{"dist/app.js", kScript}, {"dist/app.js.map", kMap}}, kTrace);
  CHECK(answer.text ==
        "Error: boom\n"
        "    at load (src/load.js:2:3)\n"
        "    at src/load.js:4:1\n");
  REQUIRE(answer.frames.size() == 2);
  CHECK(answer.frames[0].in == "at t (https://x.example/app.js:1:14)");
  CHECK(answer.frames[0].out[0].scope == FunctionScope::kNamed);
  CHECK(answer.frames[1].out[0].scope == FunctionScope::kGlobal);
  CHECK_FALSE(answer.frames[1].out[0].function.has_value());
  CHECK(answer.faults.empty());
}

TEST_CASE("Symbolicate.WithoutScriptKeepsTheEnginesName") {
  const Answer answer = answer_with({{"app.js.map", kMap}}, "x\n    at t (app.js:1:14)\n");
  REQUIRE(answer.frames[0].status == FrameStatus::kMapped);
  CHECK(answer.frames[0].out[0].function == "t");
  CHECK(answer.frames[0].out[0].scope == FunctionScope::kUnknown);
}

TEST_CASE("Symbolicate.EveryFrameSaysWhyItIsNotResolved") {
  struct Row {
    const char* why;
    std::initializer_list<std::pair<const char*, std::string>> files;
    Reason reason;
  };
  const std::string other_map =
      R"({"version":3,"sources":["other.js"],"names":[],"mappings":"AAAA"})";
  const Row rows[] = {
      {"nothing given", {}, Reason::kNoArtifact},
      {"another script", {{"other.js", "x"}}, Reason::kNoArtifact},
      {"script without map", {{"app.js", kScript}}, Reason::kBadArtifact},
      {"map cut in half",
       {{"app.js", kScript}, {"app.js.map", std::string(kMap).substr(0, 60)}},
       Reason::kBadArtifact},
      {"damaged mappings",
       {{"app.js", kScript},
        {"app.js.map", R"({"version":3,"sources":[],"names":[],"mappings":"!"})"}},
       Reason::kBadArtifact},
      {"two different builds fit",
       {{"a/app.js.map", kMap}, {"b/app.js.map", other_map}},
       Reason::kAmbiguousArtifact},
      {"another debug ID",
       {{"app.js", std::string(kScript) + "//# debugId=aaaa\n"},
        {"app.js.map", with_debug_id(kMap, "bbbb")}},
       Reason::kWrongBuild},
      {"a map without segments",
       {{"app.js.map", R"({"version":3,"sources":[],"names":[],"mappings":""})"}},
       Reason::kNoMapping},
  };
  for (const Row& row : rows) {
    CAPTURE(row.why);
    const Answer answer = answer_with(row.files, kTrace);
    CHECK(answer.text == kTrace);  // byte for byte
    REQUIRE(answer.frames.size() == 2);
    for (const AnswerFrame& frame : answer.frames) {
      CHECK(frame.status == FrameStatus::kUnmapped);
      CHECK(frame.reason == row.reason);
      CHECK(frame.out.empty());
    }
  }
}

TEST_CASE("Symbolicate.CopiesOfOneBuildAreNotAmbiguous") {
  const Answer answer = answer_with({{"a/app.js.map", kMap}, {"b/app.js.map", kMap}}, kTrace);
  CHECK(answer.frames[0].status == FrameStatus::kMapped);
}

// Found by the `file` field in two copies, the map still goes with the script, so functions have
// names.
TEST_CASE("Symbolicate.CopiesFoundByFileFieldKeepNames") {
  std::string map = kMap;
  map.insert(1, "\"file\":\"app.js\",");
  const std::string script = "function t(){boom()}t();\n";
  const Answer answer =
      answer_with({{"app.js", script}, {"one.json", map}, {"two.json", map}}, kTrace);
  REQUIRE(answer.frames[0].status == FrameStatus::kMapped);
  CHECK(answer.frames[0].out[0].function == "load");
}

TEST_CASE("Symbolicate.OneMapServesManyUrlsAndIsBuiltOnce") {
  MemoryFiles files;
  files.add("app.js.map", PaddedBuffer(std::string_view(kMap)));
  ScriptArtifacts artifacts(files);
  const auto first = artifacts.find("https://x.example/app.js?v=1");
  const auto second = artifacts.find("https://y.example/js/app.js#top");
  REQUIRE(first.artifact != nullptr);
  CHECK(first.artifact == second.artifact);
}

TEST_CASE("Symbolicate.LongerCommonPathWins") {
  const std::string other = R"({"version":3,"sources":["other.js"],"names":[],"mappings":"AAAA"})";
  const Answer answer = answer_with({{"b/one/app.js.map", other}, {"b/two/app.js.map", kMap}},
                                    "x\n    at t (https://x.example/two/app.js:1:14)\n");
  CHECK(answer.frames[0].out[0].file == "src/load.js");
}

TEST_CASE("Symbolicate.SameDebugIdInAnotherSpellingServes") {
  const Answer answer = answer_with({{"app.js", std::string(kScript) + "//# debugId=AA-BB\n"},
                                     {"app.js.map", with_debug_id(kMap, "aabb")}},
                                    kTrace);
  CHECK(answer.frames[0].status == FrameStatus::kMapped);
}

TEST_CASE("Symbolicate.LeavesEverythingElseByteForByte") {
  const std::string trace =
      "prefix \xFF\xFE bytes\r\n"
      "2030-01-01 ERROR web:     at t (app.js:1:14) {\r\n"
      "  code: 'E'\r\n"
      "}\n\n    at Array.map (<anonymous>)\nno newline at the end";
  const Answer answer = answer_with({{"app.js", kScript}, {"app.js.map", kMap}}, trace);
  CHECK(answer.text ==
        "prefix \xFF\xFE bytes\r\n"
        "2030-01-01 ERROR web:     at load (src/load.js:2:3) {\r\n"
        "  code: 'E'\r\n"
        "}\n\n    at Array.map (<anonymous>)\nno newline at the end");
  CHECK(answer.frames[1].status == FrameStatus::kPassthrough);
}

TEST_CASE("ToJson.HasOneSpelling") {
  Answer answer;
  answer.text = "a\"\\\n\t\x01\x7F\xFF\xF0\x9F\x9A\x80";
  AnswerFrame frame;
  frame.in = "at x";
  frame.status = FrameStatus::kMapped;
  frame.out.push_back(
      {.function = {}, .file = std::string("f"), .line = 1, .column = 0, .context = {}});
  answer.frames.push_back(frame);
  answer.faults.push_back({"m.map", Reason::kBadArtifact, "why"});
  CHECK(to_json(answer) ==
        "{\"text\":\"a\\\"\\\\\\n\\u0009\\u0001\\u007f\xEF\xBF\xBD\xF0\x9F\x9A\x80\","
        "\"frames\":[{\"in\":\"at x\",\"line\":0,\"status\":\"mapped\",\"out\":[{\"function\":null,"
        "\"file\":\"f\",\"line\":1,\"column\":null,\"inlined\":false,\"ignored\":false}]}],"
        "\"artifacts\":[{\"artifact\":\"m.map\",\"reason\":\"bad_artifact\",\"detail\":\"why\"}]}");
}

TEST_CASE("DetectKind.GoesByContent") {
  struct Row {
    std::string content;
    ArtifactKind kind;
  };
  const Row rows[] = {
      {kMap, ArtifactKind::kSourceMap},
      {std::string("\xEF\xBB\xBF)]}'\n") + kMap, ArtifactKind::kSourceMap},
      {kScript, ArtifactKind::kScript},
      {R"({"name":"p","version":"1.0.0"})", ArtifactKind::kScript},  // JSON, but no map
      {"TWSM....", ArtifactKind::kTw},
      {"\x7F"
       "ELF",
       ArtifactKind::kElf},
      {"\xCF\xFA\xED\xFE....", ArtifactKind::kMachO},
      {std::string("\xCA\xFE\xBA\xBE\0\0\0\2", 8), ArtifactKind::kMachO},
      {std::string("\xCA\xFE\xBA\xBE\0\0\0\x41", 8), ArtifactKind::kNone},  // a Java class
      {"# compiler: R8\ncom.a.B -> a.b:\n", ArtifactKind::kR8Mapping},
      {"\xE5\xD1\x0B\xFB", ArtifactKind::kRamBundleMarker},
      {std::string("\xE5\xD1\x0B\xFB\0\0\0\0", 8), ArtifactKind::kRamBundle},
      {"\xC6\x1F\xBC\x03\xC1\x03\x19\x1F\x60", ArtifactKind::kHermesBytecode},
      {std::string("a\0b", 3), ArtifactKind::kNone},
      {"", ArtifactKind::kNone},
  };
  for (const Row& row : rows) {
    CAPTURE(row.content);
    CHECK(to_string(detect_kind(row.content)) == to_string(row.kind));
  }
}
