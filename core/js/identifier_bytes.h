// How far an ASCII identifier goes, many bytes at a time.
//
// Property names are of every length, so a loop over their bytes mispredicts at almost every end.
// The form with SSSE3 (WebAssembly has it through Emscripten) classifies 16 bytes by two table
// look-ups, one for each half of a byte; the other form does 8 by plain arithmetic.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSSE3__)
#include <tmmintrin.h>
#endif

namespace twofold::js {

#if defined(__SSSE3__)

inline constexpr std::ptrdiff_t kIdentifierWindowBytes = 16;

// Of the 16 bytes at `at`, how many from the first on are letters, digits, `$` or `_`.
[[nodiscard]] inline std::ptrdiff_t count_identifier_bytes(const char* at) {
  // A byte belongs if the entries for its low and its high half share a bit: 1 for `$`, 2 for
  // digits, 4 for letters of 4x and 6x, 8 for letters and `_` of 5x, 16 for letters of 7x. Bytes
  // from 0x80 on look up 0.
  const __m128i low_table =
      _mm_setr_epi8(2 | 8 | 16, 2 | 4 | 8 | 16, 2 | 4 | 8 | 16, 2 | 4 | 8 | 16, 1 | 2 | 4 | 8 | 16,
                    2 | 4 | 8 | 16, 2 | 4 | 8 | 16, 2 | 4 | 8 | 16, 2 | 4 | 8 | 16, 2 | 4 | 8 | 16,
                    4 | 8 | 16, 4, 4, 4, 4, 4 | 8);
  const __m128i high_table = _mm_setr_epi8(0, 0, 1, 2, 4, 8, 4, 16, 0, 0, 0, 0, 0, 0, 0, 0);
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  const __m128i high_halves = _mm_and_si128(_mm_srli_epi16(bytes, 4), _mm_set1_epi8(0x0F));
  const __m128i shared =
      _mm_and_si128(_mm_shuffle_epi8(low_table, bytes), _mm_shuffle_epi8(high_table, high_halves));
  const auto others =
      static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(shared, _mm_setzero_si128())));
  return std::countr_zero(others | 0x10000u);
}

#else

inline constexpr std::ptrdiff_t kIdentifierWindowBytes = 8;

[[nodiscard]] inline std::ptrdiff_t count_identifier_bytes(const char* at) {
  constexpr std::uint64_t kOnes = 0x0101010101010101u;
  constexpr std::uint64_t kHighs = kOnes * 0x80;
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  // For a byte x below 0x80, (x | 0x80) - n keeps its high bit if x >= n, and never borrows.
  const std::uint64_t exact = word | kHighs;
  const std::uint64_t lower = exact | (kOnes * 0x20);
  const std::uint64_t letters = (lower - kOnes * 'a') & ~(lower - kOnes * ('z' + 1));
  const std::uint64_t digits = (exact - kOnes * '0') & ~(exact - kOnes * ('9' + 1));
  const std::uint64_t not_dollar = ((word ^ (kOnes * '$')) | kHighs) - kOnes;
  const std::uint64_t not_underscore = ((word ^ (kOnes * '_')) | kHighs) - kOnes;
  const std::uint64_t is_part = (letters | digits | ~(not_dollar & not_underscore)) & ~word;
  return std::countr_zero(~is_part & kHighs) / 8;
}

#endif

}  // namespace twofold::js
