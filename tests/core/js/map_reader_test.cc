#include "core/js/map_reader.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "tests/core/js/read_map.h"

using namespace twofold;
using twofold::js::Strictness;
using twofold::test::read_map;
using twofold::test::to_text;

namespace {

// What stands in a map whose only interesting part is `field`.
std::string map_with(std::string_view field) {
  return R"({"version":3,"sources":["a"],"names":["n"],"mappings":"AAAA",)" + std::string(field) +
         "}";
}

// `error code: detail`, or what was read.
std::string read(std::string_view json, Strictness strictness = Strictness::kTolerant) {
  return to_text(read_map(json, strictness));
}

std::string join(const StringList& list) {
  std::string out;
  for (std::size_t i = 0; i < list.size(); ++i) out += (i > 0 ? "|" : "") + std::string(list[i]);
  return out;
}

js::SourceMap read_ok(std::string_view json) {
  auto read = read_map(json, Strictness::kTolerant);
  INFO(to_text(read));
  REQUIRE(read.status.ok());
  return std::move(read.map);
}

std::string repeat(std::string_view text, std::size_t count) {
  std::string out;
  out.reserve(text.size() * count);
  for (std::size_t i = 0; i < count; ++i) out += text;
  return out;
}

}  // namespace

TEST_CASE("MapReader.PlainMap") {
  const auto map = read_ok(
      R"({"version":3,"file":"out.js","sourceRoot":"src","sources":["a.js",null,"/b.js"],)"
      R"("sourcesContent":["x",null],"names":["n"],"mappings":"AAAAA;ACAA","debugId":"id-1"})");
  CHECK(map.file == "out.js");
  CHECK(map.debug_id == "id-1");
  CHECK(join(map.sources) == "src/a.js||/b.js");
  CHECK(join(map.names) == "n");
  REQUIRE(map.segments.size() == 2);
  CHECK(map.segments[0].name == 0);
  CHECK(map.segments[1].source == 1);
  CHECK(map.is_ignored == std::vector<bool>{false, false, false});
}

TEST_CASE("MapReader.GuardsAndByteOrderMark") {
  const std::string map = R"({"version":3,"sources":[],"mappings":"A"})";
  for (const std::string head : {"", "\xEF\xBB\xBF", ")]}'\n", ")]}'\r\n", ")]}',anything\n",
                                 "\xEF\xBB\xBF)]}'\n", " \n\t", ")]}'\n\n"}) {
    CAPTURE(head);
    CHECK(read(head + map) == "1 segments");
    CHECK(js::looks_like_source_map(head + map));
  }
  CHECK(read(")]}'" + map).substr(0, 8) == "bad_json");  // the guard is a whole line
}

TEST_CASE("MapReader.SourceRoot") {
  struct Case {
    const char* root;
    const char* source;
    const char* expected;
  };
  const Case cases[] = {
      {"", "a.js", "a.js"},
      {"src", "a.js", "src/a.js"},
      {"/src/", "a.js", "/src/a.js"},
      {"https://x/y", "a.js", "https://x/y/a.js"},
      {"src", "/a.js", "/a.js"},
      {"src", "https://x/a.js", "https://x/a.js"},
      {"src", "webpack:///a.js", "webpack:///a.js"},
      {"src", "C:\\a.js", "C:\\a.js"},
      {"src", "../a.js", "src/../a.js"},
      {"src", "a/b:c.js", "src/a/b:c.js"},  // no scheme: the colon is in a name
      {"src", "", ""},
      {"webpack:///", "./a.js", "webpack:///./a.js"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.root, c.source);
    std::string json = R"({"version":3,"sourceRoot":")" + std::string(c.root) + R"(","sources":[")";
    for (const char* at = c.source; *at != '\0'; ++at)
      json += *at == '\\' ? "\\\\" : std::string(1, *at);
    json += R"("],"mappings":""})";
    CHECK(join(read_ok(json).sources) == c.expected);
  }
  CHECK(join(read_ok(R"({"version":3,"sourceRoot":null,"sources":["a"],"mappings":""})").sources) ==
        "a");
}

