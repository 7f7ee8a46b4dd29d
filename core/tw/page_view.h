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
#include <optional>
#include <string_view>

#include "core/base/bytes.h"
#include "core/tw/key_search.h"
#include "core/tw/layout.h"
#include "core/tw/token.h"

namespace twofold::tw {

// A name in a page. Long ones are elsewhere in the file: then `is_long`, and no text.
struct PageName {
  std::uint32_t index;  // of the file's table of files or functions
  std::string_view text;
  bool is_long;
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

// A block of a page that is known to lie inside of it.
class BlockReader {
 public:
  // `at`: where it begins in the page. False: it does not lie inside, or is no block.
  [[nodiscard]] bool open(ByteView page, std::size_t at, std::uint64_t first_key);

  [[nodiscard]] std::uint32_t token_count() const { return count_; }
  // Preconditions: index < token_count().
  [[nodiscard]] std::uint64_t key(std::uint32_t index) const;
  [[nodiscard]] PageToken token(std::uint32_t index) const;

  // Index of the token that answers `key`, which is not below the first; kNone: none on its line.
  [[nodiscard]] std::uint32_t find(std::uint64_t key) const;

 private:
  [[nodiscard]] bool has(std::uint8_t flag) const { return (flags_ & flag) != 0; }
  // A key as it is stored.
  [[nodiscard]] std::uint64_t stored_key(std::uint32_t index) const;
  [[nodiscard]] std::uint32_t count_up_to(std::uint64_t limit) const;
  [[nodiscard]] std::uint64_t load_record(std::uint32_t index) const;

  static constexpr std::uint64_t low_bits(unsigned count) {
    return (std::uint64_t{1} << count) - 1;
  }

  const std::uint8_t* begin_ = nullptr;
  const std::uint8_t* keys_ = nullptr;
  const std::uint8_t* records_ = nullptr;
  const std::uint8_t* page_end_ = nullptr;
  std::uint64_t first_key_ = 0;
  std::uint32_t count_ = 0;
  std::uint32_t key_bytes_ = 0;
  std::uint32_t column_bits_ = 0;
  std::uint32_t record_bits_ = 0;
  std::uint8_t flags_ = 0;
};

class PageView {
 public:
  explicit PageView(ByteView bytes);

  // Finds the token that answers `key`. False: none on its line, or the page is damaged there.
  [[nodiscard]] bool find(std::uint64_t key, PageToken& token) const;

