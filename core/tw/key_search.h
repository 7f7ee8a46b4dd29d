// How many of a block's sorted offsets are at or below one: compared sixteen at once, since a jump
// for each would be mispredicted every second time.
//
// The form with SSE4.2 (WebAssembly has it through Emscripten) is compared with the loop by a test.
#pragma once

#include <bit>
#include <cstdint>

#if defined(__SSE4_2__)
#include <nmmintrin.h>
#endif

namespace twofold::tw {

[[nodiscard]] inline std::uint32_t count_at_most_by_loop(const std::uint8_t* offsets,
                                                         std::uint32_t count, std::uint8_t most) {
  std::uint32_t found = 0;
  for (std::uint32_t i = 0; i < count; ++i) found += offsets[i] <= most ? 1u : 0u;
  return found;
}

// Bytes that are looked at together.
inline constexpr std::uint32_t kCountedAtOnce = 64;

// Precondition: `count` and kCountedAtOnce - 1 more bytes can be read; they may be anything.
[[nodiscard]] inline std::uint32_t count_at_most(const std::uint8_t* offsets, std::uint32_t count,
                                                 std::uint8_t most) {
#if defined(__SSE4_2__)
  const __m128i limits = _mm_set1_epi8(static_cast<char>(most));
  const auto compare = [&](std::uint32_t at) {
    const __m128i found = _mm_loadu_si128(reinterpret_cast<const __m128i*>(offsets + at));
    const __m128i is_at_most = _mm_cmpeq_epi8(_mm_min_epu8(found, limits), found);
    return std::uint64_t{static_cast<std::uint32_t>(_mm_movemask_epi8(is_at_most))};
  };
  // Sorted, so those at or below come first; whatever is behind the offsets does not count.
  std::uint32_t found = 0;
  for (std::uint32_t at = 0; at < count; at += kCountedAtOnce) {
    const std::uint64_t mask =
        compare(at) | compare(at + 16) << 16 | compare(at + 32) << 32 | compare(at + 48) << 48;
    found = at + static_cast<std::uint32_t>(std::countr_one(mask));
    if (~mask != 0) break;
  }
  return found < count ? found : count;
#else
  return count_at_most_by_loop(offsets, count, most);
#endif
}

}  // namespace twofold::tw
