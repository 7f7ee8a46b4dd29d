// One block of a .tw version 2: the tokens that answer a bucket of 256 places, or 32 in a fork.
// FORMAT.md has the bytes.
//
// Owns nothing. Any bytes may be looked at: what does not hold together reads as absent, and no
// access leaves `bytes`. What a lookup does with nearly every block is inline: it takes 20 ns, and
// a call that hands its answer over in memory 3.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/base/bytes.h"
#include "core/tw/key_search.h"
#include "core/tw/layout.h"

namespace twofold::tw {

// A token as it is in a block. `file` and `function` are numbers of names in the page; 0: none.
struct BlockToken {
  std::uint32_t original_line = 0;  // 1-based; 0: unmapped from here
  std::uint32_t original_column = 0;
  std::uint32_t file = 0;
  std::uint32_t function = 0;
  std::uint32_t caller = 0;  // 0: none; else 1 + the index of a record in the callers

  [[nodiscard]] bool is_unmapped() const { return original_line == 0; }
};

// The lowest bits set, by width: a load, where shifting and taking one off are three operations.
inline constexpr auto kLowBits = [] {
  std::array<std::uint32_t, 64> masks{};
  for (unsigned width = 0; width < 64; ++width) masks[width] = width < 32 ? (1u << width) - 1 : ~0u;
  return masks;
}();

class Block {
 public:
  // False: its header does not lie inside `bytes`.
  [[nodiscard]] bool open(ByteView bytes, std::size_t at) {
    using namespace blocks;
    if (bytes.size() < kBlockHeaderSizeBytes || at > bytes.size() - kBlockHeaderSizeBytes) {
      return false;
    }
    begin_ = bytes.data() + at;
    size_ = bytes.size() - at;
    word_ = load_u64(begin_);
    return !is_extended() || size_ >= kExtendedHeaderSizeBytes;
  }

  [[nodiscard]] std::uint32_t count() const { return field(blocks::kCountShift, 10); }
  [[nodiscard]] bool is_fork() const { return field(blocks::kForkShift, 1) != 0; }
  // The first token is the last one of the bucket before.
  [[nodiscard]] bool is_carried() const { return field(blocks::kCarriedShift, 1) != 0; }
  [[nodiscard]] bool has_twins() const { return field(blocks::kTwinsShift, 1) != 0; }
  // Bytes that it takes; may be more than there are.
  [[nodiscard]] std::size_t size_bytes() const;
  // That it lies inside of `bytes` and says nothing that has no meaning.
  [[nodiscard]] bool is_sound() const;

  // Precondition of both: is_sound(), and index < count(), or kForkedCount.
  [[nodiscard]] std::uint8_t offset(std::uint32_t index) const {
    return begin_[offsets_at() + index];
  }
  // The entry for one of the smaller buckets of a fork.
  [[nodiscard]] std::uint32_t forked(std::uint32_t index) const {
    return load_u32(begin_ + blocks::kBlockHeaderSizeBytes + std::size_t{index} * 4);
  }

  // The token that answers at `offset` of the bucket: the last one at or before; of two that are
  // exactly there, the first. False: there is none, or the block is damaged.
  [[nodiscard]] bool find(std::uint8_t offset, BlockToken& token) const {
    using namespace blocks;
    const std::uint32_t count = this->count();
    const bool is_plain =
        field(kExtendedShift, 2) == 0 && size_ >= kBlockHeaderSizeBytes + count + kCountedAtOnce;
    if (!is_plain) [[unlikely]]
      return copy_any(*this, offset, token);
    const std::uint8_t* const offsets = begin_ + kBlockHeaderSizeBytes;
    const std::uint32_t at_most = count_at_most(offsets, count, offset);
    if (at_most == 0) [[unlikely]]
      return false;
    std::uint32_t index = at_most - 1;
    if (has_twins()) index -= is_second(offsets, index, offset);
    const std::uint32_t line_width = field(kLineWidthShift, 6);
    const std::uint32_t column_width = field(kColumnWidthShift, 6);
    const std::uint32_t file_width = field(kFileWidthShift, 4);
    const std::uint32_t function_width = field(kFunctionWidthShift, 4);
    const std::uint32_t bit = index * (line_width + column_width + file_width + function_width);
    const std::size_t at = kBlockHeaderSizeBytes + count + (bit >> 3);
    if (at + 8 > size_) [[unlikely]]
      return copy_any(*this, offset, token);
    std::uint64_t record = load_u64(begin_ + at) >> (bit & 7);
    const auto take = [&](std::uint32_t width) {
      const std::uint32_t code = static_cast<std::uint32_t>(record) & kLowBits[width];
      record >>= width;
      return code;
    };
    const std::uint32_t line = take(line_width);
    token.original_line = line == 0 ? 0 : load_u32(begin_ + kLineBaseAt) + line;
    token.original_column = field(kColumnBaseShift, 14) + take(column_width);
    token.file = field(kFileBaseShift, 8) + take(file_width);
    token.function = field(kFunctionBaseShift, 8) + take(function_width);
    return true;
  }