TEST_CASE("MapReader.DebugId") {
  CHECK(read_ok(map_with(R"("debug_id":"old","debugId":"new")")).debug_id == "new");
  CHECK(read_ok(map_with(R"("debugId":"new","debug_id":"old")")).debug_id == "new");
  CHECK(read_ok(map_with(R"("debug_id":"old")")).debug_id == "old");
  CHECK(read_ok(map_with(R"("debugId":null,"debug_id":"old")")).debug_id == "old");
  CHECK(read_ok(map_with(R"("debugId":7)")).debug_id.empty());
}

TEST_CASE("MapReader.IgnoreList") {
  const std::string head = R"({"version":3,"sources":["a","b","c"],"mappings":"",)";
  const auto ignored = [&](const char* field) { return read_ok(head + field + "}").is_ignored; };
  using Bits = std::vector<bool>;
  CHECK(ignored(R"("ignoreList":[0,2])") == Bits{true, false, true});
  CHECK(ignored(R"("x_google_ignoreList":[1])") == Bits{false, true, false});
  CHECK(ignored(R"("x_google_ignoreList":[1],"ignoreList":[0])") == Bits{true, false, false});
  CHECK(ignored(R"("ignoreList":[0],"x_google_ignoreList":[1])") == Bits{true, false, false});
  CHECK(ignored(R"("ignoreList":[0,-1,3,4294967296,"x",null,1.5,[2],1])") ==
        Bits{true, true, false});
  CHECK(read(head + R"("ignoreList":[3]})", Strictness::kSpecification).substr(0, 7) == "bad_map");
  CHECK(read(head + R"("ignoreList":[-1]})", Strictness::kSpecification).substr(0, 7) == "bad_map");
  CHECK(read(head + R"("ignoreList":["0"]})", Strictness::kSpecification).substr(0, 7) ==
        "bad_map");
}

TEST_CASE("MapReader.NullInPlaceOfAList") {
  for (const char* field : {R"("names":null)", R"("ignoreList":null)", R"("sections":null)",
                            R"("x_google_ignoreList":null)"}) {
    CAPTURE(field);
    CHECK(read(map_with(field)) == "1 segments");
    CHECK(read(map_with(field), Strictness::kSpecification).substr(0, 7) == "bad_map");
  }
  CHECK(read(R"({"version":3,"sources":null,"mappings":"A"})") == "1 segments");
  CHECK(read(map_with(R"("sourcesContent":null)"), Strictness::kSpecification) == "1 segments");
}

TEST_CASE("MapReader.NumericNames") {
  const std::string json =
      R"({"version":3,"sources":["a"],"names":["x",17,1.5 , -2,1e3],"mappings":"AAAAG"})";
  CHECK(join(read_ok(json).names) == "x|17|1.5|-2|1e3");
  CHECK(read(json, Strictness::kSpecification).substr(0, 7) == "bad_map");
}

TEST_CASE("MapReader.EscapesAndUnicode") {
  const auto map = read_ok(
      R"({"version":3,"sources":["\u0061\/b","\ud83d\ude00.js","é"],"names":["\u0000","\ud800"],)"
      R"("mappings":"\u0041\u0041AA"})");
  CHECK(join(map.sources) == "a/b|\xF0\x9F\x98\x80.js|\xC3\xA9");
  CHECK(map.names[0] == std::string_view("\0", 1));
  CHECK(map.names[1] == "\xEF\xBF\xBD");  // a lone surrogate cannot be UTF-8
  REQUIRE(map.segments.size() == 1);      // escapes in `mappings` are text like any other
  CHECK(map.segments[0].source == 0);
  CHECK(read_ok(R"({"\u0076ersion":3,"sources":[],"mappi\u006egs":"A"})").segments.size() == 1);
}

