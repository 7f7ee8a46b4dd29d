// How the guide to pages numbers keys: what a line leaves of 64 bits, its columns do not need.
#pragma once

#include <algorithm>
#include <cstdint>

namespace twofold::tw {

struct Guide {
  std::uint64_t first_key;  // of the file
  std::uint32_t column_bits;
  std::uint32_t shift;

  // Rises with the key. Columns beyond those of all pages' first tokens count as the last of them.
  [[nodiscard]] std::uint64_t compact(std::uint64_t key) const {
    const std::uint64_t lines = (key >> 32) - (first_key >> 32);
    const std::uint64_t most = (std::uint64_t{1} << column_bits) - 1;
    return lines << column_bits | std::min(key & 0xFFFFFFFF, most);
  }
};

}  // namespace twofold::tw
