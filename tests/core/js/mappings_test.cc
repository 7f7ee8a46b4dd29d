#include "core/js/mappings.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/reference/slow_map.h"
#include "tests/support/random.h"

using namespace twofold;
using twofold::test::Random;

namespace {

constexpr js::MappingBounds kTolerant{3, 3, js::Strictness::kTolerant};
constexpr js::MappingBounds kSpecification{3, 3, js::Strictness::kSpecification};

// Segments as text: `line:column` then `>source:line:column` and `#name` where there is one.
std::string to_text(const std::vector<js::Segment>& segments) {
  std::string out;
  const auto number = [](std::uint32_t value) { return std::to_string(value); };
  for (const js::Segment& s : segments) {
    if (!out.empty()) out += ' ';
    out += number(s.generated.line.value()) + ":" + number(s.generated.column.value());
    if (s.source != js::kNoIndex) {
      out += ">" + number(s.source) + ":" + number(s.original.line.value()) + ":" +
             number(s.original.column.value());
    }
    if (s.name != js::kNoIndex) out += "#" + number(s.name);
  }
  return out;
}

std::string decode(std::string_view mappings, const js::MappingBounds& bounds = kTolerant) {
  std::vector<js::Segment> segments;
  const auto result = js::decode_mappings(mappings, bounds, segments);
  if (!result.ok()) {
    return std::to_string(result.error().offset) + " " + result.error().detail;
  }
  return to_text(segments) + (result.value().is_sorted ? "" : " unsorted");
}

std::string encode(long long value) {
  static constexpr char kAlphabet[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  auto bits = static_cast<unsigned long long>(value < 0 ? -value : value) * 2 + (value < 0 ? 1 : 0);
  std::string out;
  do {
    out += kAlphabet[(bits & 31) | (bits > 31 ? 32 : 0)];
    bits >>= 5;
  } while (bits > 0);
  return out;
}

}  // namespace

TEST_CASE("DecodeMappings.Segments") {
  struct Case {
    std::string_view mappings;
    const char* expected;
  };
  const Case cases[] = {
      {"", ""},
      {";;;", ""},
      {"A", "0:0"},
      {"AAAA", "0:0>0:0:0"},
      {"AAAAA", "0:0>0:0:0#0"},
      {"AAAA,IACA;EADA", "0:0>0:0:0 0:4>0:1:0 1:2>0:0:0"},
      {";;K;", "2:5"},
      {"AACC;AACD,CADA,C", "0:0>0:1:1 1:0>0:2:0 1:1>0:1:0 1:2"},
      {"ACAA;ADAA", "0:0>1:0:0 1:0>0:0:0"},
      {"AAAAC,CAAAD", "0:0>0:0:0#1 0:1>0:0:0#0"},
      // A segment without a source changes none of the totals but its column.
      {"CCCCC,C,CAAAA", "0:1>1:1:1#1 0:2 0:3>1:1:1#1"},
      // The column starts over on every line, the rest goes on.
      {"KAAA;KAAA", "0:5>0:0:0 1:5>0:0:0"},
      {"KAAA,DAAA,DAAA", "0:5>0:0:0 0:4>0:0:0 0:3>0:0:0 unsorted"},
      {"KAAA;CAAA", "0:5>0:0:0 1:1>0:0:0"},  // going back across lines is sorted
      {"gAAAA,ggggA", "0:0>0:0:0 0:0"},      // redundant zero digits
      {"+/////DAAA", "0:2147483647>0:0:0"},
      {"AA+/////D+/////D", "0:0>0:2147483647:2147483647"},
      {"+/////DAAA,//////DAAA", "0:2147483647>0:0:0 0:0>0:0:0 unsorted"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.mappings);
    CHECK(decode(c.mappings) == c.expected);
    CHECK(decode(c.mappings, kSpecification) == c.expected);
  }
}

TEST_CASE("DecodeMappings.FaultsNameOffsetAndReason") {
  struct Case {
    std::string_view mappings;
    const char* expected;
  };
  const Case cases[] = {
      {"AA", "0 a segment of 2 or 3 fields"},
      {"AAA", "0 a segment of 2 or 3 fields"},
      {"AAAAAA", "0 a segment of more than 5 fields"},
      {"A,AA", "2 a segment of 2 or 3 fields"},
      {"AAAA,", "5 an empty segment"},
      {",AAAA", "0 not a base64 digit"},
      {"A,,A", "2 an empty segment"},
      {"A,;A", "2 an empty segment"},
      {"A;,A", "2 not a base64 digit"},
      {"A A", "1 not a base64 digit"},
      {"AAA=", "3 not a base64 digit"},
      {"AAAA.AAAA", "4 not a base64 digit"},
      {"\xC3\xA9", "0 not a base64 digit"},
      {std::string_view("A\0A", 3), "1 not a base64 digit"},
      {"g", "1 a number breaks off"},
      {"AAAg", "4 a number breaks off"},
      {"AAAg,A", "4 a number breaks off"},
      {"AAAg;A", "4 a number breaks off"},
      {"D", "0 a generated column out of range"},
      {"CAAA,FAAA", "5 a generated column out of range"},
      {"ADAA", "0 a source that is not listed"},
      {"AGAA", "0 a source that is not listed"},
      {"AACC,CADF", "5 an original column out of range"},
      {"AAAD", "0 an original column out of range"},
      {"AAAAD", "0 a name that is not listed"},
      {"AAAAG", "0 a name that is not listed"},
      {"B", "0 a generated column out of range"},  // -0 means -2^31
      {"ggggggE", "6 a number passes 32 bits"},
      {"+/////DAAA,CAAA", "11 a generated column out of range"},
      {"AAA+/////D,AAAC", "11 an original column out of range"},
      {"AA+/////DA,AACA", "11 an original line out of range"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.mappings);
    CHECK(decode(c.mappings) == c.expected);
    CHECK(decode(c.mappings, kSpecification) == c.expected);
  }
}

// The Hermes optimiser writes line -1 for code that has no source.
TEST_CASE("DecodeMappings.NegativeOriginalLineIsUnmappedWhenTolerant") {
  CHECK(decode("AADAA,CACA") == "0:0 0:1>0:0:0");
  CHECK(decode("AADA", kSpecification) == "0 an original line out of range");
  CHECK(decode("AABA") == "0 an original line out of range");  // -2^31 is beyond tolerance
}

TEST_CASE("DecodeMappings.AppendsBehindWhatIsThere") {
  std::vector<js::Segment> segments(2);
  REQUIRE(js::decode_mappings("C;C", kTolerant, segments).ok());
  CHECK(to_text(segments) == "0:0 0:0 0:1 1:1");
}

namespace {

// "" when both decoders refuse `text` or read the same from it.
std::string compare_with_twin(std::string_view text) {
  const std::vector<std::string> listed{"a", "b", "c"};
  std::vector<js::Segment> fast;
  const auto decoded = js::decode_mappings(text, kTolerant, fast);
  const auto slow = reference::slow_decode_mappings(text, listed, listed);
  if (decoded.ok() != slow.has_value()) return decoded.ok() ? "accepted" : decoded.error().detail;
  if (!slow) return "";
  if (fast.size() != slow->size()) return "another number of segments";
  bool is_sorted = true;
  for (std::size_t i = 0; i < fast.size(); ++i) {
    const reference::SlowSegment& expected = (*slow)[i];
    const auto differs = [&](const char* what) {
      return what + (" of segment " + std::to_string(i));
    };
    if (fast[i].generated != Position{Line(expected.line), Utf16Column(expected.column)}) {
      return differs("place");
    }
    if (i > 0) is_sorted = is_sorted && fast[i - 1].generated <= fast[i].generated;
    if ((fast[i].name != js::kNoIndex) != expected.name.has_value()) return differs("name");
    if (expected.name && listed[fast[i].name] != *expected.name) return differs("name");
    if ((fast[i].source != js::kNoIndex) != expected.is_mapped) return differs("source");
    if (!expected.is_mapped) continue;
    const Position original{Line(expected.original_line), Utf16Column(expected.original_column)};
    if (listed[fast[i].source] != expected.source) return differs("source");
    if (fast[i].original != original) return differs("original place");
  }
  return decoded.value().is_sorted == is_sorted ? "" : "sortedness";
}

// A text of valid and, at times, nearly valid pieces. `reach` bounds how far columns and lines
// move.
std::string generate(Random& random, std::uint32_t pieces, std::uint32_t reach, bool with_noise) {
  static constexpr const char* kNoise[] = {",",       ";", "g",    "!", "B", "ggggA", "//////D",
                                           "+/////D", "A", "\xC3", "=", "+", "/",     ".",
                                           ":",       "@", "[",    "`", "{", " "};
  static constexpr std::uint32_t kCounts[] = {1, 4, 4, 4, 5, 5, 5, 4};
  std::string text;
  bool in_line = false;
  const auto move = [&](std::uint32_t forward, std::uint32_t back) {
    return static_cast<int>(random.below(forward)) - static_cast<int>(random.below(back));
  };
  // Moves that keep the totals in range most of the time: sources and names stay between 0 and 2.
  int source = 0;
  int name = 0;
  for (std::uint32_t i = 0; i < pieces; ++i) {
    if (with_noise && random.below(40) == 0) text += kNoise[random.below(20)];
    if (random.below(6) == 0) {
      text += ';';
      in_line = false;
      continue;
    }
    if (in_line) text += ',';
    in_line = true;
    const std::uint32_t count =
        with_noise && random.below(60) == 0 ? 1 + random.below(6) : kCounts[random.below(8)];
    text += encode(random.below(9) == 0 ? move(reach, reach / 4 + 1) : move(40, 2));
    const int next_source = static_cast<int>(random.below(3));
    if (count > 1) text += encode(next_source - source);
    if (count > 1) source = next_source;
    if (count > 2) text += encode(random.below(9) == 0 ? move(reach, reach / 2 + 1) : move(9, 3));
    if (count > 3) text += encode(random.below(9) == 0 ? move(reach, reach / 2 + 1) : move(20, 6));
    const int next_name = static_cast<int>(random.below(3));
    if (count > 4) text += encode(next_name - name);
    if (count > 4) name = next_name;
  }
  return text;
}

bool is_accepted(std::string_view text) {
  std::vector<js::Segment> segments;
  return js::decode_mappings(text, kTolerant, segments).ok();
}

}  // namespace

TEST_CASE("DecodeMappings.EqualsSlowTwinOnGeneratedText") {
  Random random(99);
  int accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    const std::uint32_t pieces = round % 20 == 0 ? 300 : 12;
    const std::uint32_t reach = round % 3 == 0 ? 3'000'000 : 600;
    const std::string text = generate(random, random.below(pieces) + 1, reach, round % 2 == 0);
    INFO(text);
    REQUIRE(compare_with_twin(text) == "");
    accepted += is_accepted(text) ? 1 : 0;
  }
  CHECK(accepted > 3000);
}

