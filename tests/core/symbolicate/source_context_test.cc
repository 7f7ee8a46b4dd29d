#include "core/symbolicate/source_context.h"

#include <catch2/catch.hpp>
#include <string>

#include "core/base/utf.h"
#include "core/symbolicate/json.h"
#include "core/symbolicate/script_artifacts.h"
#include "core/symbolicate/symbolicate.h"
#include "core/tw/token.h"

using namespace twofold;

namespace {

using Lines = std::vector<std::string>;

ArtifactSources sources_of(std::string text) {
  return ArtifactSources({std::move(text)});
}

std::optional<SourceContext> around(ArtifactSources& sources, std::uint32_t line,
                                    std::uint32_t column, std::uint32_t count) {
  return sources.around(0, OneBasedLine(line), OneBasedColumn(column), count);
}

std::string repeat(std::string_view text, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

// `function load(){boom()}load();` on lines of its own, bundled to one line: t is load.
constexpr const char* kScript = "function t(){boom()}t();\n//# sourceMappingURL=app.js.map\n";
constexpr const char* kMap =
    R"({"version":3,"sources":["src/load.js"],"names":["load"],)"
    R"("sourcesContent":["function load() {\n  boom();\n}\nload();\u001b[2J\n"],)"
    R"("mappings":"AAAA,SAASA,IACP,OAEFA"})";
constexpr const char* kTrace =
    "Error: boom\r\n"
    "    at t (app.js:1:14) {\r\n"
    "    at app.js:1:21";

Answer answer_with_context(std::string_view map, std::optional<std::uint32_t> lines) {
  MemoryFiles files;
  files.add("app.js", PaddedBuffer(std::string_view(kScript)));
  files.add("app.js.map", PaddedBuffer(map));
  ScriptArtifacts artifacts(files, ScriptArtifacts::Sources::kKept);
  return symbolicate(kTrace, artifacts, {.context_lines = lines});
}

}  // namespace

TEST_CASE("SourceContext.IsTheLineAndThoseAroundItThatThereAre") {
  ArtifactSources sources = sources_of("one\r\ntwo\rthree\nfour");
  struct Row {
    std::uint32_t line;
    std::uint32_t around;
    std::uint32_t first;
    Lines lines;
  };
  const Row rows[] = {
      {1, 0, 1, {"one"}},
      {2, 1, 1, {"one", "two", "three"}},
      {4, 1, 3, {"three", "four"}},
      {3, 1000, 1, {"one", "two", "three", "four"}},
      {3, 0xFFFFFFFF, 1, {"one", "two", "three", "four"}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.line, row.around);
    const auto context = around(sources, row.line, 1, row.around);
    REQUIRE(context.has_value());
    CHECK(context->first_line == row.first);
    CHECK(context->lines == row.lines);
  }
}

TEST_CASE("SourceContext.IsNotThereWhereTheTextIsNot") {
  ArtifactSources sources({"one\ntwo", ""});
  CHECK_FALSE(around(sources, 0, 1, 1));
  CHECK_FALSE(around(sources, 3, 1, 1));
  CHECK_FALSE(around(sources, 0xFFFFFFFF, 1, 1));
  CHECK_FALSE(sources.around(1, OneBasedLine(1), OneBasedColumn(1), 1));
  CHECK_FALSE(sources.around(2, OneBasedLine(1), OneBasedColumn(1), 1));
  CHECK_FALSE(sources.around(tw::kNone, OneBasedLine(1), OneBasedColumn(1), 1));
  ArtifactSources none;
  CHECK_FALSE(around(none, 1, 1, 1));
  CHECK_FALSE(none.around(tw::kNone, OneBasedLine(1), OneBasedColumn(1), 1));
}

// Wherever the column is in a long line: what it points at is in the piece, no character is cut.
TEST_CASE("SourceContext.CutsLongLinesAroundTheColumn") {
  for (const std::string_view character : {"x", "\u00e9", "\u20ac", "\U0001F680"}) {
    CAPTURE(character);
    const std::uint32_t units = character.size() == 4 ? 2 : 1;
    const std::string left = repeat(character, 300);
    for (const std::size_t before : {0u, 1u, 49u, 50u, 100u, 250u, 299u, 300u}) {
      CAPTURE(before);
      const std::string line = repeat(character, before) + "!" + repeat(character, 300 - before);
      ArtifactSources sources = sources_of("first\n" + line + "\nlast");
      const std::uint32_t column = static_cast<std::uint32_t>(before) * units + 1;
      const auto context = around(sources, 2, column, 1);
      REQUIRE(context.has_value());
      CHECK(context->lines[0] == "first");
      CHECK(context->lines[2] == "last");
      const std::string& cut = context->lines[1];
      CHECK(cut.size() <= kLongestContextLineBytes);
      CHECK(cut.size() > kLongestContextLineBytes - 16);
      CHECK(cut.find('!') != std::string::npos);
      for (const char c : cut) {
        CHECK((c == '!' || c == '.' || character.find(c) != std::string_view::npos));
      }
      const std::string_view dots = "...";
      const std::string_view inside = std::string_view(cut)
                                          .substr(cut.starts_with(dots) ? dots.size() : 0)
                                          .substr(0, cut.size() - (cut.starts_with(dots) ? 3 : 0) -
                                                         (cut.ends_with(dots) ? 3 : 0));
      CHECK((inside.size() - 1) % character.size() == 0);
      CHECK(line.find(inside) != std::string::npos);
    }
  }
}

TEST_CASE("SourceContext.InvalidUtf8AndColumnsPastTheEndDoNoHarm") {
  const std::string bytes = repeat("\x80\xBF\xFF", 200);
  ArtifactSources sources = sources_of(bytes);
  for (const std::uint32_t column : {0u, 1u, 300u, 600u, 601u, 0xFFFFFFFFu}) {
    const auto context = around(sources, 1, column, 0);
    REQUIRE(context.has_value());
    CHECK(context->lines[0].size() <= kLongestContextLineBytes);
  }
}

// Behind the rest of the frame's own line; what a terminal would obey is shown as `?`.
TEST_CASE("Symbolicate.ContextStandsBelowTheFrame") {
  CHECK(answer_with_context(kMap, 1).text ==
        "Error: boom\r\n"
        "    at load (src/load.js:2:3) {\r\n"
        "        1 | function load() {\n"
        "      > 2 |   boom();\n"
        "        3 | }\n"
        "    at src/load.js:4:1\n"
        "        3 | }\n"
        "      > 4 | load();?[2J\n"
        "        5 | ");
  CHECK(answer_with_context(kMap, std::nullopt).text ==
        "Error: boom\r\n"
        "    at load (src/load.js:2:3) {\r\n"
        "    at src/load.js:4:1");
}

TEST_CASE("Symbolicate.ContextInJson") {
  const std::string json = to_json(answer_with_context(kMap, 0));
  CHECK(json.find(R"("context":{"first":2,"lines":["  boom();"]})") != std::string::npos);
  CHECK(to_json(answer_with_context(kMap, std::nullopt)).find("context") == std::string::npos);
}

// Each keeps its own text, and none is named.
TEST_CASE("Symbolicate.ContextOfSourcesWithoutAName") {
  std::string map = kMap;
  map.replace(map.find("\"src/load.js\""), 13, "null,null");
  map.replace(map.find("],\"mappings\""), 1, ",\"a\\nb\\nc\\nother\"]");
  map.replace(map.find("OAEFA"), 5, "OCEFA");  // the second place is in the other source
  const Answer answer = answer_with_context(map, 0);
  for (const AnswerFrame& frame : answer.frames) {
    REQUIRE(frame.out.size() == 1);
    CHECK_FALSE(frame.out[0].file.has_value());
    REQUIRE(frame.out[0].context.has_value());
  }
  CHECK(answer.frames[0].out[0].context->lines == Lines{"  boom();"});
  CHECK(answer.frames[1].out[0].context->lines == Lines{"other"});
}
