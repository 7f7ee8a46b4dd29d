#include "core/js/text_positions.h"

#include <catch2/catch.hpp>
#include <string>

#include "core/base/utf.h"

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
