// The words of JavaScript: given where a token begins, where it ends.
//
// Functions over a cursor, no token objects and no state, so that a scanner can inline the short
// ones into its loop. Whether a `/` begins a regular expression and whether a `{` begins a block is
// grammar, not spelling: the caller knows (scope_scanner.h). Nothing here fails. A token that the
// text breaks off ends where a reader would pick up again: a string and a regular expression at the
// line's end, a template and a block comment at the end of the text. Every function is linear in
// what it passes over.
//
// Cursors are `const char*` in [begin, end]; no byte at or behind `end` is read.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

#include "core/js/identifier_bytes.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace twofold::js {

// What a byte can begin. The first two are the bytes of an identifier; every other punctuator of
// the grammar that means something of its own has a class of its own.
enum class CharClass : std::uint8_t {
  kIdentifier,  // letters, $ and _
  kDigit,
  kDot,  // a path, `a.b`, goes on
  // These four may begin what is no token; the first one, what goes on an identifier.
  kUnusual,  // a backslash or a byte of a non-ASCII character
  kSpace,
  kLineBreak,  // CR and LF; U+2028 and U+2029 are found by `decode_unusual`
  kSlash,
  kQuote,
  kBacktick,
  kOpenParen,
  kCloseParen,
  kOpenBracket,
  kCloseBracket,
  kOpenBrace,
  kCloseBrace,
  kComma,
  kSemicolon,
  kColon,
  kQuestion,
  kEquals,
  kPlusMinus,
  kBang,      // ! and ~, which only stand before an operand (`!=` apart)
  kLess,      // may begin an HTML-like comment
  kOperator,  // * % & | ^ >
  kHash,
  kOther,  // nothing of JavaScript
};

inline constexpr std::array<CharClass, 256> kCharClass = [] {
  std::array<CharClass, 256> table{};
  const auto set = [&table](std::string_view bytes, CharClass to) {
    for (const char byte : bytes) table[static_cast<std::uint8_t>(byte)] = to;
  };
  table.fill(CharClass::kOther);
  for (std::size_t byte = 0x80; byte < 256; ++byte) table[byte] = CharClass::kUnusual;
  set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ$_", CharClass::kIdentifier);
  set("0123456789", CharClass::kDigit);
  set(" \t\v\f", CharClass::kSpace);
  set("\r\n", CharClass::kLineBreak);
  set("\\", CharClass::kUnusual);
  set("\"'", CharClass::kQuote);
  set("`", CharClass::kBacktick);
  set("(", CharClass::kOpenParen);
  set(")", CharClass::kCloseParen);
  set("[", CharClass::kOpenBracket);
  set("]", CharClass::kCloseBracket);
  set("{", CharClass::kOpenBrace);
  set("}", CharClass::kCloseBrace);
  set(".", CharClass::kDot);
  set(",", CharClass::kComma);
  set(";", CharClass::kSemicolon);
  set(":", CharClass::kColon);
  set("?", CharClass::kQuestion);
  set("=", CharClass::kEquals);
  set("/", CharClass::kSlash);
  set("+-", CharClass::kPlusMinus);
  set("!~", CharClass::kBang);
  set("<", CharClass::kLess);
  set("*%&|^>", CharClass::kOperator);
  set("#", CharClass::kHash);
  return table;
}();

[[nodiscard]] inline CharClass char_class(char byte) {
  return kCharClass[static_cast<std::uint8_t>(byte)];
}
[[nodiscard]] inline bool is_trivia_class(CharClass kind) {
  return kind >= CharClass::kUnusual && kind <= CharClass::kSlash;
}
// Whether a path or a number that stands before the byte cannot go on with it.
[[nodiscard]] inline bool ends_path(CharClass kind) {
  return kind > CharClass::kUnusual;
}
[[nodiscard]] inline bool is_ascii_identifier_part(char byte) {
  return char_class(byte) <= CharClass::kDigit;
}

// A character that is not plain ASCII, or a backslash.
enum class Unusual : std::uint8_t { kIdentifierPart, kSpace, kLineBreak };
struct UnusualChar {
  Unusual kind;
  const char* next;
};
// Any non-ASCII character that is neither space nor line break counts as part of an identifier:
// valid programs have it nowhere else. `\u0061` and `\u{61}` are one character.
[[nodiscard]] UnusualChar decode_unusual(const char* at, const char* end);