TEST_CASE("MapReader.RepeatedKeysTakeTheLast") {
  CHECK(join(read_ok(map_with(R"("sources":["z","y"])")).sources) == "z|y");
  CHECK(read_ok(map_with(R"("mappings":"A,A,A")")).segments.size() == 3);
  CHECK(join(read_ok(map_with(R"("names":[])")).names) == "");
  CHECK(read_ok(map_with(R"("file":"x","file":null)")).file.empty());
}

// What nobody reads is stepped over; README.md says so. That strings and brackets match is still
// seen.
TEST_CASE("MapReader.SkippedValuesAreNotJudged") {
  CHECK(read(map_with(R"("x":tru)")) == "1 segments");
  CHECK(read(map_with(R"("x":[1 2 "])\"",@])")) == "1 segments");
  CHECK(read(map_with(R"("sourcesContent":["\q"])")) == "1 segments");
  CHECK(read(map_with(R"("x":[1)")).substr(0, 8) == "bad_json");
  CHECK(read(map_with(R"("x":"\)")).substr(0, 8) == "bad_json");
}

TEST_CASE("MapReader.UnsortedSegmentsAreSorted") {
  const auto map = read_ok(R"({"version":3,"sources":["a"],"mappings":"KAAA,DACA,DAAA;CAAA"})");
  REQUIRE(map.segments.size() == 4);
  CHECK(map.segments[0].generated.column.value() == 3);
  CHECK(map.segments[1].generated.column.value() == 4);
  CHECK(map.segments[2].generated.column.value() == 5);
  CHECK(map.segments[3].generated.line.value() == 1);
}

TEST_CASE("MapReader.IndexMap") {
  const auto map = read_ok(
      R"({"version":3,"file":"all.js","debugId":"whole","sections":[)"
      R"({"offset":{"line":0,"column":0},"map":{"version":3,"sources":["a"],"names":["n"],)"
      R"("mappings":"AAAAA,IAAA;AACA,qBAAA","debugId":"inner"}},)"
      R"({"offset":{"line":1,"column":10},"map":{"version":3,"sources":["b"],"names":["m"],)"
      R"("mappings":"CAAAA;EAAA","ignoreList":[0]}}]})");
  CHECK(map.file == "all.js");
  CHECK(map.debug_id == "whole");
  CHECK(join(map.sources) == "a|b");
  CHECK(map.is_ignored == std::vector<bool>{false, true});
  std::string got;
  for (const auto& s : map.segments) {
    got += std::to_string(s.generated.line.value()) + ":" +
           std::to_string(s.generated.column.value()) +
           (s.source == js::kNoIndex ? "-" : std::string(map.sources[s.source])) +
           (s.name == js::kNoIndex ? "" : std::string(map.names[s.name])) + " ";
  }
  // The first section's segment at 1:21 belongs to the second one; 1:10 opens it, unmapped.
  CHECK(got == "0:0an 0:4a 1:0a 1:10- 1:11bm 2:2b ");
}

TEST_CASE("MapReader.NestedIndexMaps") {
  std::string json = R"({"version":3,"sources":["a"],"mappings":"CAAA;CAAA"})";
  const auto nest = [&] {
    json = R"({"version":3,"sections":[{"offset":{"line":1,"column":2},"map":)" + json + "}]}";
  };
  for (unsigned depth = 0; depth < js::kMaxSectionDepth; ++depth) nest();
  const auto map = read_ok(json);
  REQUIRE(map.segments.size() == 3);  // with the unmapped one where the section begins
  CHECK(map.segments[1].generated == Position{Line(8), Utf16Column(1 + 2 * 8 - 2 * 7)});
  CHECK(map.segments[2].generated == Position{Line(9), Utf16Column(1)});
  nest();
  CHECK(read(json).substr(0, 11) == "bad_section");
}

TEST_CASE("MapReader.SectionFaults") {
  const auto section = [](const char* offset, const char* rest) {
    return R"({"version":3,"sections":[{"offset":)" + std::string(offset) + "," + rest + "}]}";
  };
  const char* const map = R"("map":{"version":3,"sources":[],"mappings":""})";
  CHECK(read(section(R"({"line":0,"column":0})", map)) == "1 segments");
  CHECK(read(section(R"({"line":-1,"column":0})", map)).substr(0, 7) == "bad_map");
  CHECK(read(section(R"({"line":0.5,"column":0})", map)).substr(0, 7) == "bad_map");
  CHECK(read(section(R"({"line":268435456,"column":0})", map)).substr(0, 11) == "bad_section");
  CHECK(read(section(R"({"line":0,"column":18446744073709551615})", map)).substr(0, 11) ==
        "bad_section");
  CHECK(read(section(R"({"line":0,"column":18446744073709551616})", map)).substr(0, 7) ==
        "bad_map");
  CHECK(read(section(R"({"line":0,"column":0})", R"("url":"x.map")")).substr(0, 11) ==
        "unsupported");
  CHECK(read(section(R"({"line":0})", map)).substr(0, 7) == "bad_map");
  const auto two = [&](const char* first, const char* second) {
    return read(R"({"version":3,"sections":[{"offset":)" + std::string(first) + "," + map +
                R"(},{"offset":)" + second + "," + map + "}]}");
  };
  CHECK(two(R"({"line":0,"column":5})", R"({"line":0,"column":6})") == "2 segments");
  CHECK(two(R"({"line":0,"column":5})", R"({"line":0,"column":5})").substr(0, 11) == "bad_section");
  CHECK(two(R"({"line":1,"column":0})", R"({"line":0,"column":9})").substr(0, 11) == "bad_section");
  CHECK(read(R"({"version":3,"sections":[1]})").substr(0, 7) == "bad_map");
  CHECK(read(R"({"version":3,"sections":{}})").substr(0, 7) == "bad_map");
  CHECK(read(R"({"version":3,"sections":[]})") == "0 segments");
}

TEST_CASE("MapReader.FaultsNameCodeOffsetAndReason") {
  struct Case {
    std::string_view json;
    const char* expected;
  };
  const Case cases[] = {
      {"", "bad_json 0: empty"},
      {" \n", "bad_json 0: empty"},
      {")]}'", "bad_json 4: empty"},
      {"\xEF\xBB\xBF", "bad_json 3: empty"},
      {"[]", "bad_map 0: not a JSON object"},
      {"3", "bad_map 0: not a JSON object"},
      {"\"x\"", "bad_map 0: not a JSON object"},
      {"null", "bad_map 0: not a JSON object"},
      {"{}", "bad_map 0: `version` is missing"},
      {R"({"version":3,"mappings":""})", "bad_map 0: `sources` is missing"},
      {R"({"version":2,"sources":[],"mappings":""})", "unsupported_version"},
      {R"({"version":3.0,"sources":[],"mappings":""})", "bad_map"},
      {R"({"version":3,"sources":[],"mappings":"AA"})",
       "bad_mapping 38: a segment of 2 or 3 fields"},
      {R"({"version":3,"sources":[],"mappings":"A!"})", "bad_mapping 39: not a base64 digit"},
      {"\xEF\xBB\xBF)]}'\n{\"version\":3,\"sources\":[],\"mappings\":\"A!\"}",
       "bad_mapping 47: not a base64 digit"},
      {R"({"version":3,"sources":[],"mappings":""} x)",
       "bad_json 42: the text does not end with the brace"},
      {R"({"version":3,"sources":[],"mappings":""} {})", "bad_json 41: text behind the JSON value"},
      {R"({"version":3,"sources":[],"mappings":"")",
       "bad_json 39: the text does not end with the brace"},
      {R"({"version":3,"sources":[],"mappings":)", "bad_json"},
      {R"({"version":3,"sources":["a)", "bad_json 26: the text ends inside a string"},
      {"{\"version\":3,\"sources\":[\"a\n\"],\"mappings\":\"\"}",
       "bad_json 26: a control character inside a string"},
      {"{\"version\":3,\"sources\":[\"a\\\"\x01\"],\"mappings\":\"\"}",
       "bad_json 28: a control character inside a string"},
      {"{\"version\":3,\"sources\":[\"\xC3\"],\"mappings\":\"\"}", "bad_json 25: not UTF-8"},
      {"{\"version\":3,\"sources\":[\"\xED\xA0\x80\"],\"mappings\":\"\"}",
       "bad_json 25: not UTF-8"},
      {R"({"version":3,"sources":["\x"],"mappings":""})", "bad_json"},
      {R"({"version":3,"sources":["\ud83"],"mappings":""})", "bad_json"},
      {R"({version:3})", "bad_json"},
      {"\x7F"
       "ELF",
       "bad_json"},
      {std::string_view("\0\0\0\0", 4), "bad_json"},
      {"<!doctype html><html></html>", "bad_json"},
      {"export default {}", "bad_json"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.json);
    CHECK_THAT(read(c.json), Catch::StartsWith(c.expected));
    CHECK_THAT(read(c.json, Strictness::kSpecification), Catch::StartsWith(c.expected));
  }
}

// NUL bytes: outside a string no JSON, inside one not allowed unescaped.
TEST_CASE("MapReader.NulBytesAreRefused") {
  const std::string good = R"({"version":3,"sources":["a"],"mappings":"AAAA"})";
  for (std::size_t at = 0; at <= good.size(); ++at) {
    std::string json = good;
    json.insert(at, 1, '\0');
    CAPTURE(at);
    CHECK_FALSE(read_map(json, Strictness::kTolerant).status.ok());
  }
}

TEST_CASE("MapReader.EveryTruncationIsRefused") {
  const std::string maps[] = {
      R"({"version":3,"file":"o","sourceRoot":"r","sources":["a",null],"sourcesContent":["x\"y\\",null],)"
      R"("names":["n",4],"mappings":"AAAAA;ACAA","ignoreList":[0,-1],"x":{"y":[1,{"z":null}]},"debugId":"i"})",
      R"({"version":3,"sections":[{"offset":{"line":0,"column":0},"map":{"version":3,"sources":["a"],)"
      R"("mappings":"AAAA"}},{"offset":{"line":1,"column":0},"map":{"version":3,"sections":[]}}]})",
  };
  for (const std::string& map : maps) {
    REQUIRE(read_map(map, Strictness::kTolerant).status.ok());
    for (std::size_t size = 0; size < map.size(); ++size) {
      CAPTURE(size);
      const auto result = read_map(std::string_view(map).substr(0, size), Strictness::kTolerant);
      REQUIRE_FALSE(result.status.ok());
      CHECK(result.status.error().code == Code::kBadJson);
      CHECK(result.status.error().offset <= size);
    }
  }
}

