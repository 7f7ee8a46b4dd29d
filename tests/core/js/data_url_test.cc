#include "core/js/data_url.h"

#include <catch2/catch.hpp>
#include <string>

#include "tests/support/random.h"

using namespace twofold;

namespace {
// The payload, or `offset detail`.
std::string decode(std::string_view url) {
  const auto decoded = js::decode_data_url(url);
  if (!decoded.ok()) return std::to_string(decoded.error().offset) + " " + decoded.error().detail;
  return std::string(decoded.value().text());
}
}  // namespace

TEST_CASE("DecodeDataUrl.Forms") {
  struct Case {
    std::string_view url;
    std::string_view expected;
  };
  const Case cases[] = {
      {"data:application/json;base64,e30=", "{}"},
      {"data:application/json;charset=utf-8;base64,e30=", "{}"},
      {"data:;base64,e30", "{}"},     // no padding
      {"data:;base64,e30%3D", "{}"},  // padding escaped
      {"data:;base64,e30%3d", "{}"},
      {"DATA:;BASE64,e30=", "{}"},
      {"data:;base64 ,e30=", "{}"},  // spaces before the comma, as the Fetch standard allows
      {"data:; base64,e30=", "{}"},
      {"data:;base64,", ""},
      {"data:,", ""},
      {"data:,%7B%22a%22:1%7d", "{\"a\":1}"},
      {"data:application/json,{}", "{}"},
      {"data:,100%", "100%"},  // a stray percent sign stays
      {"data:,%zz%4", "%zz%4"},
      {"data:,a,b", "a,b"},
      {"data:;base64,YQ==", "a"},
      {"data:;base64,YWI=", "ab"},
      {"data:;base64,YWJj", "abc"},
      {"data:;base64,-_8=", "\xFB\xFF"},  // the URL-safe alphabet
      {"data:;base64,+/8=", "\xFB\xFF"},
      {"data:text/plain;base64x,e30=", "e30="},  // not the word base64
  };
  for (const Case& c : cases) {
    CAPTURE(c.url);
    CHECK(decode(c.url) == c.expected);
  }
}

TEST_CASE("DecodeDataUrl.FaultsNameTheOffset") {
  CHECK(decode("http://x/a.map") == "0 not a data: URL");
  CHECK(decode("") == "0 not a data: URL");
  CHECK(decode("data:application/json") == "21 a data: URL without a comma");
  CHECK(decode("data:;base64,e") == "14 base64 of the wrong length");
  CHECK(decode("data:;base64,e30===") == "19 base64 of the wrong length");
  CHECK(decode("data:;base64,e=0=") == "14 not a base64 digit");
  CHECK(decode("data:;base64,e 30") == "14 not a base64 digit");
  CHECK(decode("data:;base64,e\xC3\xA9"
               "3") == "14 not a base64 digit");
}

TEST_CASE("DecodeDataUrl.Base64OfEveryLength") {
  static constexpr char kAlphabet[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  test::Random random(5);
  for (std::size_t size = 0; size < 200; ++size) {
    std::string bytes;
    for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(random.below(256));
    std::string url = "data:;base64,";
    for (std::size_t i = 0; i < size; i += 3) {  // the textbook encoder
      unsigned long word = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        word = word * 256 + (i + k < size ? static_cast<unsigned char>(bytes[i + k]) : 0u);
      }
      const std::size_t digits = i + 3 <= size ? 4 : size - i + 1;
      for (std::size_t k = 0; k < digits; ++k) url += kAlphabet[(word >> (18 - 6 * k)) & 63];
    }
    REQUIRE(decode(url) == bytes);
  }
}

TEST_CASE("DecodePercent.Cases") {
  CHECK(js::decode_percent("") == "");
  CHECK(js::decode_percent("%") == "%");
  CHECK(js::decode_percent("%4") == "%4");
  CHECK(js::decode_percent("%41") == "A");
  CHECK(js::decode_percent("%2541") == "%41");  // once, not twice
  CHECK(js::decode_percent("a%20b%c3%A9") == "a b\xC3\xA9");
  CHECK(js::decode_percent("%00").size() == 1);
}