// Behind the identifier that goes on at `at`; `at` itself if none does. The slow half, for
// identifiers that are not plain ASCII.
[[nodiscard]] const char* skip_unusual_identifier(const char* at, const char* end);
[[nodiscard]] inline const char* skip_ascii_identifier(const char* at, const char* end) {
  while (end - at >= IdentifierWindow::kBytes) [[likely]] {
      const std::ptrdiff_t count = count_identifier_bytes(at);
      at += count;
      if (count != IdentifierWindow::kBytes) [[likely]]
        return at;
    }
  while (at != end && is_ascii_identifier_part(*at)) ++at;
  return at;
}
[[nodiscard]] inline const char* skip_identifier(const char* at, const char* end) {
  at = skip_ascii_identifier(at, end);
  if (at != end && char_class(*at) == CharClass::kUnusual) [[unlikely]] {
    return skip_unusual_identifier(at, end);
  }
  return at;
}

// A path, identifiers joined by dots: where its first word and where all of it ends. Numbers and
// their fractions pass for words. No path (`end` is null) where a closer look is due: at the end of
// the text, where a dot, a backslash or a non-ASCII character follows, and where the path is long:
// its words are then read one by one, and each of them must not look ahead to the end of the last.
inline constexpr std::ptrdiff_t kLongestPathBytes = 64;
struct Path {
  const char* word_end;
  const char* end;
};
[[nodiscard]] inline Path find_path(const char* at, const char* end) {
  if (end - at <= IdentifierWindow::kBytes) [[unlikely]]
    return {};
  PathBytes bytes = count_path_bytes(at);
  Path path{at + bytes.word, at + bytes.path};
  while (bytes.path == IdentifierWindow::kBytes) [[unlikely]] {
      const bool is_long = path.end - at >= kLongestPathBytes;
      if (is_long || end - path.end <= IdentifierWindow::kBytes) return {};
      bytes = count_path_bytes(path.end);
      if (path.word_end == path.end) path.word_end += bytes.word;
      path.end += bytes.path;
    }
  const bool is_whole = path.end[-1] != '.' && ends_path(char_class(*path.end));
  return is_whole ? path : Path{};
}
[[nodiscard]] bool begins_identifier(const char* at, const char* end);

// `at` is a quote. Behind the closing one, or at the unescaped line break that cuts the string.
[[nodiscard]] const char* skip_string(const char* at, const char* end);

// `at` is behind a backtick or behind the `}` of a substitution. Behind the closing backtick, or
// behind the `${` that opens a substitution.
struct TemplatePiece {
  const char* next;
  bool opens_substitution;
};
[[nodiscard]] TemplatePiece skip_template(const char* at, const char* end);

// `at` is a digit, or a dot before a digit. A number and its suffix `n`.
[[nodiscard]] const char* skip_number(const char* at, const char* end);

// `at` is a slash in operand position. Behind the flags. Unterminated: at the line break, so that a
// text full of slashes is not read once per slash.
[[nodiscard]] const char* skip_regex(const char* at, const char* end);

// Behind the spaces and tabs at `at`. Lines are indented by all widths, so a loop over them ends
// unforeseen.
[[nodiscard]] inline const char* skip_indentation(const char* at, const char* end) {
#if defined(__SSE2__)
  while (end - at >= 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i spaces = _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(' ')),
                                        _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\t')));
    const auto others = ~static_cast<std::uint32_t>(_mm_movemask_epi8(spaces)) & 0xFFFF;
    if (others != 0) return at + std::countr_zero(others);
    at += 16;
  }
#endif
  while (at != end && (*at == ' ' || *at == '\t')) ++at;
  return at;
}

// At the line break (CR, LF, U+2028, U+2029) that ends a line, or at `end`.
[[nodiscard]] const char* skip_to_line_break(const char* at, const char* end);

// `at` is the `/` of `/*`. Behind `*/`, and whether a line break was inside.
struct BlockComment {
  const char* next;
  bool has_line_break;
};
[[nodiscard]] BlockComment skip_block_comment(const char* at, const char* end);

}  // namespace twofold::js
