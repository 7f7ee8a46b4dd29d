// The rest of Block: extended blocks, blocks with many tokens, blocks at the end of the file.
#include "core/tw/block.h"

#include <algorithm>
#include <cstring>

namespace twofold::tw {

using namespace blocks;

std::uint32_t Block::record_bits() const {
  return field(kLineWidthShift, 6) + field(kColumnWidthShift, 6) + field(kFileWidthShift, 4) +
         field(kFunctionWidthShift, 4) + caller_width();
}

std::size_t Block::size_bytes() const {
  if (is_fork()) return kBlockHeaderSizeBytes + kForkedCount * 4;
  const std::size_t bits = is_wide() ? kWideRecordSizeBytes * 8 : record_bits();
  return offsets_at() + count() + (count() * bits + 7) / 8;
}

bool Block::is_sound() const {
  if (size_bytes() > size_) return false;
  if (is_fork()) return true;
  if (count() == 0 || record_bits() > kMostRecordBits) return false;
  const std::uint8_t* const offsets = begin_ + offsets_at();
  const bool is_sorted = std::is_sorted(offsets, offsets + count());
  const bool is_twin = std::adjacent_find(offsets, offsets + count()) != offsets + count();
  return is_sorted && is_twin == has_twins();
}

bool Block::find_any(std::uint8_t offset, BlockToken& token) const {
  if (size_ < offsets_at() + count()) return false;
  const std::uint8_t* const offsets = begin_ + offsets_at();
  const std::uint32_t at_most = count_at_most_by_loop(offsets, count(), offset);
  if (at_most == 0) return false;
  const std::uint32_t index = at_most - 1;
  return read(has_twins() ? index - is_second(offsets, index, offset) : index, token);
}

bool Block::read(std::uint32_t index, BlockToken& token) const {
  if (is_wide()) return read_wide(index, token);
  const std::size_t bit = std::size_t{index} * record_bits();
  const std::size_t at = offsets_at() + count() + (bit >> 3);
  if (at > size_) return false;
  std::uint64_t record = 0;
  std::memcpy(&record, begin_ + at, std::min<std::size_t>(8, size_ - at));
  record >>= bit & 7;
  const auto take = [&](std::uint32_t width) {
    const std::uint32_t code = static_cast<std::uint32_t>(record) & kLowBits[width];
    record >>= width;
    return code;
  };
  const std::uint32_t line = take(field(kLineWidthShift, 6));
  token.original_line = line == 0 ? 0 : load_u32(begin_ + kLineBaseAt) + line;
  token.original_column = field(kColumnBaseShift, 14) + take(field(kColumnWidthShift, 6));
  token.file = field(kFileBaseShift, 8) + take(field(kFileWidthShift, 4));
  token.function = field(kFunctionBaseShift, 8) + take(field(kFunctionWidthShift, 4));
  const std::uint32_t caller = take(caller_width());
  token.caller = caller == 0 ? 0 : load_u32(begin_ + kCallerBaseAt) + caller;
  return true;
}

bool Block::read_wide(std::uint32_t index, BlockToken& token) const {
  const std::size_t at = offsets_at() + count() + std::size_t{index} * kWideRecordSizeBytes;
  if (size_ < kWideRecordSizeBytes || at > size_ - kWideRecordSizeBytes) return false;
  const std::uint8_t* const record = begin_ + at;
  token = {load_u32(record), load_u32(record + 4), load_u32(record + 8), load_u32(record + 12),
           load_u32(record + 16)};
  return true;
}

}  // namespace twofold::tw
