#include "core/js/lexer.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <string>

#include "core/js/identifier_bytes.h"
#include "core/js/keywords.h"

using namespace twofold::js;

namespace {

struct Row {
  std::string text;
  std::size_t size_bytes;  // of the token at its start
};

// `skip` of the first token, with end-of-text right behind `text`: a sanitizer sees reads past it.
template <class Skip>
void check(const std::vector<Row>& rows, Skip skip) {
  for (const Row& row : rows) {
    INFO(row.text);
    const std::vector<char> exact(row.text.begin(), row.text.end());
    const char* const begin = exact.data();
    CHECK(static_cast<std::size_t>(skip(begin, begin + exact.size()) - begin) == row.size_bytes);
  }
}

}  // namespace

TEST_CASE("SkipIdentifier.StopsAtWhatIsNoPartOfAName") {
  check(
      {
          {"a", 1},
          {"a.b", 1},
          {"$_9 x", 3},
          {"aVeryLongIdentifierName1(", 24},
          {"n\xC3\xA9(", 3},
          {"\xF0\xA0\xAE\xB7=", 4},
          {"a\xC2\xA0"
           "b",
           1},  // no-break space
          {"a\xE2\x80\xA8"
           "b",
           1},  // U+2028
          {"\\u0061b=", 7},
          {"a\\u{62}c=", 8},
          {"a\\u{62", 6},  // cut
          {"a\\", 2},
          {"\x80\xFF"
           "a ",
           3},  // not UTF-8: passed over like letters
      },
      [](const char* at, const char* end) { return skip_identifier(at, end); });
}

TEST_CASE("SkipString.EndsAtItsQuoteOrAtTheLineBreakThatCutsIt") {
  check(
      {
          {"\"\"", 2},
          {"'a'b", 3},
          {"\"a'b\"", 5},
          {"'a\\'b'", 6},
          {"'\\\\'a'", 4},
          {"'12345678901234567890'+", 22},
          {"'a\\\nb'", 6},  // continued
          {"'a\\\r\nb'", 7},
          {"'a\nb'", 2},  // cut
          {"'a\rb'", 2},
          {"'a\t\x01\x0B"
           "b'",
           7},
          {"'\xE2\x80\xA8'", 5},  // U+2028 may stand in a string
          {"'abc", 4},
          {"'abc\\", 5},
          {"'abc\\\r", 6},
          {"'", 1},
      },
      [](const char* at, const char* end) { return skip_string(at, end); });
}

TEST_CASE("SkipTemplate.StopsAtTheBacktickOrBehindASubstitutionsBrace") {
  struct TemplateRow {
    std::string text;
    std::size_t size_bytes;
    bool opens;
  };
  const TemplateRow rows[] = {
      {"`", 1, false},      {"abc`d", 4, false},
      {"a${b}`", 3, true},  {"$`", 2, false},
      {"$$${", 4, true},    {"\\`a`", 4, false},
      {"\\${a`", 5, false}, {"a\nb`", 4, false},
      {"a\\\\${", 5, true}, {"123456789$${", 12, true},
      {"abc", 3, false},    {"a\\", 2, false},
      {"{}`", 3, false},    {"$", 1, false},
  };
  for (const TemplateRow& row : rows) {
    INFO(row.text);
    const std::vector<char> exact(row.text.begin(), row.text.end());
    const TemplatePiece piece = skip_template(exact.data(), exact.data() + exact.size());
    CHECK(static_cast<std::size_t>(piece.next - exact.data()) == row.size_bytes);
    CHECK(piece.opens_substitution == row.opens);
  }
}

TEST_CASE("SkipNumber.TakesFractionExponentSeparatorsAndSuffix") {
  check(
      {
          {"0", 1},      {"12;", 2},   {"1.5+", 3},    {"1.", 2},       {".5.x", 2},
          {"1..x", 2},   {"1e9x", 3},  {"1.5e-3-", 6}, {"1_000_0,", 7}, {"10n.x", 3},
          {"0x1Fg", 5},  {"0xFn;", 4}, {"0b101 ", 5},  {"0o17.", 4},    {"017.x", 3},
          {"08.5.x", 4}, {"0.5", 3},   {"00", 2},      {"1e+", 3},
      },
      [](const char* at, const char* end) { return skip_number(at, end); });
}

TEST_CASE("SkipRegex.KnowsClassesEscapesAndFlags") {
  check(
      {
          {"/a/", 3},
          {"/a/gi.x", 5},
          {"/[/]/", 5},
          {"/[\\]/]/", 7},
          {"/\\//g", 5},
          {"/a\n/", 2},  // cut by the line break
          {"/a\xE2\x80\xA9/", 2},
          {"/\xE2\x82\xAC/u", 6},
          {"/a\\\n/", 3},
          {"/[a", 3},
          {"/a\\", 3},
      },
      [](const char* at, const char* end) { return skip_regex(at, end); });
}

TEST_CASE("SkipToLineBreak.KnowsAllFour") {
  check(
      {
          {"abc\nd", 3},
          {"abc\rd", 3},
          {"\xE2\x80\xA8", 0},
          {"12345678\xE2\x80\xA9", 8},
          {"1234567\xE2\x82\xAC", 10},
          {"a\xE2", 2},
          {"", 0},
      },
      [](const char* at, const char* end) { return skip_to_line_break(at, end); });
}

