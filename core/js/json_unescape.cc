#include "core/js/json_unescape.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__SSSE3__)
#include <tmmintrin.h>
#endif

namespace twofold::js {
namespace {

// What is read and what is written of one escape; `from` null: it is none.
struct Step {
  const char* from;
  char* to;
};

constexpr std::uint32_t kNotHex = 0xFFFFFFFF;

std::uint32_t hex4(const char* at, const char* end) {
  if (end - at < 4) return kNotHex;
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = at[i];
    const char lower = static_cast<char>(c | 0x20);
    if (c >= '0' && c <= '9') {
      value = value << 4 | static_cast<std::uint32_t>(c - '0');
    } else if (lower >= 'a' && lower <= 'f') {
      value = value << 4 | static_cast<std::uint32_t>(lower - 'a' + 10);
    } else {
      return kNotHex;
    }
  }
  return value;
}

char* put_utf8(std::uint32_t code_point, char* to) {
  const auto tail = [&](unsigned shift) {
    return static_cast<char>(0x80 | ((code_point >> shift) & 0x3F));
  };
  if (code_point < 0x80) {
    *to++ = static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    *to++ = static_cast<char>(0xC0 | code_point >> 6);
    *to++ = tail(0);
  } else if (code_point < 0x10000) {
    *to++ = static_cast<char>(0xE0 | code_point >> 12);
    *to++ = tail(6);
    *to++ = tail(0);
  } else {
    *to++ = static_cast<char>(0xF0 | code_point >> 18);
    *to++ = tail(12);
    *to++ = tail(6);
    *to++ = tail(0);
  }
  return to;
}

// `at` is behind the `u`.
Step unescape_unicode(const char* at, const char* end, char* to) {
  constexpr std::uint32_t kReplacement = 0xFFFD;
  std::uint32_t code_point = hex4(at, end);
  if (code_point == kNotHex) return {nullptr, to};
  at += 4;
  const bool is_high = code_point >= 0xD800 && code_point < 0xDC00;
  const bool is_low = code_point >= 0xDC00 && code_point < 0xE000;
  if (is_high && end - at >= 2 && at[0] == '\\' && at[1] == 'u') {
    const std::uint32_t low = hex4(at + 2, end);
    if (low == kNotHex) return {nullptr, to};
    if (low >= 0xDC00 && low < 0xE000) {
      code_point = 0x10000 + ((code_point - 0xD800) << 10 | (low - 0xDC00));
      at += 6;
    } else {
      code_point = kReplacement;
    }
  } else if (is_high || is_low) {
    code_point = kReplacement;
  }
  return {at, put_utf8(code_point, to)};
}

// `at` is the backslash.
Step unescape_one(const char* at, const char* end, char* to) {
  if (end - at < 2) return {nullptr, to};
  char text = at[1];
  switch (at[1]) {
    case 'n':
      text = '\n';
      break;
    case 't':
      text = '\t';
      break;
    case 'r':
      text = '\r';
      break;
    case 'b':
      text = '\b';
      break;
    case 'f':
      text = '\f';
      break;
    case '"':
    case '\\':
    case '/':
      break;
    case 'u':
      return unescape_unicode(at + 2, end, to);
    default:
      return {nullptr, to};
  }
  *to = text;
  return {at + 2, to + 1};
}

// From `at` to the end; escapes that begin before `stop`, no further.
Step unescape_plainly(Step at, const char* stop, const char* end) {
  while (at.from != nullptr && at.from < stop) {
    if (*at.from == '\\') {
      at = unescape_one(at.from, end, at.to);
    } else {
      *at.to++ = *at.from++;
    }
  }
  return at;
}

#if defined(__SSSE3__)

constexpr std::ptrdiff_t kWindowBytes = 16;

// For a mask of 8 bytes, which of them to put first to last.
constexpr std::array<std::array<std::uint8_t, 8>, 256> kKept = [] {
  std::array<std::array<std::uint8_t, 8>, 256> table{};
  for (std::size_t mask = 0; mask < 256; ++mask) {
    std::size_t count = 0;
    for (std::uint8_t byte = 0; byte < 8; ++byte) {
      if ((mask >> byte & 1) != 0) table[mask][count++] = byte;
    }
  }
  return table;
}();

// Writes those of the first 8 bytes that `mask` tells.
char* put_kept(__m128i bytes, std::uint32_t mask, char* to) {
  const __m128i order = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(kKept[mask].data()));
  _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_shuffle_epi8(bytes, order));
  return to + std::popcount(mask);
}

// One window. Where two backslashes meet, at \u and at what is no escape it goes byte by byte.
Step unescape_window(Step at, const char* end) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at.from));
  const auto equals = [bytes](char byte) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte)); };
  const __m128i is_backslash = equals('\\');
  const auto backslashes = static_cast<std::uint32_t>(_mm_movemask_epi8(is_backslash));

  // A letter is looked up by four of its bits; what is found there must be the letter itself.
  const __m128i half = _mm_and_si128(_mm_srli_epi16(bytes, 1), _mm_set1_epi8(0x0F));
  const __m128i letters = _mm_setr_epi8(0, 'b', 0, 'f', 0, 0, 0, 'n', 0, 'r', 't', 0, 0, 0, 0, 0);
  const __m128i controls =
      _mm_setr_epi8(0, '\b', 0, '\f', 0, 0, 0, '\n', 0, '\r', '\t', 0, 0, 0, 0, 0);
  const __m128i is_letter = _mm_cmpeq_epi8(_mm_shuffle_epi8(letters, half), bytes);
  const __m128i is_itself = _mm_or_si128(equals('"'), equals('/'));
  const auto sound =
      static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_or_si128(is_letter, is_itself)));
  // The window ends before a backslash in its last byte: what it escapes is not in it.
  const std::uint32_t is_cut = backslashes >> (kWindowBytes - 1);
  const std::uint32_t escaped = backslashes << 1 & 0xFFFF;
  if ((escaped & ~sound) != 0) [[unlikely]]
    return unescape_plainly(at, at.from + kWindowBytes, end);

  const __m128i is_control = _mm_and_si128(is_letter, _mm_slli_si128(is_backslash, 1));
  const __m128i text = _mm_or_si128(_mm_andnot_si128(is_control, bytes),
                                    _mm_and_si128(is_control, _mm_shuffle_epi8(controls, half)));
  const std::uint32_t kept = ~backslashes & 0xFFFF;
  char* const middle = put_kept(text, kept & 0xFF, at.to);
  return {at.from + kWindowBytes - is_cut, put_kept(_mm_srli_si128(text, 8), kept >> 8, middle)};
}

Step unescape_windows(Step at, const char* end) {
  while (at.from != nullptr && end - at.from >= kWindowBytes) at = unescape_window(at, end);
  return at;
}

#else

Step unescape_windows(Step at, const char* /*end*/) {
  return at;
}

#endif

}  // namespace

char* unescape_json_plainly(std::string_view string, char* to) {
  if (string.empty()) return to;  // its data may be null
  const char* const end = string.data() + string.size();
  const Step at = unescape_plainly({string.data(), to}, end, end);
  return at.from == nullptr ? nullptr : at.to;
}

char* unescape_json(std::string_view string, char* to) {
  if (string.empty()) return to;
  const char* const end = string.data() + string.size();
  Step at = unescape_windows({string.data(), to}, end);
  at = unescape_plainly(at, end, end);
  return at.from == nullptr ? nullptr : at.to;
}

}  // namespace twofold::js
