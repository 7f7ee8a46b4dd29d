// How many of a block's sorted keys are at or below one: all compared at once, since a jump for
// each would be mispredicted every second time.
//
// Keys are 1, 2, 4 or 8 bytes, up to 64 of them, unaligned. The form with SSE4.2 (WebAssembly has
// it through Emscripten) compares 16 bytes at a time; a test compares it with the loop.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__SSE4_2__)
#include <nmmintrin.h>
#endif

namespace twofold::tw {

template <class Key>
[[nodiscard]] inline std::uint32_t count_keys_by_loop(const std::uint8_t* keys, std::uint32_t count,
                                                      Key limit) {
  std::uint32_t found = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    Key key = 0;
    std::memcpy(&key, keys + i * sizeof key, sizeof key);
    found += key <= limit ? 1u : 0u;
  }
  return found;
}

#if defined(__SSE4_2__)

// Precondition of both: 16 bytes can be read from wherever a key begins, `count` is at most 64.
[[nodiscard]] inline std::uint32_t count_keys_by_simd(const std::uint8_t* keys, std::uint32_t count,
                                                      std::uint8_t limit) {
  const __m128i limits = _mm_set1_epi8(static_cast<char>(limit));
  std::uint64_t mask = 0;
  for (std::uint32_t i = 0; i < count; i += 16) {
    const __m128i found = _mm_loadu_si128(reinterpret_cast<const __m128i*>(keys + i));
    const __m128i is_below = _mm_cmpeq_epi8(_mm_min_epu8(found, limits), found);
    mask |= std::uint64_t{static_cast<std::uint32_t>(_mm_movemask_epi8(is_below))} << i;
  }
  // Sorted, so those at or below come first; what follows the keys does not count.
  const auto below = static_cast<std::uint32_t>(std::countr_one(mask));
  return below < count ? below : count;
}
[[nodiscard]] inline std::uint32_t count_keys_by_simd(const std::uint8_t* keys, std::uint32_t count,
                                                      std::uint16_t limit) {
  const __m128i limits = _mm_set1_epi16(static_cast<short>(limit));
  std::uint64_t mask = 0;
  for (std::uint32_t i = 0; i < count; i += 8) {
    const __m128i found = _mm_loadu_si128(reinterpret_cast<const __m128i*>(keys + 2 * i));
    const __m128i is_below = _mm_cmpeq_epi16(_mm_min_epu16(found, limits), found);
    const int bits = _mm_movemask_epi8(_mm_packs_epi16(is_below, _mm_setzero_si128()));
    mask |= std::uint64_t{static_cast<std::uint32_t>(bits)} << i;
  }
  const auto below = static_cast<std::uint32_t>(std::countr_one(mask));
  return below < count ? below : count;
}

#endif

// How many of `count` sorted u64 from `keys` on are at or below `limit`: all are compared.
[[nodiscard]] inline std::uint32_t count_few_keys(const std::uint8_t* keys, std::uint32_t count,
                                                  std::uint64_t limit) {
#if defined(__SSE4_2__)
  const __m128i sign = _mm_set1_epi64x(static_cast<long long>(std::uint64_t{1} << 63));
  const __m128i limits = _mm_xor_si128(_mm_set1_epi64x(static_cast<long long>(limit)), sign);
  __m128i above = _mm_setzero_si128();
  std::uint32_t i = 0;
  for (; i + 2 <= count; i += 2) {
    const __m128i found = _mm_loadu_si128(reinterpret_cast<const __m128i*>(keys + 8 * i));
    above = _mm_sub_epi64(above, _mm_cmpgt_epi64(_mm_xor_si128(found, sign), limits));
  }
  const __m128i both = _mm_add_epi64(above, _mm_unpackhi_epi64(above, above));
  std::uint32_t below = i - static_cast<std::uint32_t>(_mm_cvtsi128_si32(both));
  if (i < count) {
    std::uint64_t last = 0;
    std::memcpy(&last, keys + 8 * i, sizeof last);
    below += last <= limit ? 1u : 0u;
  }
  return below;
#else
  return count_keys_by_loop<std::uint64_t>(keys, count, limit);
#endif
}

// The same for a page's blocks, 25 or so: halved without jumps until they are few.
[[nodiscard]] inline std::uint32_t count_block_keys(const std::uint8_t* keys, std::uint32_t count,
                                                    std::uint64_t limit) {
  constexpr std::uint32_t kFew = 8;
  std::uint32_t first = 0;
  while (count > kFew) {
    const std::uint32_t half = count / 2;
    std::uint64_t middle = 0;
    std::memcpy(&middle, keys + std::size_t{first + half} * 8, sizeof middle);
    first = middle <= limit ? first + half : first;
    count -= half;
  }
  return first + count_few_keys(keys + std::size_t{first} * 8, count, limit);
}

// `is_padded`: 16 bytes can be read from wherever a key begins.
template <class Key>
[[nodiscard]] inline std::uint32_t count_keys(const std::uint8_t* keys, std::uint32_t count,
                                              std::uint64_t limit, bool is_padded) {
  constexpr std::uint64_t kMost = static_cast<Key>(~Key{0});
  const auto clamped = static_cast<Key>(limit < kMost ? limit : kMost);
#if defined(__SSE4_2__)
  if constexpr (sizeof(Key) <= 2) {
    if (is_padded) return count_keys_by_simd(keys, count, clamped);
  }
#endif
  static_cast<void>(is_padded);
  return count_keys_by_loop<Key>(keys, count, clamped);
}

}  // namespace twofold::tw
