// Base64 VLQ, the number encoding of source maps (ECMA-426, "Mappings structure").
//
// A number is digits of 6 bits, least significant first: bit 5 says "more digits follow", bit 0 of
// the first digit is the sign. Values are limited to 32 bits; redundant zero digits are allowed
// however many there are, as the specification has it, so the shift is capped and never reaches the
// word size.
#pragma once

#include <array>
#include <cstdint>

namespace twofold {

inline constexpr std::uint8_t kNotBase64 = 0xFF;

// Value of a base64 digit (RFC 4648 §4 alphabet, no padding), or kNotBase64.
inline constexpr std::array<std::uint8_t, 256> kBase64Value = [] {
  std::array<std::uint8_t, 256> table{};
  table.fill(kNotBase64);
  std::uint8_t value = 0;
  for (unsigned c = 'A'; c <= 'Z'; ++c) table[c] = value++;
  for (unsigned c = 'a'; c <= 'z'; ++c) table[c] = value++;
  for (unsigned c = '0'; c <= '9'; ++c) table[c] = value++;
  table['+'] = value++;
  table['/'] = value;
  return table;
}();

enum class VlqFault : std::uint8_t { kNone, kNotADigit, kUnfinished, kTooBig };

// The value is in [-2^31, 2^31 - 1]; -0 (one set sign bit, nothing else) decodes as -2^31, as
// ECMA-426 says. `next` is behind the last digit, or at the offending byte.
struct Vlq {
  std::int64_t value;
  const char* next;
  VlqFault fault;
};

// Decodes one number of [at, end).
[[nodiscard]] inline Vlq decode_vlq(const char* at, const char* end) {
  std::uint64_t bits = 0;
  unsigned shift = 0;
  for (;; ++at) {
    if (at == end) return {0, at, VlqFault::kUnfinished};
    const std::uint8_t digit = kBase64Value[static_cast<std::uint8_t>(*at)];
    if (digit == kNotBase64)
      return {0, at, shift == 0 ? VlqFault::kNotADigit : VlqFault::kUnfinished};
    const std::uint64_t payload = digit & 31u;
    if (shift >= 35 ? payload != 0 : ((payload << shift) >> 32) != 0) {
      return {0, at, VlqFault::kTooBig};
    }
    if (shift < 35) {
      bits |= payload << shift;
      shift += 5;
    }
    if ((digit & 32u) == 0) break;
  }
  ++at;
  const auto magnitude = static_cast<std::int64_t>(bits >> 1);
  if ((bits & 1u) == 0) return {magnitude, at, VlqFault::kNone};
  if (magnitude == 0) return {-(std::int64_t{1} << 31), at, VlqFault::kNone};
  return {-magnitude, at, VlqFault::kNone};
}

}  // namespace twofold
