// One page of a .tw version 2: some hundred tokens with the names that they need. A lookup reads
// one page; whoever has no more than the page's bytes can answer from it.
//
// Owns nothing, allocates nothing. Any bytes may be looked at: what does not hold together reads as
// absent, and no access leaves the page.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/bytes.h"
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

class PageView {
 public:
  explicit PageView(ByteView bytes);

  // The token that answers `key`, which is not below the page's first. No value: none on its line,
  // or the page is damaged there.
  [[nodiscard]] std::optional<PageToken> find(std::uint64_t key) const;

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
      Block block;
      if (!open_block(i, block)) return false;
      for (std::uint32_t token = 0; token < block.count; ++token) {
        on_token(block.full_key(token), block.token(token));
      }
    }
    return true;
  }

 private:
  struct Block {
    const std::uint8_t* begin;
    const std::uint8_t* keys;
    const std::uint8_t* records;
    const std::uint8_t* page_end;
    std::uint64_t first_key;
    std::uint32_t count;
    std::uint32_t key_bytes;
    std::uint32_t column_bits;
    std::uint32_t record_bits;
    std::uint8_t flags;

    [[nodiscard]] bool has(std::uint8_t flag) const { return (flags & flag) != 0; }
    [[nodiscard]] std::uint64_t key(std::uint32_t index) const;
    [[nodiscard]] std::uint64_t full_key(std::uint32_t index) const;
    [[nodiscard]] std::uint32_t count_up_to(std::uint64_t limit) const;
    [[nodiscard]] PageToken token(std::uint32_t index) const;
    [[nodiscard]] PageToken wide_token(std::uint32_t index) const;
  };

  [[nodiscard]] std::uint64_t block_key(std::uint32_t block) const {
    return load_u64(bytes_.data() + blocks::kPageHeaderSizeBytes +
                    std::size_t{block} * blocks::kBlockKeySizeBytes);
  }
  [[nodiscard]] bool open_block(std::uint32_t index, Block& block) const;
  [[nodiscard]] std::optional<PageName> name(std::uint32_t number) const;

  ByteView bytes_;
  std::uint32_t block_count_ = 0;
  std::uint32_t file_count_ = 0;
  std::uint32_t function_count_ = 0;
  std::size_t names_at_ = 0;
};

}  // namespace twofold::tw
