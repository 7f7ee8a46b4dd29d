#pragma once

#include <string>

#include "core/base/bytes.h"

namespace twofold::storage {

// Two lower-case digits a byte.
[[nodiscard]] inline std::string to_hex(ByteView bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  hex.reserve(bytes.size() * 2);
  for (const std::uint8_t byte : bytes) {
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

}  // namespace twofold::storage