TEST_CASE("MapReader.EveryFlippedByteIsSafe") {
  const std::string map =
      R"({"version":3,"sources":["a",null],"sourcesContent":["x\"y\\",null],"names":["n",4],)"
      R"("mappings":"AAAAA;ACAA","ignoreList":[0,-1],"x":{"y":[1,{"z":null}]}})";
  for (std::size_t at = 0; at < map.size(); ++at) {
    for (unsigned value = 0; value < 256; ++value) {
      std::string changed = map;
      changed[at] = static_cast<char>(value);
      const auto result = read_map(changed, Strictness::kTolerant);
      if (!result.status.ok()) REQUIRE(result.status.error().offset <= map.size());
    }
  }
}

// Depth costs no stack: the reader never recurses on input.
TEST_CASE("MapReader.DeepNesting") {
  const std::size_t depth = 2'000'000;
  CHECK_FALSE(read_map(repeat("[", depth), Strictness::kTolerant).status.ok());
  CHECK_FALSE(read_map(repeat("{\"a\":", depth), Strictness::kTolerant).status.ok());
  CHECK_FALSE(read_map(repeat("{\"sections\":[", depth), Strictness::kTolerant).status.ok());
  const std::string deep = repeat("[", depth) + repeat("]", depth);
  CHECK(read(map_with("\"x\":" + deep)) == "1 segments");
  CHECK_FALSE(read_map(map_with("\"x\":" + repeat("[", depth)), Strictness::kTolerant).status.ok());
  CHECK_FALSE(read_map(map_with("\"sources\":" + deep), Strictness::kTolerant).status.ok());
  CHECK_FALSE(read_map(map_with("\"sourcesContent\":" + deep), Strictness::kTolerant).status.ok());
  CHECK_FALSE(read_map(map_with("\"ignoreList\":{}"), Strictness::kTolerant).status.ok());
}

