// Where line breaks may be, many bytes at a time.
//
// Source texts have a line break every 30 bytes, so a search from one to the next is mostly the
// cost of starting; a mask for a window gives all of them at once. The form with SSE2 (WebAssembly
// has it through Emscripten) looks at 16 bytes, the plain form at 8. A test compares the two.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace twofold::js {

// U+2028 or U+2029 at the byte 0xE2.
inline bool is_unicode_line_break(const char* at, const char* end) {
  return end - at >= 3 && at[1] == '\x80' && (at[2] == '\xA8' || at[2] == '\xA9');
}

// A mask has one bit for each byte that is meant, kBitsPerByte apart from the next byte's.
// `breaks`: LF, CR and E2, with which U+2028 and U+2029 begin. `others`: nonzero if there is a byte
// that is not ASCII.
template <class Mask>
struct LineBreakMasks {
  Mask breaks;
  Mask others;
};

struct PlainLineBreaks {
  static constexpr int kBytes = 8;
  static constexpr int kBitsPerByte = 8;

  static LineBreakMasks<std::uint64_t> find(const char* at) {
    constexpr std::uint64_t kOnes = 0x0101010101010101u;
    constexpr std::uint64_t kHighs = kOnes * 0x80;
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    // The high bit of each byte whose low seven bits are not those of `byte`: nothing borrows.
    const auto differs = [word](std::uint8_t byte) {
      return ((word ^ (kOnes * byte)) | kHighs) - kOnes;
    };
    const std::uint64_t ascii_breaks = ~(differs('\n') & differs('\r')) & ~word;
    const std::uint64_t unicode_breaks = ~differs(0xE2) & word;
    return {(ascii_breaks | unicode_breaks) & kHighs, word & kHighs};
  }
};

#if defined(__SSE2__)

struct SimdLineBreaks {
  static constexpr int kBytes = 16;
  static constexpr int kBitsPerByte = 1;

  static LineBreakMasks<std::uint32_t> find(const char* at) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const auto equals = [bytes](char byte) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte)); };
    const __m128i breaks = _mm_or_si128(_mm_or_si128(equals('\n'), equals('\r')), equals('\xE2'));
    return {static_cast<std::uint32_t>(_mm_movemask_epi8(breaks)),
            static_cast<std::uint32_t>(_mm_movemask_epi8(bytes))};
  }
};
using LineBreaks = SimdLineBreaks;

#else

using LineBreaks = PlainLineBreaks;

#endif

#if defined(__SSE2__)

// Four windows as one: a loop over a mask of 16 bytes ends unforeseen at every other one.
struct WideLineBreaks {
  static constexpr int kBytes = 64;
  static constexpr int kBitsPerByte = 1;

  static LineBreakMasks<std::uint64_t> find(const char* at) {
    LineBreakMasks<std::uint64_t> all{0, 0};
    for (int i = 0; i < kBytes / SimdLineBreaks::kBytes; ++i) {
      const auto masks = SimdLineBreaks::find(at + i * SimdLineBreaks::kBytes);
      all.breaks |= std::uint64_t{masks.breaks} << i * SimdLineBreaks::kBytes;
      all.others |= std::uint64_t{masks.others} << i * SimdLineBreaks::kBytes;
    }
    return all;
  }
};

#else

using WideLineBreaks = PlainLineBreaks;

#endif

// Calls `on_break(offset)` for each byte of [0, size) that may begin a line break, in order. True:
// all bytes are ASCII.
template <class Window = WideLineBreaks, class OnBreak>
bool for_each_line_break_byte(const char* text, std::size_t size, OnBreak on_break) {
  bool is_ascii = true;
  std::size_t at = 0;
  for (; size - at >= Window::kBytes; at += Window::kBytes) {
    auto [breaks, others] = Window::find(text + at);
    is_ascii = is_ascii && others == 0;
    for (; breaks != 0; breaks &= breaks - 1) {
      on_break(at + static_cast<std::size_t>(std::countr_zero(breaks) / Window::kBitsPerByte));
    }
  }
  for (; at < size; ++at) {
    const char byte = text[at];
    is_ascii = is_ascii && static_cast<signed char>(byte) >= 0;
    if (byte == '\n' || byte == '\r' || byte == '\xE2') on_break(at);
  }
  return is_ascii;
}

}  // namespace twofold::js
