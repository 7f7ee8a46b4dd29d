#include "core/js/text_positions.h"

#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

#include "core/base/utf.h"
#include "core/js/line_breaks.h"
#include "core/js/scopes.h"

using namespace twofold;
using js::TextPositions;

namespace {

// The obvious twin: one character at a time from the start.
Position slow_position(std::string_view text, std::size_t offset) {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  for (std::size_t at = 0; at < offset;) {
    const Utf8Char c = decode_utf8(text, at);
    if (at + c.size_bytes > offset) break;
    at += c.size_bytes;
    const bool cr_of_crlf = c.code_point == '\r' && at < text.size() && text[at] == '\n';
    const bool is_break = c.code_point == '\n' || c.code_point == '\r' || c.code_point == 0x2028 ||
                          c.code_point == 0x2029;
    if (is_break && !cr_of_crlf) {
      ++line;
      column = 0;
    } else {
      column += c.code_point > 0xFFFF ? 2 : 1;
    }
  }
  return {Line(line), Utf16Column(column)};
}

}  // namespace

TEST_CASE("TextPositions.CountsLinesAndUtf16UnitsLikeTheSlowTwin") {
  std::string mixed;
  for (int i = 0; i < 40; ++i) {
    mixed += "abc\n\xC3\xA9\xF0\x9F\x9A\x80z\r\nlonger line without anything special in it\r";
    mixed += std::string(static_cast<std::size_t>(i), 'x') + "\xE2\x80\xA8\xE2\x82\xAC\xE2\x80\xA9";
  }
  const std::string texts[] = {"",
                               "a",
                               "\n",
                               "a\nb",
                               "a\r\nb\r\n",
                               "\xC3\xA9",
                               std::string(64, 'a'),
                               std::string(62, 'a') + "\xE2\x82\xAC" + "b",
                               std::string(200, 'a'),
                               mixed};
  for (const std::string& text : texts) {
    const TextPositions positions(text);
    for (std::size_t offset = 0; offset <= text.size(); ++offset) {
      const Position got = positions.position(static_cast<std::uint32_t>(offset));
      CHECK(got == slow_position(text, offset));
      const bool is_start =
          offset == text.size() || (static_cast<unsigned char>(text[offset]) & 0xC0) != 0x80;
      const bool in_break =
          offset > 0 && offset < text.size() && text[offset] == '\n' && text[offset - 1] == '\r';
      if (is_start && !in_break) CHECK(positions.offset(got) == offset);
    }
  }
}

TEST_CASE("TextPositions.ClampsWhatIsPastTheLineOrTheText") {
  const TextPositions positions("ab\r\nc");
  CHECK(positions.offset({Line(0), Utf16Column(99)}) == 2);
  CHECK(positions.offset({Line(1), Utf16Column(1)}) == 5);
  CHECK(positions.offset({Line(7), Utf16Column(0)}) == 5);
  CHECK(positions.position(99) == Position{Line(1), Utf16Column(1)});
  CHECK(positions.line_count() == 2);
}

TEMPLATE_TEST_CASE("ForEachLineBreakByte.FindsEveryByteInEveryPlace", "", js::PlainLineBreaks,
                   js::LineBreaks) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    for (std::size_t size = 1; size <= 2 * TestType::kBytes + 1; ++size) {
      for (std::size_t at = 0; at < size; ++at) {
        std::string text(size, 'a');
        text[at] = static_cast<char>(byte);
        std::vector<std::size_t> found;
        const bool is_ascii = js::for_each_line_break_byte<TestType>(
            text.data(), size, [&](std::size_t offset) { found.push_back(offset); });
        const bool is_break = byte == '\n' || byte == '\r' || byte == 0xE2;
        REQUIRE(found == (is_break ? std::vector{at} : std::vector<std::size_t>{}));
        REQUIRE(is_ascii == (byte < 0x80));
      }
    }
  }
}

TEMPLATE_TEST_CASE("ForEachLineBreakByte.EqualsALoopOverRandomBytes", "", js::PlainLineBreaks,
                   js::LineBreaks) {
  constexpr std::string_view kBytes = "\n\r\xE2\x62\x0B\x09\x8A\x8D\x80\xA8z";
  std::mt19937 random(1);
  for (unsigned run = 0; run < 5000; ++run) {
    std::string text;
    while (text.size() < run % 70u) text += kBytes[random() % kBytes.size()];
    std::vector<std::size_t> expected;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n' || text[i] == '\r' || text[i] == '\xE2') expected.push_back(i);
    }
    std::vector<std::size_t> found;
    static_cast<void>(js::for_each_line_break_byte<TestType>(
        text.data(), text.size(), [&](std::size_t offset) { found.push_back(offset); }));
    REQUIRE(found == expected);
  }
}

// Neighbours one after the other, as segments of a map ask, and at random.
TEST_CASE("InnermostScope.EqualsASearchFromTheStart") {
  const std::string text = "a;function b(){c;(()=>d)();class E{f(){}g=1}}h;var i=function(){j}";
  const auto changes = js::list_changes(js::find_functions(text));
  const auto slow = [&](std::uint32_t offset) {
    std::uint32_t scope = js::kNoEntry;
    for (const js::ScopeChange& change : changes) {
      if (change.offset <= offset) scope = change.scope;
    }
    return scope;
  };
  js::InnermostScope innermost(changes);
  std::mt19937 random(1);
  for (std::uint32_t i = 0; i < 4 * text.size(); ++i) {
    const auto offset =
        static_cast<std::uint32_t>(i < text.size() ? i : random() % (text.size() + 5));
    CAPTURE(offset);
    CHECK(innermost.find(offset) == slow(offset));
  }
  CHECK(js::InnermostScope({}).find(7) == js::kNoEntry);
}
