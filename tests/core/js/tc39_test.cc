// The ECMA-426 test suite (corpus/A-js/tc39-source-map-tests). As the specification has it, every
// valid map passes its checks and every invalid one is refused; in the tolerant form the same, but
// for the cases of kTolerated.
#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <set>
#include <string>

#include "core/js/compile_js.h"
#include "core/tw/lookup.h"
#include "tests/core/js/read_map.h"
#include "tests/support/corpus.h"
#include "tests/support/json.h"

using namespace twofold;
using namespace twofold::test;
using twofold::js::Strictness;

namespace {

// Invalid maps that we read all the same, and why. core/js/README.md says more.
struct Tolerated {
  const char* name;
  const char* reason;
};
constexpr const char* kIgnoreListReason =
    "the list only marks sources as third-party; a bad entry is no reason to lose every position";
constexpr Tolerated kTolerated[] = {
    {"ignoreListWrongType1", kIgnoreListReason},
    {"ignoreListWrongType2", kIgnoreListReason},
    {"ignoreListWrongType4", kIgnoreListReason},
    {"ignoreListOutOfBounds1", kIgnoreListReason},
    {"ignoreListOutOfBounds2", kIgnoreListReason},
    {"invalidMappingSegmentWithNegativeOriginalLine",
     "Hermes writes original line -1 for code without a source"},
    {"invalidMappingSegmentWithNegativeRelativeOriginalLine",
     "Hermes writes original line -1 for code without a source"},
};

// `source:line:column`, all 0-based; `-` for no answer. A null source has no name.
std::string expected_text(const Json& action) {
  if (is_null(action, "originalLine")) return "-";
  const std::string source =
      is_null(action, "originalSource") ? "" : text_of(action, "originalSource");
  return source + ":" + std::to_string(number_of(action, "originalLine")) + ":" +
         std::to_string(number_of(action, "originalColumn"));
}

// The folder of the suite's maps.
class Suite {
 public:
  explicit Suite(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::string text(const std::string& name) const { return read_file(folder_ / name); }

 private:
  std::filesystem::path folder_;
};

// One map of the suite, compiled.
struct Compiled {
  explicit Compiled(const std::string& json, Strictness strictness) {
    const PaddedBuffer buffer{std::string_view(json)};
    js::JsCompiler compiler;
    auto result = compiler.compile_js(buffer, {.strictness = strictness});
    REQUIRE(result.ok());
    out = std::move(result).value();
  }
  std::optional<tw::Location> find(Position at) const {
    return tw::find_location(tw::FlatView::open(out.tw).value(), at);
  }
  std::string find_text(Position at) const {
    const auto found = find(at);
    if (!found) return "-";
    return std::string(found->file.value_or("")) + ":" + std::to_string(found->line.value() - 1) +
           ":" + std::to_string(found->column.value() - 1);
  }
  js::CompiledJs out;
};

// The name of the segment exactly at `at`, "-" without one. Names are not in a .tw of version 1.
std::string name_at(const js::SourceMap& map, Position at) {
  for (const js::Segment& segment : map.segments) {
    if (segment.generated == at) {
      return segment.name == js::kNoIndex ? "-" : std::string(map.names[segment.name]);
    }
  }
  return "(no segment)";
}

Position generated_of(const Json& action) {
  return {Line(number_of(action, "generatedLine")),
          Utf16Column(number_of(action, "generatedColumn"))};
}

void check_mapping(const std::string& json, const Json& action, Strictness strictness) {
  const Position at = generated_of(action);
  CAPTURE(at.line.value(), at.column.value());
  CHECK(Compiled(json, strictness).find_text(at) == expected_text(action));
  const auto read = read_map(json, strictness);
  CHECK(name_at(read.map, at) ==
        (is_null(action, "mappedName") ? "-" : text_of(action, "mappedName")));
}

// Through the map itself and then each intermediate one.
void check_transitive(const Suite& suite, const std::string& json, const Json& action,
                      Strictness strictness) {
  Position at = generated_of(action);
  CAPTURE(at.line.value(), at.column.value());
  std::string answer = Compiled(json, strictness).find_text(at);
  auto found = Compiled(json, strictness).find(at);
  for (const Json& name : list_of(action, "intermediateMaps")) {
    REQUIRE(found);
    at = {to_line(found->line).value(), to_column(found->column).value()};
    const Compiled next(suite.text(text_of(name)), strictness);
    found = next.find(at);
    answer = next.find_text(at);
  }
  CHECK(answer == expected_text(action));
}

void check_ignore_list(const std::string& json, const Json& action, Strictness strictness) {
  std::set<std::string> expected;
  for (const Json& name : list_of(action, "present")) expected.insert(text_of(name));
  const auto read = read_map(json, strictness);
  std::set<std::string> ignored;
  for (std::size_t i = 0; i < read.map.sources.size(); ++i) {
    if (read.map.is_ignored[i]) ignored.insert(std::string(read.map.sources[i]));
  }
  CHECK(ignored == expected);
}

void check_action(const Suite& suite, const std::string& json, const Json& action,
                  Strictness strictness) {
  const std::string type = text_of(action, "actionType");
  if (type == "checkMapping") {
    check_mapping(json, action, strictness);
  } else if (type == "checkMappingTransitive") {
    check_transitive(suite, json, action, strictness);
  } else if (type == "checkIgnoreList") {
    check_ignore_list(json, action, strictness);
  } else {
    FAIL("unknown action " << type);
  }
}

// Runs the suite; returns the names of the invalid maps that were accepted.
std::set<std::string> run_suite(const std::filesystem::path& root, Strictness strictness) {
  const Suite suite(root / "resources");
  simdjson::dom::parser parser;
  Json whole;
  const std::string text = read_file(root / "source-map-spec-tests.json");
  REQUIRE(parser.parse(text).get(whole) == simdjson::SUCCESS);
  std::set<std::string> accepted;
  std::size_t valid = 0;
  std::size_t invalid = 0;
  std::size_t actions = 0;
  for (const Json& test_case : list_of(whole, "tests")) {
    const std::string name = text_of(test_case, "name");
    INFO(name);
    const std::string json = suite.text(text_of(test_case, "sourceMapFile"));
    const auto read = read_map(json, strictness);
    if (!is_true(test_case, "sourceMapIsValid")) {
      ++invalid;
      if (read.status.ok()) accepted.insert(name);
      continue;
    }
    ++valid;
    INFO(to_text(read));
    CHECK(read.status.ok());
    if (!read.status.ok()) continue;
    for (const Json& action : list_of(test_case, "testActions")) {
      check_action(suite, json, action, strictness);
      ++actions;
    }
  }
  std::printf("ECMA-426 suite: %zu valid maps with %zu checks, %zu invalid, %zu of them accepted\n",
              valid, actions, invalid, accepted.size());
  CHECK(valid + invalid == 99);
  return accepted;
}

}  // namespace

TEST_CASE("Tc39.SpecificationFormEqualsTheSuite") {
  const auto corpus = find_corpus("Tc39.SpecificationFormEqualsTheSuite");
  if (!corpus) return;
  const auto accepted =
      run_suite(*corpus / "A-js" / "tc39-source-map-tests", Strictness::kSpecification);
  CHECK(accepted == std::set<std::string>{});
}

TEST_CASE("Tc39.TolerantFormDiffersByTheTableOnly") {
  const auto corpus = find_corpus("Tc39.TolerantFormDiffersByTheTableOnly");
  if (!corpus) return;
  std::set<std::string> expected;
  for (const Tolerated& tolerated : kTolerated) expected.insert(tolerated.name);
  const auto accepted =
      run_suite(*corpus / "A-js" / "tc39-source-map-tests", Strictness::kTolerant);
  CHECK(accepted == expected);
}
