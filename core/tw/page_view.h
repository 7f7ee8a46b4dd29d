// One page of a .tw version 2: some hundred tokens with the names that they need. A lookup reads
// one page; whoever has no more than the page's bytes can answer from it.
//
// Owns nothing, allocates nothing. Any bytes may be looked at: what does not hold together reads as
// absent, and no access leaves the page. All inline: a lookup is 20 ns, and a call that hands its
// answer over in memory is 3.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/base/bytes.h"
#include "core/tw/key_search.h"
#include "core/tw/layout.h"
#include "core/tw/token.h"

namespace twofold::tw {

// A name in a page. Long ones are elsewhere in the file: then `is_long`, and no text.
struct PageName {
  std::uint32_t index = kNone;  // of the file's table of files or functions
  std::string_view text;
  bool is_long = false;
};

// A token as it is in a page: `file` and `function` are numbers of names in the page.
struct PageToken {
  std::uint32_t original_line = 0;
  std::uint32_t original_column = 0;
  std::uint32_t file = kNone;
  std::uint32_t function = kNone;
  std::uint32_t caller = 0;  // 0: none; else 1 + the index of a record in the callers

  [[nodiscard]] bool is_unmapped() const { return original_line == 0; }
};

// A block of a page. What its header says is cut to what has a meaning instead of being refused,
// and what is read is checked where it is read: whether a block is sound is a question for
// `verify`.
class BlockReader {
 public:
  // `at`: where it begins in the page. False: its header does not lie inside.
  [[nodiscard]] bool open(ByteView page, std::size_t at, std::uint64_t first_key);

  // Whether header, keys and records lie inside the page and make sense.
  [[nodiscard]] bool is_sound() const;
  [[nodiscard]] std::uint32_t token_count() const { return count_; }
  // Preconditions: index < token_count(). A key or record that leaves the page reads as 0.
  [[nodiscard]] std::uint64_t key(std::uint32_t index) const;
  [[nodiscard]] PageToken token(std::uint32_t index) const;

  // Index of the token that answers `key`, which is not below the first; kNone: none on its line.
  [[nodiscard]] std::uint32_t find(std::uint64_t key) const;

 private:
  [[nodiscard]] bool has(std::uint8_t flag) const { return (flags_ & flag) != 0; }
  [[nodiscard]] std::size_t bytes_behind(const std::uint8_t* at) const {
    return static_cast<std::size_t>(page_end_ - at);
  }
  // A key as it is stored.
  [[nodiscard]] std::uint64_t stored_key(std::uint32_t index) const;
  [[nodiscard]] std::uint32_t count_up_to(std::uint64_t limit) const;
  [[nodiscard]] std::uint64_t load_record(std::uint32_t index) const;
  [[nodiscard]] PageToken wide_token(std::uint32_t index) const;

  static constexpr std::uint64_t low_bits(unsigned count) {
    return (std::uint64_t{1} << count) - 1;
  }

  const std::uint8_t* begin_ = nullptr;
  const std::uint8_t* keys_ = nullptr;
  const std::uint8_t* page_end_ = nullptr;
  std::uint64_t first_key_ = 0;
  std::uint32_t count_ = 0;        // at most kMostTokens
  std::uint32_t key_size_ = 0;     // 0 to 3
  std::uint32_t column_bits_ = 0;  // 0 to 63
  std::uint32_t record_bits_ = 0;  // 0 to 63
  std::uint8_t flags_ = 0;
};

class PageView {
 public:
  explicit PageView(ByteView bytes);

  // Finds the token that answers `key`. False: none on its line, or the page is damaged there.
  [[nodiscard]] bool find(std::uint64_t key, PageToken& token) const;

  // Gives the name of that number. False: kNone, out of range or damaged.
  [[nodiscard]] bool find_file(std::uint32_t number, PageName& name) const {
    return number < file_count_ && read_name(number, name);
  }
  [[nodiscard]] bool find_function(std::uint32_t number, PageName& name) const {
    return number < function_count_ && read_name(file_count_ + number, name);
  }

  [[nodiscard]] std::uint32_t file_count() const { return file_count_; }
  [[nodiscard]] std::uint32_t function_count() const { return function_count_; }
  // 0 for a damaged page.
  [[nodiscard]] std::uint32_t block_count() const { return block_count_; }

  // All tokens in order, for verify and dump: calls `on_token(key, token)` for each. False: a block
  // is damaged; those before it were given.
  template <class OnToken>
  [[nodiscard]] bool for_each(OnToken on_token) const {
    for (std::uint32_t i = 0; i < block_count_; ++i) {
      BlockReader block;
      if (!open_block(i, block) || !block.is_sound()) return false;
      for (std::uint32_t token = 0; token < block.token_count(); ++token) {
        on_token(block.key(token), block.token(token));
      }
    }
    return true;
  }

