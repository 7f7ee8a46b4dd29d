// Numbers of one to five bytes, seven bits each, low ones first (LEB128). Small ones are most.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/bytes.h"

namespace twofold::tw {

// Moves `at` behind the number. False: it leaves the bytes or 32 bits; `at` is then anywhere.
[[nodiscard]] inline bool read_varint(ByteView bytes, std::size_t& at, std::uint32_t& value) {
  value = 0;
  for (unsigned shift = 0; shift < 35; shift += 7) {
    if (at >= bytes.size()) return false;
    const std::uint8_t byte = bytes[at++];
    if (shift == 28 && byte > 0x0F) return false;
    value |= std::uint32_t{byte & 0x7Fu} << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

inline void append_varint(std::uint32_t value, std::vector<std::uint8_t>& to) {
  for (; value >= 0x80; value >>= 7) to.push_back(static_cast<std::uint8_t>(value | 0x80));
  to.push_back(static_cast<std::uint8_t>(value));
}

[[nodiscard]] constexpr std::size_t varint_size_bytes(std::uint32_t value) {
  std::size_t size = 1;
  for (; value >= 0x80; value >>= 7) ++size;
  return size;
}

}  // namespace twofold::tw
