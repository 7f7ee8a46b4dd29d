#include "core/base/vlq.h"

#include <catch2/catch.hpp>
#include <string>
#include <string_view>

using namespace twofold;

namespace {
Vlq decode(std::string_view text) {
  return decode_vlq(text.data(), text.data() + text.size());
}
}  // namespace

TEST_CASE("DecodeVlq.KnownNumbers") {
  struct Row {
    std::string_view text;
    std::int64_t value;
  };
  const Row rows[] = {
      {"A", 0},
      {"C", 1},
      {"D", -1},
      {"e", 15},
      {"gB", 16},
      {"hB", -16},
      {"2H", 123},
      {"gggA", 0},  // redundant zero digits
      {"+/////D", 2147483647},
      {"//////D", -2147483647},
      {"B", -2147483648LL},  // -0 is the smallest number
      {std::string_view("ggggggggggggggggggggggA"), 0},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const Vlq got = decode(row.text);
    CHECK(got.fault == VlqFault::kNone);
    CHECK(got.value == row.value);
    CHECK(got.next == row.text.data() + row.text.size());
  }
}

TEST_CASE("DecodeVlq.FaultsPointAtTheByte") {
  CHECK(decode("").fault == VlqFault::kUnfinished);
  CHECK(decode("g").fault == VlqFault::kUnfinished);
  CHECK(decode("!").fault == VlqFault::kNotADigit);
  CHECK(decode("g!").fault == VlqFault::kUnfinished);
  CHECK(decode("=").fault == VlqFault::kNotADigit);
  CHECK(decode("ggggggE").fault == VlqFault::kTooBig);               // bit 32
  CHECK(decode("gggggggggggggggggggC").fault == VlqFault::kTooBig);  // a bit far beyond the word
  const std::string_view text = "gggg.";
  CHECK(decode(text).next == text.data() + 4);
}

TEST_CASE("Base64Value.IsTheStandardAlphabet") {
  const std::string_view alphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  int digits = 0;
  for (int c = 0; c < 256; ++c) {
    const std::size_t place = alphabet.find(static_cast<char>(c));
    const std::uint8_t value = kBase64Value[static_cast<std::size_t>(c)];
    CHECK(value == (place == std::string_view::npos ? kNotBase64 : place));
    digits += value != kNotBase64;
  }
  CHECK(digits == 64);
}
