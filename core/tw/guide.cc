#include "core/tw/guide.h"

#include <bit>

#include "core/base/bytes.h"
#include "core/tw/layout.h"

namespace twofold::tw {
namespace {

using namespace blocks;

void append_u32(std::uint32_t value, std::vector<std::uint8_t>& to) {
  const std::size_t at = to.size();
  to.resize(at + sizeof value);
  store(to.data() + at, value);
}

// At most four ranges for a page, and none where a search among all pages is as fast.
constexpr std::size_t kFewPages = 4;
constexpr std::size_t kRangesPerPage = 4;

}  // namespace

std::size_t guide_size_bytes(std::size_t page_count) {
  return page_count <= kFewPages ? 0 : kGuideHeaderSizeBytes + page_count * kRangesPerPage * 4;
}

void append_guide(std::span<const std::uint64_t> keys, std::vector<std::uint8_t>& to) {
  if (keys.size() <= kFewPages) return;
  std::uint64_t columns = 0;
  for (const std::uint64_t key : keys) columns |= key & 0xFFFFFFFF;
  Guide guide{static_cast<std::uint32_t>(keys.front() >> 32),
              static_cast<std::uint32_t>(std::bit_width(columns)), 0};
  const std::uint64_t last = guide.compact(keys.back());
  while ((last >> guide.shift) + 2 > keys.size() * kRangesPerPage) ++guide.shift;
  append_u32(guide.column_bits, to);
  append_u32(guide.shift, to);
  append_u32(guide.first_line, to);
  std::size_t page = 0;
  for (std::uint64_t range = 0; range <= last >> guide.shift; ++range) {
    const std::uint64_t begin = range << guide.shift;
    while (page + 1 < keys.size() && guide.compact(keys[page + 1]) <= begin) ++page;
    append_u32(static_cast<std::uint32_t>(page), to);
  }
}

}  // namespace twofold::tw