// A section whose map is the index map again, as far down as the text goes, and sections beside
// each other in great number: time stays in proportion to the text.
TEST_CASE("MapReader.ManySections") {
  std::string json = R"({"version":3,"sections":[)";
  const std::uint32_t count = 20000;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i > 0) json += ',';
    json += R"({"offset":{"line":)" + std::to_string(i) +
            R"(,"column":0},"map":{"version":3,"sources":["a"],"mappings":"AAAA,C"}})";
  }
  json += "]}";
  const auto map = read_ok(json);
  CHECK(map.segments.size() == std::size_t{2} * count);
  CHECK(map.sources.size() == count);
}

TEST_CASE("MapReader.TenMegabyteLines") {
  const std::size_t size = 10'000'000;
  CHECK(read_ok(map_with("\"x\":\"" + std::string(size, 'y') + "\"")).segments.size() == 1);
  CHECK(read_ok(map_with("\"sourcesContent\":[\"" + std::string(size, 'y') + "\"]"))
            .segments.size() == 1);
  CHECK(read_ok(map_with("\"file\":\"" + std::string(size, 'y') + "\"")).file.size() == size);
  CHECK(read_ok(map_with("\"mappings\":\"" + std::string(size, ';') + "A\""))
            .segments[0]
            .generated.line == Line(static_cast<std::uint32_t>(size)));
  CHECK(read_ok(map_with("\"mappings\":\"" + repeat("CAAA,", size / 5) + "C\"")).segments.size() ==
        size / 5 + 1);
  CHECK(read(map_with("\"mappings\":\"" + std::string(size, 'g') + "\"")).substr(0, 11) ==
        "bad_mapping");
}

