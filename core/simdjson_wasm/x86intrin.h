// What simdjson's SSE4.2 kernel needs beyond Emscripten's <nmmintrin.h>, for WebAssembly only.
// Found first on the include path in place of the compiler's own x86intrin.h; see simdjson.cmake.
#pragma once

#include <nmmintrin.h>
#include <stdint.h>

static inline long long _popcnt64(long long value) {
  return __builtin_popcountll((unsigned long long)value);
}

// simdjson multiplies by all ones only, which is the running parity of the bits.
static inline __m128i twofold_clmul_all_ones(__m128i value) {
  uint64_t bits = (uint64_t)wasm_i64x2_extract_lane((v128_t)value, 0);
  for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return _mm_set_epi64x(0, (long long)bits);
}
#define _mm_clmulepi64_si128(a, b, which) ((void)(b), twofold_clmul_all_ones(a))

static inline uint64_t _umul128(uint64_t a, uint64_t b, uint64_t* high) {
  const unsigned __int128 product = (unsigned __int128)a * b;
  *high = (uint64_t)(product >> 64);
  return (uint64_t)product;
}