 private:
  [[nodiscard]] const std::uint8_t* block_keys() const {
    return bytes_.data() + blocks::kPageHeaderSizeBytes;
  }
  [[nodiscard]] bool open_block(std::uint32_t index, BlockReader& block) const;
  [[nodiscard]] bool read_name(std::uint32_t number, PageName& name) const;

  ByteView bytes_;
  std::uint32_t block_count_ = 0;
  std::uint32_t file_count_ = 0;
  std::uint32_t function_count_ = 0;
  std::size_t names_at_ = 0;
};

inline PageView::PageView(ByteView bytes) : bytes_(bytes) {
  using namespace blocks;
  if (bytes.size() < kPageHeaderSizeBytes || bytes.size() > kPageSizeBytes) return;
  const std::uint32_t block_count = load_u16(bytes.data() + kBlockCountAt);
  const std::uint32_t file_count = load_u16(bytes.data() + kPageFilesAt);
  const std::uint32_t function_count = load_u16(bytes.data() + kPageFunctionsAt);
  const std::size_t names_at = load_u16(bytes.data() + kPageNamesAt);
  const std::size_t index_end =
      kPageHeaderSizeBytes + block_count * (kBlockKeySizeBytes + kBlockOffsetSizeBytes);
  const std::size_t names_end = names_at + (file_count + function_count) * kNameSizeBytes;
  if (index_end > bytes.size() || names_end > bytes.size()) return;
  block_count_ = block_count;
  file_count_ = file_count;
  function_count_ = function_count;
  names_at_ = names_at;
}

inline bool PageView::open_block(std::uint32_t index, BlockReader& block) const {
  using namespace blocks;
  const std::uint8_t* const offsets = block_keys() + block_count_ * kBlockKeySizeBytes;
  return block.open(bytes_, load_u16(offsets + index * kBlockOffsetSizeBytes),
                    load_u64(block_keys() + index * kBlockKeySizeBytes));
}

inline bool PageView::find(std::uint64_t key, PageToken& token) const {
  const std::uint32_t behind = count_block_keys(block_keys(), block_count_, key);
  BlockReader block;
  if (behind == 0 || !open_block(behind - 1, block)) return false;
  const std::uint32_t index = block.find(key);
  if (index == kNone) return false;
  token = block.token(index);
  return true;
}

inline bool PageView::read_name(std::uint32_t number, PageName& name) const {
  using namespace blocks;
  const std::uint8_t* const record = bytes_.data() + names_at_ + number * kNameSizeBytes;
  name.index = load_u32(record + kNameIndexAt);
  const std::size_t text_at = load_u16(record + kNameTextAt);
  const std::size_t length = load_u16(record + kNameLengthAt);
  name.is_long = length == kLongName;
  if (name.is_long) return true;
  name.text = {reinterpret_cast<const char*>(bytes_.data()) + text_at, length};
  return text_at + length <= bytes_.size();
}

inline bool BlockReader::open(ByteView page, std::size_t at, std::uint64_t first_key) {
  using namespace blocks;
  if (at + kBlockHeaderSizeBytes > page.size()) return false;
  begin_ = page.data() + at;
  keys_ = begin_ + kBlockHeaderSizeBytes;
  page_end_ = page.data() + page.size();
  first_key_ = first_key;
  count_ = std::min<std::uint32_t>(begin_[kTokenCountInBlockAt], kMostTokens);
  key_size_ = begin_[kKeySizeAt] & 3u;
  column_bits_ = begin_[kColumnBitsAt] & 63u;
  flags_ = begin_[kFlagsAt];
  record_bits_ = begin_[kRecordBitsAt] & 63u;
  return true;
}

inline bool BlockReader::is_sound() const {
  using namespace blocks;
  const std::uint8_t* const widths = begin_ + kWidthsAt;
  const unsigned bits = 0u + widths[0] + widths[1] + widths[2] + widths[3] + widths[4];
  const std::size_t record_bits = has(kWide) ? kWideRecordSizeBytes * 8 : record_bits_;
  const std::size_t size = (std::size_t{count_} << key_size_) + (count_ * record_bits + 7) / 8;
  return count_ >= 1 && begin_[kTokenCountInBlockAt] == count_ && begin_[kKeySizeAt] == key_size_ &&
         begin_[kColumnBitsAt] <= 32 && begin_[kRecordBitsAt] == bits && bits <= kMostRecordBits &&
         size <= bytes_behind(keys_);
}

inline std::uint64_t BlockReader::stored_key(std::uint32_t index) const {
  const std::uint8_t* const at = keys_ + (std::size_t{index} << key_size_);
  if (bytes_behind(keys_) < std::size_t{index + 1} << key_size_) [[unlikely]]
    return 0;
  if (key_size_ == 0) return *at;
  if (key_size_ == 1) return load_u16(at);
  return key_size_ == 2 ? load_u32(at) : load_u64(at);
}

inline std::uint64_t BlockReader::key(std::uint32_t index) const {
  const std::uint64_t stored = stored_key(index);
  if (!has(blocks::kManyLines)) return first_key_ + stored;
  const std::uint64_t line = (first_key_ >> 32) + (stored >> column_bits_);
  return line << 32 | (stored & low_bits(column_bits_));
}

inline std::uint32_t BlockReader::count_up_to(std::uint64_t limit) const {
  const std::size_t size = bytes_behind(keys_);
  const bool is_padded = size >= blocks::kMostTokens * 2 + 16;
  if (!is_padded && size < std::size_t{count_} << key_size_) return 0;
  if (key_size_ == 0) return count_keys<std::uint8_t>(keys_, count_, limit, is_padded);
  if (key_size_ == 1) return count_keys<std::uint16_t>(keys_, count_, limit, is_padded);
  if (size < std::size_t{count_} << key_size_) return 0;
  return key_size_ == 2 ? count_keys<std::uint32_t>(keys_, count_, limit, is_padded)
                        : count_keys<std::uint64_t>(keys_, count_, limit, is_padded);
}

inline std::uint32_t BlockReader::find(std::uint64_t key) const {
  std::uint64_t wanted = key - first_key_;
  bool is_exact = true;
  std::uint64_t lines = 0;
  const bool has_lines = has(blocks::kManyLines);
  if (has_lines) {
    lines = (key >> 32) - (first_key_ >> 32);
    const std::uint64_t column = key & 0xFFFFFFFF;
    const std::uint64_t most = low_bits(column_bits_);
    is_exact = column <= most;
    if (lines > ~std::uint64_t{0} >> column_bits_) return kNone;
    wanted = lines << column_bits_ | std::min(column, most);
  } else if (key >> 32 != first_key_ >> 32) {
    return kNone;
  }
  const std::uint32_t behind = count_up_to(wanted);
  if (behind == 0) return kNone;
  const std::uint32_t index = behind - 1;
  const std::uint64_t found = stored_key(index);
  if (has_lines && found >> column_bits_ != lines) return kNone;
  // Of two tokens at one position the first answers for it, the second for what follows. Without
  // jumps: every third query may be exact.
  const std::uint32_t before = index - (index > 0 ? 1 : 0);
  const bool is_second = is_exact & (found == wanted) & (stored_key(before) == found);
  return is_second ? before : index;
}

// The bits of a record and of what follows it. What lies behind the page reads as 0.
inline std::uint64_t BlockReader::load_record(std::uint32_t index) const {
  const std::size_t bit = std::size_t{index} * record_bits_;
  const std::size_t offset = (std::size_t{count_} << key_size_) + bit / 8;
  const std::size_t size = bytes_behind(keys_);
  std::uint64_t word = 0;
  if (offset + 8 <= size) [[likely]] {
    word = load_u64(keys_ + offset);
  } else if (offset < size) {
    std::memcpy(&word, keys_ + offset, size - offset);
  }
  return word >> (bit % 8);
}

inline PageToken BlockReader::wide_token(std::uint32_t index) const {
  const std::size_t offset =
      (std::size_t{count_} << key_size_) + std::size_t{index} * blocks::kWideRecordSizeBytes;
  if (offset + blocks::kWideRecordSizeBytes > bytes_behind(keys_)) return {};
  const std::uint8_t* const at = keys_ + offset;
  return {load_u32(at), load_u32(at + 4), load_u32(at + 8), load_u32(at + 12), load_u32(at + 16)};
}

inline PageToken BlockReader::token(std::uint32_t index) const {
  using namespace blocks;
  if (has(kWide)) [[unlikely]]
    return wide_token(index);
  std::uint64_t bits = load_record(index);
  const std::uint8_t* const widths = begin_ + kWidthsAt;
  const auto take = [&](std::size_t field) {
    const unsigned width = widths[field] & 63u;
    const auto value = static_cast<std::uint32_t>(bits & low_bits(width));
    bits >>= width;
    return value;
  };
  // With a code for "none", all others are one more.
  const auto decode = [&](std::uint32_t code, std::uint32_t base, std::uint8_t flag) {
    if (!has(flag)) return base + code;
    return code == 0 ? kNone : base + code - 1;
  };
  PageToken token;
  const std::uint32_t line_code = take(0);
  if (has(kHasUnmapped) && line_code == 0) return {};
  token.original_line = load_u32(begin_ + kLineBaseAt) + line_code - (has(kHasUnmapped) ? 1 : 0);
  token.original_column = load_u32(begin_ + kColumnBaseAt) + take(1);
  token.file = decode(take(2), load_u16(begin_ + kFileBaseAt), kHasNoFile);
  token.function = decode(take(3), load_u16(begin_ + kFunctionBaseAt), kHasNoFunction);
  if (widths[4] != 0) [[unlikely]]
    token.caller = take(4);
  return token;
}

}  // namespace twofold::tw