// One reader reads many maps; what one leaves behind must not show in the next.
TEST_CASE("MapReader.ReusedReaderForgets") {
  js::MapReader reader;
  js::SourceMap map;
  const PaddedBuffer rich(std::string_view(
      R"({"version":3,"file":"f","sourceRoot":"r","sources":["a"],"names":["n"],"mappings":"AAAAA",)"
      R"("ignoreList":[0],"debugId":"i"})"));
  const PaddedBuffer poor(std::string_view(R"({"version":3,"sources":["b"],"mappings":""})"));
  const PaddedBuffer bad(std::string_view("{\"version\":3,\"sources\":[\"b\n"));
  for (int round = 0; round < 3; ++round) {
    REQUIRE(reader.parse(rich, Strictness::kTolerant, map).ok());
    CHECK(map.is_ignored == std::vector<bool>{true});
    CHECK(join(map.sources) == "r/a");
    CHECK_FALSE(reader.parse(bad, Strictness::kTolerant, map).ok());
    CHECK(map.sources.size() == 0);
    CHECK(map.segments.empty());
    REQUIRE(reader.parse(poor, Strictness::kTolerant, map).ok());
    CHECK(map.file.empty());
    CHECK(map.debug_id.empty());
    CHECK(map.names.size() == 0);
    CHECK(join(map.sources) == "b");
    CHECK(map.is_ignored == std::vector<bool>{false});
  }
}

TEST_CASE("LooksLikeSourceMap.Cases") {
  CHECK(js::looks_like_source_map(R"( {"version" : 3, "mappings":"", "sources":[]})"));
  CHECK(js::looks_like_source_map(R"({"sections":[],"version":3})"));
  CHECK_FALSE(js::looks_like_source_map(""));
  CHECK_FALSE(js::looks_like_source_map("{}"));
  CHECK_FALSE(js::looks_like_source_map(R"(["version","mappings"])"));
  CHECK_FALSE(js::looks_like_source_map("var version, mappings"));
}
