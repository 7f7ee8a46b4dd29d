#include "core/js/lexer.h"

#include <bit>
#include <cstring>

#include "core/base/utf.h"
#include "core/js/line_breaks.h"

namespace twofold::js {
namespace {

constexpr std::uint64_t kOnes = 0x0101010101010101u;
constexpr std::uint64_t kHighs = 0x8080808080808080u;

std::uint64_t load_u64(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// Non-zero if one of the eight bytes is `byte`; the lowest bit set tells the first one.
constexpr std::uint64_t has_byte(std::uint64_t word, char byte) {
  const std::uint64_t x = word ^ (kOnes * static_cast<std::uint8_t>(byte));
  return (x - kOnes) & ~x & kHighs;
}

// Non-zero if one of the eight bytes is below `limit`; the lowest bit set tells the first one.
constexpr std::uint64_t has_byte_below(std::uint64_t word, int limit) {
  return (word - kOnes * static_cast<std::uint8_t>(limit)) & ~word & kHighs;
}

std::string_view view(const char* at, const char* end) {
  return {at, static_cast<std::size_t>(end - at)};
}

bool is_line_break(const char* at, const char* end) {
  return *at == '\n' || *at == '\r' || (*at == '\xE2' && is_unicode_line_break(at, end));
}

// Behind the character that a backslash escapes; CR LF counts as one.
const char* skip_escape(const char* at, const char* end) {
  if (end - at < 2) return end;
  return at + (at[1] == '\r' && end - at > 2 && at[2] == '\n' ? 3 : 2);
}

bool is_space(char32_t c) {
  return c == 0xA0 || c == 0xFEFF || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F ||
         c == 0x205F || c == 0x3000;
}

// Behind the digits and separators from `at` on.
const char* skip_digits(const char* at, const char* end) {
  while (at != end && (char_class(*at) == CharClass::kDigit || *at == '_')) ++at;
  return at;
}

const char* skip_exponent(const char* at, const char* end) {
  if (at == end || (*at != 'e' && *at != 'E')) return at;
  ++at;
  if (at != end && (*at == '+' || *at == '-')) ++at;
  return skip_digits(at, end);
}

// 017 is octal and takes no fraction (017.toString() is a call); 08.5 is decimal.
bool is_legacy_octal(const char* at, const char* digits_end) {
  if (*at != '0' || digits_end - at < 2) return false;
  for (++at; at != digits_end; ++at) {
    if (*at == '8' || *at == '9' || *at == '_') return false;
  }
  return true;
}

}  // namespace

UnusualChar decode_unusual(const char* at, const char* end) {
  if (*at == '\\') {
    if (end - at > 1 && at[1] == 'u')
      at += 2;
    else
      return {Unusual::kIdentifierPart, at + 1};
    if (at != end && *at == '{') {
      while (at != end && *at != '}' && *at != '\n') ++at;
      return {Unusual::kIdentifierPart, at == end ? at : at + 1};
    }
    return {Unusual::kIdentifierPart, at};  // the four digits are identifier bytes themselves
  }
  const Utf8Char c = decode_utf8(view(at, end), 0);
  const char* next = at + c.size_bytes;
  if (c.code_point == 0x2028 || c.code_point == 0x2029) return {Unusual::kLineBreak, next};
  if (is_space(c.code_point)) return {Unusual::kSpace, next};
  return {Unusual::kIdentifierPart, next};
}

const char* skip_unusual_identifier(const char* at, const char* end) {
  while (at != end) {
    const CharClass kind = char_class(*at);
    if (kind <= CharClass::kDigit) {
      ++at;
    } else if (kind == CharClass::kUnusual) {
      const UnusualChar c = decode_unusual(at, end);
      if (c.kind != Unusual::kIdentifierPart) return at;
      at = c.next;
    } else {
      return at;
    }
  }
  return at;
}

bool begins_identifier(const char* at, const char* end) {
  if (at == end) return false;
  const CharClass kind = char_class(*at);
  if (kind == CharClass::kIdentifier) return true;
  return kind == CharClass::kUnusual && decode_unusual(at, end).kind == Unusual::kIdentifierPart;
}

const char* skip_string(const char* at, const char* end) {
  const char quote = *at++;
  for (;;) {
    while (end - at >= 8) {
      const std::uint64_t word = load_u64(at);
      const std::uint64_t stops =
          has_byte(word, quote) | has_byte(word, '\\') | has_byte_below(word, '\r' + 1);
      if (stops != 0) {
        at += std::countr_zero(stops) / 8;
        break;
      }
      at += 8;
    }
    if (at == end || *at == '\n' || *at == '\r') return at;
    if (*at == quote) return at + 1;
    at = *at == '\\' ? skip_escape(at, end) : at + 1;
  }
}

TemplatePiece skip_template(const char* at, const char* end) {
  for (;;) {
    while (end - at >= 8) {
      const std::uint64_t word = load_u64(at);
      if (has_byte(word, '`') | has_byte(word, '\\') | has_byte(word, '$')) break;
      at += 8;
    }
    while (at != end && *at != '`' && *at != '\\' && *at != '$') ++at;
    if (at == end) return {end, false};
    if (*at == '`') return {at + 1, false};
    if (*at == '\\') {
      at = end - at < 2 ? end : at + 2;
    } else if (end - at >= 2 && at[1] == '{') {
      return {at + 2, true};
    } else {
      ++at;
    }
  }
}

const char* skip_number(const char* at, const char* end) {
  if (*at == '0' && end - at >= 2) {
    const char radix = static_cast<char>(at[1] | 0x20);
    if (radix == 'x' || radix == 'o' || radix == 'b') {
      while (at != end && is_ascii_identifier_part(*at)) ++at;
      return at;
    }
  }
  const char* digits_end = skip_digits(at, end);
  if (digits_end != end && *digits_end == 'n') return digits_end + 1;
  if (is_legacy_octal(at, digits_end)) return digits_end;
  at = digits_end;
  if (at != end && *at == '.') at = skip_digits(at + 1, end);
  return skip_exponent(at, end);
}

const char* skip_regex(const char* at, const char* end) {
  bool in_class = false;
  for (++at; at != end; ++at) {
    if (is_line_break(at, end)) return at;
    if (*at == '\\') {
      if (end - at < 2 || is_line_break(at + 1, end)) return at + 1;
      ++at;
    } else if (*at == '[') {
      in_class = true;
    } else if (*at == ']') {
      in_class = false;
    } else if (*at == '/' && !in_class) {
      return skip_identifier(at + 1, end);
    }
  }
  return at;
}

const char* skip_to_line_break(const char* at, const char* end) {
  for (;;) {
    while (end - at >= LineBreaks::kBytes) {
      const auto breaks = LineBreaks::find(at).breaks;
      if (breaks != 0) {
        at += std::countr_zero(breaks) / LineBreaks::kBitsPerByte;
        break;
      }
      at += LineBreaks::kBytes;
    }
    while (at != end && *at != '\n' && *at != '\r' && *at != '\xE2') ++at;
    if (at == end || *at != '\xE2' || is_unicode_line_break(at, end)) return at;
    ++at;
  }
}

BlockComment skip_block_comment(const char* at, const char* end) {
  const std::string_view text = view(at, end);
  const std::size_t close = text.find("*/", 2);
  const std::string_view comment = text.substr(0, close == text.npos ? text.size() : close + 2);
  const char* next = at + comment.size();
  return {next, skip_to_line_break(at, next) != next};
}

}  // namespace twofold::js
