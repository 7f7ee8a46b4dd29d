#include "core/js/source_texts.h"

#include <catch2/catch.hpp>
#include <string>

#include "core/js/map_reader.h"

using namespace twofold;

namespace {

// The texts of a map, a `|` before each; `fields` are those behind the version.
std::string read_texts(std::string_view fields) {
  const PaddedBuffer json(R"({"version":3,)" + std::string(fields) + "}");
  js::MapReader reader;
  js::SourceMap map;
  if (const Status status = reader.parse(json, js::Strictness::kTolerant, map); !status) {
    return to_string(status.error());
  }
  js::SourceTexts texts;
  std::string joined;
  texts.assign(map);
  for (std::size_t i = 0; i < texts.size(); ++i) joined += "|" + std::string(texts.text(i));
  return joined;
}

std::string texts_of(std::string_view contents) {
  return read_texts(R"("sources":["a","b"],"mappings":"","sourcesContent":)" +
                    std::string(contents));
}

}  // namespace

TEST_CASE("SourceTexts.Unescapes") {
  CHECK(texts_of(R"(["a\n\"\\\/\tb","c"])") == "|a\n\"\\/\tb|c");
  CHECK(texts_of(R"(["\u00e4\ud83d\ude00" , "" ])") == "|\u00e4\U0001F600|");
  CHECK(texts_of(R"(["x\ud800y","\udc00"])") == "|x\uFFFDy|\uFFFD");
}

TEST_CASE("SourceTexts.ABrokenEscapeCostsItsTextOnly") {
  CHECK(texts_of(R"(["one","\q"])") == "|one|");
  CHECK(texts_of(R"(["\u12","two"])") == "||two");
}

TEST_CASE("SourceTexts.BelongToTheirSources") {
  CHECK(texts_of("null").empty());
  CHECK(texts_of("[]").empty());
  CHECK(texts_of(R"(["one"])") == "|one");
  CHECK(texts_of(R"([null,"two"])") == "||two");
  CHECK(texts_of(R"(["one","two","of nobody"])") == "|one|two");
  CHECK(read_texts(
            R"("mappings":"","sourcesContent":["one"],"sources":["a"],"sourcesContent":["2"])") ==
        "|2");
}

TEST_CASE("SourceTexts.OfSections") {
  const std::string without = R"("map":{"version":3,"sources":["a"],"mappings":""}})";
  const auto with = [](std::string_view text) {
    return R"("map":{"version":3,"sources":["a"],"mappings":"","sourcesContent":[")" +
           std::string(text) + R"("]}})";
  };
  const std::string first = R"({"offset":{"line":0,"column":0},)";
  const std::string second = R"(,{"offset":{"line":5,"column":0},)";
  const auto sections = [](const std::string& list) {
    return read_texts("\"sections\":[" + list + "]");
  };
  CHECK(sections(first + with("one") + second + with("two")) == "|one|two");
  CHECK(sections(first + without + second + with("two")) == "||two");
  CHECK(sections(first + with("one") + second + without) == "|one");
}

TEST_CASE("SourceTexts.AMapReadAgainForgetsTheOldTexts") {
  const PaddedBuffer full(
      std::string_view(R"({"version":3,"sources":["a"],"mappings":"","sourcesContent":["one"]})"));
  const PaddedBuffer bare(std::string_view(R"({"version":3,"sources":["a"],"mappings":""})"));
  js::MapReader reader;
  js::SourceMap map;
  js::SourceTexts texts;
  REQUIRE(reader.parse(full, js::Strictness::kTolerant, map));
  texts.assign(map);
  CHECK(texts.text(0) == "one");
  REQUIRE(reader.parse(bare, js::Strictness::kTolerant, map));
  texts.assign(map);
  CHECK(texts.size() == 0);
  CHECK(texts.text(0).empty());
}