TEST_CASE("SkipBlockComment.TellsWhetherALineBreakIsInside") {
  struct CommentRow {
    std::string text;
    std::size_t size_bytes;
    bool has_line_break;
  };
  const CommentRow rows[] = {
      {"/**/a", 4, false}, {"/*/a*/", 6, false},          {"/*a\n*/b", 6, true},
      {"/* a", 4, false},  {"/*\xE2\x80\xA8*/", 7, true}, {"/***/\n", 5, false},
  };
  for (const CommentRow& row : rows) {
    INFO(row.text);
    const BlockComment comment =
        skip_block_comment(row.text.data(), row.text.data() + row.text.size());
    CHECK(static_cast<std::size_t>(comment.next - row.text.data()) == row.size_bytes);
    CHECK(comment.has_line_break == row.has_line_break);
  }
}

TEMPLATE_TEST_CASE("CountPathBytes.AgreesWithTheTableOnEveryByteInEveryPlace", "", PlainWindow,
                   IdentifierWindow) {
  constexpr std::ptrdiff_t kBytes = TestType::kBytes;
  for (unsigned byte = 0; byte < 256; ++byte) {
    for (std::ptrdiff_t at = 0; at < kBytes; ++at) {
      std::string window(static_cast<std::size_t>(kBytes), 'a');
      window[static_cast<std::size_t>(at)] = static_cast<char>(byte);
      const bool is_part = is_ascii_identifier_part(static_cast<char>(byte));
      const PathBytes bytes = count_path_bytes<TestType>(window.data());
      CHECK(count_identifier_bytes<TestType>(window.data()) == (is_part ? kBytes : at));
      CHECK(bytes.word == (is_part ? kBytes : at));
      CHECK(bytes.path == (is_part || byte == '.' ? kBytes : at));
    }
  }
}

TEMPLATE_TEST_CASE("CountPathBytes.AgreesWithTheTableOnRandomWindows", "", PlainWindow,
                   IdentifierWindow) {
  constexpr std::string_view kBytes = "aZ_$09.. (\\\xC3\x7F\xAE";
  std::mt19937 random(1);
  for (int run = 0; run < 20'000; ++run) {
    std::string window;
    while (std::ssize(window) < TestType::kBytes) window += kBytes[random() % kBytes.size()];
    const auto ends_at = [&](std::string_view also) {
      const auto end = std::find_if(window.begin(), window.end(), [&](char byte) {
        return !is_ascii_identifier_part(byte) && also.find(byte) == also.npos;
      });
      return end - window.begin();
    };
    const PathBytes bytes = count_path_bytes<TestType>(window.data());
    CHECK(bytes.word == ends_at(""));
    CHECK(bytes.path == ends_at("."));
  }
}

TEST_CASE("FindPath.EndsBehindTheLastNameAndMissesWhatTakesACloserLook") {
  struct PathRow {
    std::string text;
    std::ptrdiff_t word_bytes;
    std::ptrdiff_t path_bytes;  // 0: a miss
  };
  const std::string long_name(40, 'n');
  const PathRow rows[] = {
      {"a=", 1, 1},
      {"a.b.c(", 1, 5},
      {"this.a1.$_ ", 4, 10},
      {long_name + ".b;", 40, 42},
      {"a." + long_name + ".b;", 1, 44},
      {"abcdefghijklmno.p;", 15, 17},  // a dot at the end of a window of 16
      {"abcdefg.p;", 7, 9},            // and of one of 8
      {"1.5;", 1, 3},
      {"a." + long_name + long_name + ".b;", 0, 0},
      {"a.#b", 0, 0},
      {"a. b", 0, 0},
      {"5.\n", 0, 0},
      {"a.b\xC3\xA9", 0, 0},
      {"a\\u0062", 0, 0},
  };
  for (const PathRow& row : rows) {
    INFO(row.text);
    const std::string text = row.text + std::string(IdentifierWindow::kBytes, ' ');
    const Path path = find_path(text.data(), text.data() + text.size());
    if (row.path_bytes == 0) {
      CHECK(path.end == nullptr);
      continue;
    }
    CHECK(path.word_end - text.data() == row.word_bytes);
    CHECK(path.end - text.data() == row.path_bytes);
    const std::string cut = row.text.substr(0, static_cast<std::size_t>(row.path_bytes));
    CHECK(find_path(cut.data(), cut.data() + cut.size()).end == nullptr);  // the text's end is near
  }
}

TEST_CASE("FindKeyword.KnowsEachKeywordAndNothingElse") {
  for (std::size_t i = 1; i < keyword_table::kCount; ++i) {
    const std::string word(keyword_table::kSpelling[i]);
    for (const std::string& behind : {std::string(), std::string("(abcdefgh")}) {
      const std::string text = word + behind;
      const char* const end = text.data() + text.size();
      CHECK(find_keyword(text.data(), word.size(), end) == static_cast<Keyword>(i));
      CHECK(find_keyword(text.data(), word.size() - 1, end) != static_cast<Keyword>(i));
    }
  }
  for (const std::string word : {"ifx", "functio", "functions", "instance", "instanceoF",
                                 "instanceofX", "this", "of", "o", "undefinedX"}) {
    CHECK(find_keyword(word.data(), word.size(), word.data() + word.size()) == Keyword::kNone);
  }
}