// Every character of a text that the fast path reads, changed to every kind of character.
TEST_CASE("DecodeMappings.EqualsSlowTwinOnEveryChangedCharacter") {
  Random random(5);
  std::string text;
  while (text.size() < 150 || !is_accepted(text)) text = generate(random, 30, 600, false);
  const std::string_view kinds("AB,;gz/+09=-_.:@[`{ \0\x7F\x80\xAC\xBB\xFF", 26);
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const char kind : kinds) {
      std::string changed = text;
      changed[at] = kind;
      INFO(changed);
      REQUIRE(compare_with_twin(changed) == "");
    }
    INFO(at);
    REQUIRE(compare_with_twin(std::string_view(text).substr(0, at)) == "");
  }
}

// Each total alone at the end of its range, one short of it and one beyond, inside a long text.
TEST_CASE("DecodeMappings.LimitsHoldInLongText") {
  const std::string tail = ",AAAA,AAAAA,CAAA,CAAA,CAAAA;AAAA,CAAA,CAAA";
  for (const long long value :
       {0LL, 1LL, 2LL, 3LL, -1LL, 1048575LL, 0x7FFFFFFELL, 0x7FFFFFFFLL, 0x80000000LL}) {
    for (int field = 0; field < 5; ++field) {
      std::string text;
      for (int i = 0; i < 5; ++i) text += encode(i == field ? value : 0);
      INFO(text);
      CHECK(compare_with_twin(text + tail) == "");
      CHECK(compare_with_twin("AAAAA,AAAAA," + text + tail) == "");
      CHECK(compare_with_twin(text + ",B" + tail) == "");
    }
  }
}

// A map without names, or without sources, has no segments that use them.
TEST_CASE("DecodeMappings.EmptyListsHoldInLongText") {
  const js::MappingBounds no_names{1, 0, js::Strictness::kTolerant};
  const js::MappingBounds nothing{0, 0, js::Strictness::kTolerant};
  const std::string four = "AAAA,CAAA,CAAA,CAAA,CAAA,CAAA";
  CHECK(decode(four, no_names) == decode(four));
  CHECK(decode("AAAAA," + four, no_names) == "0 a name that is not listed");
  CHECK(decode(four + ",CAAAA,AAAA,AAAA,AAAA,AAAA", no_names) == "30 a name that is not listed");
  CHECK(decode(four, nothing) == "0 a source that is not listed");
  CHECK(decode("A,C,C,C,C,C,C,C;C,C,C,C,C,C,C", nothing) ==
        decode("A,C,C,C,C,C,C,C;C,C,C,C,C,C,C"));
}
