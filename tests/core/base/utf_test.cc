#include "core/base/utf.h"

#include <catch2/catch.hpp>
#include <string>

using namespace twofold;

TEST_CASE("DecodeUtf8.KnowsEveryLengthAndRefusesWhatIsNotUtf8") {
  struct Row {
    std::string bytes;
    char32_t code_point;
    int size_bytes;
    bool valid;
  };
  const Row rows[] = {
      {"A", 'A', 1, true},
      {"\xC3\xA9", 0xE9, 2, true},
      {"\xE2\x82\xAC", 0x20AC, 3, true},
      {"\xF0\x9F\x9A\x80", 0x1F680, 4, true},
      {"\xC0\x80", 0xFFFD, 1, false},          // overlong NUL
      {"\xE0\x9F\xBF", 0xFFFD, 1, false},      // overlong
      {"\xED\xA0\x80", 0xFFFD, 1, false},      // surrogate
      {"\xF4\x90\x80\x80", 0xFFFD, 1, false},  // above U+10FFFF
      {"\xF0\x9F\x9A", 0xFFFD, 1, false},      // cut
      {"\x80", 0xFFFD, 1, false},
  };
  for (const Row& row : rows) {
    const Utf8Char got = decode_utf8(row.bytes, 0);
    CHECK(got.code_point == row.code_point);
    CHECK(int{got.size_bytes} == row.size_bytes);
    CHECK(got.valid == row.valid);
  }
}

TEST_CASE("Utf16Column.CountsCodeUnitsNotBytesNorCodePoints") {
  const std::string line = "a\xC3\xA9\xF0\x9F\x9A\x80z";  // a é 🚀 z: bytes 1 2 4 1, units 1 1 2 1
  CHECK(to_utf16(line, Utf8Column(0)).value() == 0);
  CHECK(to_utf16(line, Utf8Column(1)).value() == 1);
  CHECK(to_utf16(line, Utf8Column(3)).value() == 2);
  CHECK(to_utf16(line, Utf8Column(7)).value() == 4);
  CHECK(to_utf16(line, Utf8Column(5)).value() == 2);     // inside the rocket: its start
  CHECK(to_utf16(line, Utf8Column(1000)).value() == 5);  // past the end: the end
  CHECK(to_utf8(line, Utf16Column(4)).value() == 7);
  CHECK(to_utf8(line, Utf16Column(3)).value() == 3);
  CHECK(to_utf8(line, Utf16Column(99)).value() == 8);
  CHECK(count_utf16(line) == 5);
}

TEST_CASE("CountUtf16.FastAsciiPathAgreesWithCountingOneByOne") {
  for (std::size_t size = 0; size < 40; ++size) {
    for (std::size_t place = 0; place <= size; ++place) {
      std::string text(size, 'x');
      text.insert(place, "\xF0\x9F\x9A\x80");
      CHECK(count_utf16(text) == size + 2);
      CHECK(is_valid_utf8(text));
      text.insert(place, "\xFF");
      CHECK(count_utf16(text) == size + 3);
      CHECK_FALSE(is_valid_utf8(text));
    }
  }
}

TEST_CASE("WithoutBom.TakesOneMarkFromTheStartOnly") {
  CHECK(without_bom("\xEF\xBB\xBFx") == "x");
  CHECK(without_bom("x\xEF\xBB\xBF") == "x\xEF\xBB\xBF");
  CHECK(without_bom("\xEF\xBB") == "\xEF\xBB");
}
