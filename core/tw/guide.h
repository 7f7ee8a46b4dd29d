// The guide to pages of a .tw version 2: where to begin to look for a key among the pages.
//
// It numbers keys with few bits, since what a line leaves of 64 its columns do not need, and cuts
// the numbers into ranges of one size; for each range it has the last page that begins at or before
// it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace twofold::tw {

struct Guide {
  std::uint32_t first_line;  // of the file: the upper half of its first key
  std::uint32_t column_bits;
  std::uint32_t shift;

  // Rises with the key, which is not of a line before the first. Columns beyond those of all pages'
  // first tokens count as the last of them.
  [[nodiscard]] std::uint64_t compact(std::uint64_t key) const {
    const std::uint64_t lines = (key >> 32) - first_line;
    const std::uint64_t most = (std::uint64_t{1} << column_bits) - 1;
    return lines << column_bits | std::min(key & 0xFFFFFFFF, most);
  }
};

// Room that the guide to so many pages may take.
[[nodiscard]] std::size_t guide_size_bytes(std::size_t page_count);
// Appends the guide to pages that begin at `keys`, sorted; nothing for few of them.
void append_guide(std::span<const std::uint64_t> keys, std::vector<std::uint8_t>& to);

}  // namespace twofold::tw
