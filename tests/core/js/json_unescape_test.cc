#include "core/js/json_unescape.h"

#include <simdjson.h>

#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/random.h"

using namespace twofold;

namespace {

using Unescape = char* (*)(std::string_view, char*);

std::optional<std::string> unescape_by(Unescape unescape, const std::string& string) {
  // An exact copy, so that a read behind the end is noticed.
  const std::vector<char> exact(string.begin(), string.end());
  std::vector<char> out(string.size() + js::kUnescapeSlackBytes);
  const char* const end = unescape({exact.data(), exact.size()}, out.data());
  if (end == nullptr) return std::nullopt;
  return std::string(out.data(), static_cast<std::size_t>(end - out.data()));
}

std::optional<std::string> unescape_by_simdjson(const std::string& string) {
  const simdjson::padded_string quoted('"' + string + '"');
  std::vector<std::uint8_t> out(string.size() + 2 * simdjson::SIMDJSON_PADDING);
  simdjson::ondemand::parser parser;
  REQUIRE(parser.allocate(1) == simdjson::SUCCESS);
  std::uint8_t* to = out.data();
  const simdjson::ondemand::raw_json_string raw(
      reinterpret_cast<const std::uint8_t*>(quoted.data()) + 1);
  std::string_view text;
  if (parser.unescape(raw, to, true).get(text) != simdjson::SUCCESS) return std::nullopt;
  return std::string(text);
}

void check(const std::string& string) {
  INFO(string);
  const auto expected = unescape_by_simdjson(string);
  CHECK(unescape_by(js::unescape_json, string) == expected);
  CHECK(unescape_by(js::unescape_json_plainly, string) == expected);
}

}  // namespace

TEST_CASE("UnescapeJson.SaysWhatSimdjsonSays") {
  const std::vector<std::string> pieces = {
      R"(\n)",     R"(\t)",           R"(\")",     R"(\\)",     R"(\/)",
      R"(\r)",     R"(\b)",           R"(\f)",     R"(\u0041)", R"(\ud83d\ude00)",
      R"(\ud83d)", R"(\ude00)",       R"(\u20ac)", R"(\u00e4)", "\xC3\xA4",
      "a",         "0123456789abcde", "nrt",       " "};
  test::Random random(7);
  for (int round = 0; round < 20000; ++round) {
    std::string string;
    for (std::uint32_t i = random.below(24); i > 0; --i) {
      string += pieces[random.below(static_cast<std::uint32_t>(pieces.size()))];
    }
    check(string);
  }
}

TEST_CASE("UnescapeJson.EveryEscapeAtEveryPlaceOfAWindow") {
  for (int byte = 0x20; byte < 0x7F; ++byte) {
    for (std::size_t before = 0; before < 34; before += byte == 'u' || byte == 'n' ? 1 : 11) {
      const std::string head = std::string(before, 'x') + '\\' + static_cast<char>(byte);
      if (byte == '"') continue;  // below: at the end of the text it would close the string
      check(head + "0041" + std::string(20, 'y'));
      check(head + "zz" + std::string(20, 'y'));
    }
  }
  check(std::string(15, 'x') + R"(\")" + std::string(20, 'y'));
}

TEST_CASE("UnescapeJson.AnEscapeThatBreaksOffIsNone") {
  for (std::size_t before = 0; before < 20; ++before) {
    for (const char* end : {"\\u", "\\u1", "\\u12", "\\u123", "\\ud83d\\u", "\\ud83d\\u1"}) {
      const std::string string = std::string(before, 'x') + end;
      CHECK(unescape_by(js::unescape_json, string) == std::nullopt);
      CHECK(unescape_by(js::unescape_json_plainly, string) == std::nullopt);
    }
  }
}
