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

// Text made of valid and nearly valid pieces: both decoders accept the same and see the same.
TEST_CASE("DecodeMappings.EqualsSlowTwinOnGeneratedText") {
  Random random(99);
  const std::vector<std::string> listed{"a", "b", "c"};
  const char* const kNoise[] = {",", ";", "g", "!", "B", "ggggA", "//////D", "+/////D", "A"};
  int accepted = 0;
  for (int round = 0; round < 30000; ++round) {
    std::string text;
    const std::uint32_t pieces = random.below(12);
    bool in_line = false;
    for (std::uint32_t i = 0; i < pieces; ++i) {
      if (random.below(40) == 0) text += kNoise[random.below(9)];
      if (random.below(4) == 0) {
        text += ';';
        in_line = false;
        continue;
      }
      if (in_line) text += ',';
      in_line = true;
      const std::uint32_t fields[] = {1, 4, 4, 4, 5, 5, 2 + random.below(2) * 2, 4};
      const std::uint32_t count = fields[random.below(8)];
      text += encode(random.below(40) - (random.below(6) == 0 ? 3 : 0));
      if (count > 1) text += encode(static_cast<int>(random.below(3)) - 1);
      if (count > 2) text += encode(static_cast<int>(random.below(9)) - 3);
      if (count > 3) text += encode(static_cast<int>(random.below(9)) - 3);
      if (count > 4) text += encode(static_cast<int>(random.below(3)) - 1);
    }
    CAPTURE(text);
    std::vector<js::Segment> fast;
    const auto decoded = js::decode_mappings(text, kTolerant, fast);
    const auto slow = reference::slow_decode_mappings(text, listed, listed);
    REQUIRE(decoded.ok() == slow.has_value());
    if (!slow) continue;
    ++accepted;
    REQUIRE(fast.size() == slow->size());
    for (std::size_t i = 0; i < fast.size(); ++i) {
      const reference::SlowSegment& expected = (*slow)[i];
      REQUIRE(fast[i].generated == Position{Line(expected.line), Utf16Column(expected.column)});
      REQUIRE((fast[i].source != js::kNoIndex) == expected.is_mapped);
      REQUIRE((fast[i].name != js::kNoIndex) == expected.name.has_value());
      if (expected.name) REQUIRE(listed[fast[i].name] == *expected.name);
      if (!expected.is_mapped) continue;
      REQUIRE(listed[fast[i].source] == expected.source);
      REQUIRE(fast[i].original ==
              Position{Line(expected.original_line), Utf16Column(expected.original_column)});
    }
  }
  CHECK(accepted > 3000);
}