  // Precondition: index < count(). False: the record is not there.
  [[nodiscard]] bool read(std::uint32_t index, BlockToken& token) const;

 private:
  [[nodiscard]] std::uint32_t field(unsigned shift, unsigned width) const {
    return static_cast<std::uint32_t>(word_ >> shift) & ((1u << width) - 1);
  }
  // 1: the token before this one is at `offset` as well.
  [[nodiscard]] static std::uint32_t is_second(const std::uint8_t* offsets, std::uint32_t index,
                                               std::uint8_t offset) {
    const std::uint32_t before = index > 0 ? index - 1 : 0;
    return static_cast<std::uint32_t>(offsets[index] == offset) &
           static_cast<std::uint32_t>(offsets[before] == offset) & (index > 0 ? 1u : 0u);
  }
  [[nodiscard]] bool is_extended() const { return field(blocks::kExtendedShift, 1) != 0; }
  [[nodiscard]] bool is_wide() const { return is_extended() && begin_[blocks::kIsWideAt] != 0; }
  [[nodiscard]] std::size_t offsets_at() const {
    return is_extended() ? blocks::kExtendedHeaderSizeBytes : blocks::kBlockHeaderSizeBytes;
  }
  [[nodiscard]] std::uint32_t caller_width() const {
    return is_extended() ? begin_[blocks::kCallerWidthAt] & 31u : 0;
  }
  [[nodiscard]] std::uint32_t record_bits() const;
  // By way of copies: whose address is handed on must be in memory, and the token of every other
  // lookup with it, which is then read back in pieces before it is written (a stall of 12 cycles).
  [[nodiscard]] static bool copy_any(Block block, std::uint8_t offset, BlockToken& token) {
    BlockToken found;
    if (!block.find_any(offset, found)) return false;
    token = found;
    return true;
  }
  // `find` for any block, anywhere.
  [[nodiscard]] bool find_any(std::uint8_t offset, BlockToken& token) const;
  [[nodiscard]] bool read_wide(std::uint32_t index, BlockToken& token) const;

  const std::uint8_t* begin_ = nullptr;
  std::size_t size_ = 0;  // bytes from `begin_` on
  std::uint64_t word_ = 0;
};

// A name in a page. Long ones are elsewhere in the file: then `is_long`, and no text.
struct PageName {
  std::uint32_t index = kNone;  // of the file's table of files or functions
  std::string_view text;
  bool is_long = false;
};

// The record at `at`, whose page ends at `page_end`, both in `bytes`. False: damaged. Precondition:
// two bytes before it and all of it are in `bytes`; eight are read at once.
[[nodiscard]] inline bool read_name_record(ByteView bytes, std::size_t page_end, std::size_t at,
                                           PageName& name) {
  using namespace blocks;
  const std::uint64_t word = load_u64(bytes.data() + at - 2) >> 16;
  const std::size_t back = (static_cast<std::uint32_t>(word >> kNameBackShift) & 0xFFF) + 1;
  const std::size_t length = static_cast<std::uint32_t>(word >> kNameLengthShift) & 0x1FF;
  name.index = static_cast<std::uint32_t>(word >> kNameIndexShift);
  name.is_long = false;
  if (length > back || back > page_end || length > kLongestPageName) [[unlikely]] {
    name.is_long = length == kLongName;
    return name.is_long;
  }
  name.text = {reinterpret_cast<const char*>(bytes.data()) + (page_end - back), length};
  return true;
}

// The name of that number in the page that ends at `page_end`. False: 0, or damaged.
[[nodiscard]] inline bool read_page_name(ByteView bytes, std::size_t page_end, std::uint32_t number,
                                         PageName& name) {
  const std::size_t back = std::size_t{number} * blocks::kNameSizeBytes;
  if (number == 0 || back + 2 > page_end) return false;
  return read_name_record(bytes, page_end, page_end - back, name);
}

// Where an entry of a table of buckets leads.
struct BucketEntry {
  std::size_t at = 0;       // of the block, in the file
  std::uint8_t offset = 0;  // to look for in it

  BucketEntry(std::uint32_t entry, std::uint32_t offset_in_bucket)
      : at(entry & blocks::kMostOffset),
        // All of an empty bucket is behind the last token of the block.
        offset(static_cast<std::uint8_t>(offset_in_bucket | (0u - (entry >> 31)))) {
    static_assert(blocks::kIsEmpty == 1u << 31 && blocks::kLastInBucket == 0xFF);
  }
};
// Precondition: `fork` is one, and sound.
[[nodiscard]] inline BucketEntry find_forked(const Block& fork, std::uint8_t offset) {
  constexpr std::uint32_t kLast = (1u << blocks::kForkedBits) - 1;
  return {fork.forked(offset >> blocks::kForkedBits), offset & kLast};
}

// The end of the page that an offset of the file is in.
[[nodiscard]] inline std::size_t find_page_end(std::size_t at, std::size_t pages_end) {
  const std::size_t end = (at | (blocks::kPageSizeBytes - 1)) + 1;
  return end < pages_end ? end : pages_end;
}

}  // namespace twofold::tw
