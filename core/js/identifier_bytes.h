// How far an ASCII identifier goes, and how far identifiers joined by dots go, many bytes at a
// time.
//
// Names are of every length, so a loop over their bytes mispredicts at almost every end. The form
// with SSSE3 (WebAssembly has it through Emscripten) classifies 16 bytes by two table look-ups, one
// for each half of a byte; the plain form does 8 by arithmetic. A test compares the two.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSSE3__)
#include <tmmintrin.h>
#endif

namespace twofold::js {

// A window of 8 bytes. A mask has the high bit of each byte that is meant.
struct PlainWindow {
  static constexpr std::ptrdiff_t kBytes = 8;
  static constexpr std::uint64_t kOnes = 0x0101010101010101u;
  static constexpr std::uint64_t kHighs = kOnes * 0x80;

  static std::ptrdiff_t count_bytes_before(std::uint64_t mask) {
    return std::countr_zero(mask) / 8;
  }
  static std::uint64_t load(const char* at) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    return word;
  }
  // The high bit of each byte whose low seven bits are not those of `byte`.
  static std::uint64_t differs(std::uint64_t word, char byte) {
    return ((word ^ (kOnes * static_cast<std::uint8_t>(byte))) | kHighs) - kOnes;
  }
  // The bytes that are no letters, digits, `$` or `_`.
  static std::uint64_t find_other_bytes(const char* at) {
    const std::uint64_t word = load(at);
    // For a byte x below 0x80, (x | 0x80) - n keeps its high bit if x >= n, and never borrows.
    const std::uint64_t exact = word | kHighs;
    const std::uint64_t lower = exact | (kOnes * 0x20);
    const std::uint64_t letters = (lower - kOnes * 'a') & ~(lower - kOnes * ('z' + 1));
    const std::uint64_t digits = (exact - kOnes * '0') & ~(exact - kOnes * ('9' + 1));
    const std::uint64_t signs = ~(differs(word, '$') & differs(word, '_'));
    return ~((letters | digits | signs) & ~word) & kHighs;
  }
  static std::uint64_t find_dots(const char* at) {
    const std::uint64_t word = load(at);
    return ~(differs(word, '.') | word) & kHighs;
  }
};

#if defined(__SSSE3__)

// A window of 16 bytes. A mask has a bit for each byte that is meant.
struct SimdWindow {
  static constexpr std::ptrdiff_t kBytes = 16;

  static std::ptrdiff_t count_bytes_before(std::uint32_t mask) {
    return std::countr_zero(mask | 0x10000u);
  }
  static std::uint32_t find_other_bytes(const char* at) {
    // A byte belongs if the entries for its low and its high half share a bit: 1 for `$`, 2 for
    // digits, 4 for letters of 4x and 6x, 8 for letters and `_` of 5x, 16 for letters of 7x. Bytes
    // from 0x80 on look up 0.
    const __m128i low_table =
        _mm_setr_epi8(2 | 8 | 16, 2 | 4 | 8 | 16, 2 | 4 | 8 | 16, 2 | 4 | 8 | 16,
                      1 | 2 | 4 | 8 | 16, 2 | 4 | 8 | 16, 2 | 4 | 8 | 16, 2 | 4 | 8 | 16,
                      2 | 4 | 8 | 16, 2 | 4 | 8 | 16, 4 | 8 | 16, 4, 4, 4, 4, 4 | 8);
    const __m128i high_table = _mm_setr_epi8(0, 0, 1, 2, 4, 8, 4, 16, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i high_halves = _mm_and_si128(_mm_srli_epi16(bytes, 4), _mm_set1_epi8(0x0F));
    const __m128i shared = _mm_and_si128(_mm_shuffle_epi8(low_table, bytes),
                                         _mm_shuffle_epi8(high_table, high_halves));
    return static_cast<std::uint32_t>(
        _mm_movemask_epi8(_mm_cmpeq_epi8(shared, _mm_setzero_si128())));
  }
  static std::uint32_t find_dots(const char* at) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('.'))));
  }
};
using IdentifierWindow = SimdWindow;

#else

using IdentifierWindow = PlainWindow;

#endif

// Of the bytes in the window at `at`, how many from the first on are identifier bytes.
template <class Window = IdentifierWindow>
[[nodiscard]] std::ptrdiff_t count_identifier_bytes(const char* at) {
  return Window::count_bytes_before(Window::find_other_bytes(at));
}

// The same for the first word of a path `a.b.c`, and for all of it, dots included.
struct PathBytes {
  std::ptrdiff_t word;
  std::ptrdiff_t path;
};
template <class Window = IdentifierWindow>
[[nodiscard]] PathBytes count_path_bytes(const char* at) {
  const auto others = Window::find_other_bytes(at);
  return {Window::count_bytes_before(others),
          Window::count_bytes_before(others & ~Window::find_dots(at))};
}

}  // namespace twofold::js
