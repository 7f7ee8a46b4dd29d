#include "core/tw/page_view.h"

#include <algorithm>

#include "core/tw/key_search.h"
#include "core/tw/varint.h"

namespace twofold::tw {
namespace {

using namespace blocks;

// Up to 57 bits from `bit` on. What lies behind the page reads as 0.
std::uint64_t load_bits(const std::uint8_t* records, const std::uint8_t* end, std::size_t bit) {
  const std::uint8_t* const at = records + bit / 8;
  std::uint64_t word = 0;
  if (end - at >= 8) [[likely]] {
    word = load_u64(at);
  } else if (at < end) {
    std::memcpy(&word, at, static_cast<std::size_t>(end - at));
  }
  return word >> (bit % 8);
}

constexpr std::uint64_t low_bits(unsigned count) {
  return (std::uint64_t{1} << count) - 1;
}

}  // namespace

PageView::PageView(ByteView bytes) : bytes_(bytes) {
  if (bytes.size() < kPageHeaderSizeBytes || bytes.size() > kPageSizeBytes) return;
  const std::uint32_t block_count = load_u16(bytes.data() + kBlockCountAt);
  const std::uint32_t file_count = load_u16(bytes.data() + kPageFilesAt);
  const std::uint32_t function_count = load_u16(bytes.data() + kPageFunctionsAt);
  const std::size_t names_at = load_u16(bytes.data() + kPageNamesAt);
  const std::size_t index_end =
      kPageHeaderSizeBytes + block_count * (kBlockKeySizeBytes + kBlockOffsetSizeBytes);
  const std::size_t names_size = (std::size_t{file_count} + function_count) * 2;
  if (index_end > bytes.size() || names_at > bytes.size() || names_size > bytes.size() - names_at) {
    return;
  }
  block_count_ = block_count;
  file_count_ = file_count;
  function_count_ = function_count;
  names_at_ = names_at;
}

bool PageView::open_block(std::uint32_t index, Block& block) const {
  const std::size_t offsets_at = kPageHeaderSizeBytes + block_count_ * kBlockKeySizeBytes;
  const std::size_t at = load_u16(bytes_.data() + offsets_at + index * kBlockOffsetSizeBytes);
  if (at > bytes_.size() || bytes_.size() - at < kBlockHeaderSizeBytes) return false;
  const std::uint8_t* const begin = bytes_.data() + at;
  block.begin = begin;
  block.page_end = bytes_.data() + bytes_.size();
  block.first_key = block_key(index);
  block.count = begin[kTokenCountInBlockAt];
  block.key_bytes = begin[kKeyBytesAt];
  block.column_bits = begin[kColumnBitsAt];
  block.flags = begin[kFlagsAt];
  const std::uint8_t* const widths = begin + kWidthsAt;
  block.record_bits =
      block.has(kWide) ? kWideRecordSizeBytes * 8
                       : std::uint32_t{widths[0]} + widths[1] + widths[2] + widths[3] + widths[4];
  const bool is_sound = block.count >= 1 && block.count <= kMostTokens &&
                        std::has_single_bit(block.key_bytes) && block.key_bytes <= 8 &&
                        block.column_bits <= 32 &&
                        (block.has(kWide) || block.record_bits <= kMostRecordBits);
  const std::size_t keys_size = std::size_t{block.count} * block.key_bytes;
  const std::size_t records_size = (std::size_t{block.count} * block.record_bits + 7) / 8;
  if (!is_sound || keys_size + records_size > bytes_.size() - at - kBlockHeaderSizeBytes) {
    return false;
  }
  block.keys = begin + kBlockHeaderSizeBytes;
  block.records = block.keys + keys_size;
  return true;
}

std::uint64_t PageView::Block::key(std::uint32_t index) const {
  const std::uint8_t* const at = keys + std::size_t{index} * key_bytes;
  if (key_bytes == 1) return *at;
  if (key_bytes == 2) return load_u16(at);
  return key_bytes == 4 ? load_u32(at) : load_u64(at);
}

std::uint64_t PageView::Block::full_key(std::uint32_t index) const {
  const std::uint64_t relative = key(index);
  if (!has(kManyLines)) return first_key + relative;
  const std::uint64_t line = relative >> column_bits;
  return (((first_key >> 32) + line) << 32) | (relative & low_bits(column_bits));
}

std::uint32_t PageView::Block::count_up_to(std::uint64_t limit) const {
  const bool is_padded = page_end - (keys + std::size_t{kMostTokens} * key_bytes) >= 16;
  if (key_bytes == 1) return count_keys<std::uint8_t>(keys, count, limit, is_padded);
  if (key_bytes == 2) return count_keys<std::uint16_t>(keys, count, limit, is_padded);
  return key_bytes == 4 ? count_keys<std::uint32_t>(keys, count, limit, is_padded)
                        : count_keys<std::uint64_t>(keys, count, limit, is_padded);
}

PageToken PageView::Block::wide_token(std::uint32_t index) const {
  const std::uint8_t* const at = records + std::size_t{index} * kWideRecordSizeBytes;
  return {load_u32(at), load_u32(at + 4), load_u32(at + 8), load_u32(at + 12), load_u32(at + 16)};
}

PageToken PageView::Block::token(std::uint32_t index) const {
  if (has(kWide)) return wide_token(index);
  std::uint64_t bits = load_bits(records, page_end, std::size_t{index} * record_bits);
  const std::uint8_t* const widths = begin + kWidthsAt;
  const auto take = [&](std::size_t field) {
    const auto value = static_cast<std::uint32_t>(bits & low_bits(widths[field]));
    bits >>= widths[field];
    return value;
  };
  // With a code for "none", all others are one more.
  const auto decode = [&](std::uint32_t code, std::uint32_t base, std::uint8_t flag) {
    if (!has(flag)) return base + code;
    return code == 0 ? kNone : base + code - 1;
  };
  PageToken token;
  token.original_line = decode(take(0), load_u32(begin + kLineBaseAt), kHasUnmapped);
  if (token.original_line == kNone) return {};
  token.original_column = load_u32(begin + kColumnBaseAt) + take(1);
  token.file = decode(take(2), load_u16(begin + kFileBaseAt), kHasNoFile);
  token.function = decode(take(3), load_u16(begin + kFunctionBaseAt), kHasNoFunction);
  token.caller = take(4);
  return token;
}

std::optional<PageToken> PageView::find(std::uint64_t key) const {
  std::uint32_t first = 0;
  std::uint32_t count = block_count_;
  if (count == 0) return std::nullopt;
  while (count > 1) {  // by conditional moves: the last block whose key is not above
    const std::uint32_t half = count / 2;
    first = block_key(first + half) <= key ? first + half : first;
    count -= half;
  }
  Block block;
  if (!open_block(first, block) || key < block.first_key) return std::nullopt;

  std::uint64_t wanted = key - block.first_key;
  bool is_exact = true;
  std::uint64_t lines = 0;
  if (block.has(kManyLines)) {
    lines = (key >> 32) - (block.first_key >> 32);
    const std::uint64_t column = key & 0xFFFFFFFF;
    const std::uint64_t most = low_bits(block.column_bits);
    is_exact = column <= most;
    if (lines > ~std::uint64_t{0} >> block.column_bits) return std::nullopt;
    wanted = (lines << block.column_bits) | std::min(column, most);
  } else if (key >> 32 != block.first_key >> 32) {
    return std::nullopt;
  }
  const std::uint32_t behind = block.count_up_to(wanted);
  if (behind == 0) return std::nullopt;
  std::uint32_t index = behind - 1;
  const std::uint64_t found = block.key(index);
  if (block.has(kManyLines) && found >> block.column_bits != lines) return std::nullopt;
  // Of two tokens at one position the first answers for it, the second for what follows.
  if (is_exact && found == wanted && index > 0 && block.key(index - 1) == found) --index;
  return block.token(index);
}

std::optional<PageName> PageView::name(std::uint32_t number) const {
  std::size_t at = load_u16(bytes_.data() + names_at_ + std::size_t{number} * 2);
  PageName name{};
  std::uint32_t length = 0;
  if (!read_varint(bytes_, at, name.index) || !read_varint(bytes_, at, length)) {
    return std::nullopt;
  }
  name.is_long = (length & 1) != 0;
  length >>= 1;
  if (name.is_long) return name;
  if (length > bytes_.size() - at) return std::nullopt;
  name.text = as_text(bytes_.subspan(at, length));
  return name;
}

}  // namespace twofold::tw