  // No value: kNone, out of range or damaged.
  [[nodiscard]] std::optional<PageName> file(std::uint32_t number) const {
    return number < file_count_ ? name(number) : std::nullopt;
  }
  [[nodiscard]] std::optional<PageName> function(std::uint32_t number) const {
    return number < function_count_ ? name(file_count_ + number) : std::nullopt;
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
      if (!open_block(i, block)) return false;
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
  [[nodiscard]] std::optional<PageName> name(std::uint32_t number) const;

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

inline std::optional<PageName> PageView::name(std::uint32_t number) const {
  using namespace blocks;
  const std::uint8_t* const record = bytes_.data() + names_at_ + number * kNameSizeBytes;
  const std::uint32_t index = load_u32(record + kNameIndexAt);
  const std::size_t text_at = load_u16(record + kNameTextAt);
  const std::size_t length = load_u16(record + kNameLengthAt);
  if (length == kLongName) return PageName{index, {}, true};
  if (text_at + length > bytes_.size()) return std::nullopt;
  return PageName{index, as_text(bytes_.subspan(text_at, length)), false};
}

inline bool BlockReader::open(ByteView page, std::size_t at, std::uint64_t first_key) {
  using namespace blocks;
  if (page.size() < kBlockHeaderSizeBytes || at > page.size() - kBlockHeaderSizeBytes) return false;
  begin_ = page.data() + at;
  page_end_ = page.data() + page.size();
  first_key_ = first_key;
  count_ = begin_[kTokenCountInBlockAt];
  key_bytes_ = begin_[kKeyBytesAt];
  column_bits_ = begin_[kColumnBitsAt];
  flags_ = begin_[kFlagsAt];
  record_bits_ = begin_[kRecordBitsAt];
  const bool is_sound = count_ - 1 < kMostTokens && key_bytes_ - 1 < 8 &&
                        (key_bytes_ & (key_bytes_ - 1)) == 0 && column_bits_ <= 32 &&
                        (has(kWide) || record_bits_ <= kMostRecordBits);
  if (has(kWide)) record_bits_ = kWideRecordSizeBytes * 8;
  keys_ = begin_ + kBlockHeaderSizeBytes;
  records_ = keys_ + std::size_t{count_} * key_bytes_;
  const std::size_t size =
      std::size_t{count_} * key_bytes_ + (std::size_t{count_} * record_bits_ + 7) / 8;
  return is_sound && size <= page.size() - at - kBlockHeaderSizeBytes;
}

inline std::uint64_t BlockReader::stored_key(std::uint32_t index) const {
  const std::uint8_t* const at = keys_ + std::size_t{index} * key_bytes_;
  if (key_bytes_ == 1) return *at;
  if (key_bytes_ == 2) return load_u16(at);
  return key_bytes_ == 4 ? load_u32(at) : load_u64(at);
}

inline std::uint64_t BlockReader::key(std::uint32_t index) const {
  const std::uint64_t stored = stored_key(index);
  if (!has(blocks::kManyLines)) return first_key_ + stored;
  const std::uint64_t line = (first_key_ >> 32) + (stored >> column_bits_);
  return line << 32 | (stored & low_bits(column_bits_));
}

inline std::uint32_t BlockReader::count_up_to(std::uint64_t limit) const {
  const bool is_padded =
      page_end_ - keys_ >= static_cast<std::ptrdiff_t>(blocks::kMostTokens * 2 + 16);
  if (key_bytes_ == 1) return count_keys<std::uint8_t>(keys_, count_, limit, is_padded);
  if (key_bytes_ == 2) return count_keys<std::uint16_t>(keys_, count_, limit, is_padded);
  return key_bytes_ == 4 ? count_keys<std::uint32_t>(keys_, count_, limit, is_padded)
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
  // Of two tokens at one position the first answers for it, the second for what follows.
  const bool is_second = is_exact && found == wanted && index > 0 && stored_key(index - 1) == found;
  return is_second ? index - 1 : index;
}

// The bits of a record and of what follows it. What lies behind the page reads as 0.
inline std::uint64_t BlockReader::load_record(std::uint32_t index) const {
  const std::size_t bit = std::size_t{index} * record_bits_;
  const std::uint8_t* const at = records_ + bit / 8;
  std::uint64_t word = 0;
  if (page_end_ - at >= 8) [[likely]] {
    word = load_u64(at);
  } else {
    std::memcpy(&word, at, static_cast<std::size_t>(page_end_ - at));
  }
  return word >> (bit % 8);
}

inline PageToken BlockReader::token(std::uint32_t index) const {
  using namespace blocks;
  if (has(kWide)) [[unlikely]] {
    const std::uint8_t* const at = records_ + std::size_t{index} * kWideRecordSizeBytes;
    return {load_u32(at), load_u32(at + 4), load_u32(at + 8), load_u32(at + 12), load_u32(at + 16)};
  }
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
  token.original_line = decode(take(0), load_u32(begin_ + kLineBaseAt), kHasUnmapped);
  if (token.original_line == kNone) return {};
  token.original_column = load_u32(begin_ + kColumnBaseAt) + take(1);
  token.file = decode(take(2), load_u16(begin_ + kFileBaseAt), kHasNoFile);
  token.function = decode(take(3), load_u16(begin_ + kFunctionBaseAt), kHasNoFunction);
  token.caller = take(4);
  return token;
}

}  // namespace twofold::tw
