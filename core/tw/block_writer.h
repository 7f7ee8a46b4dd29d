// Packs the tokens of a bucket into a block. FORMAT.md has the bytes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/tw/block.h"

namespace twofold::tw {

// The tokens of one bucket, in order of their places, at most two for each; numbers of names are
// those of the page.
struct BucketTokens {
  std::uint32_t count = 0;
  bool is_carried = false;  // the first one began in a bucket before this one
  std::array<std::uint8_t, blocks::kMostTokens> offsets;
  std::array<BlockToken, blocks::kMostTokens> tokens;

  void add(std::uint8_t offset, const BlockToken& token) {
    offsets[count] = offset;
    tokens[count] = token;
    ++count;
  }
};

// The form of a block: the least of each field, and how many bits what is above takes.
class BlockForm {
 public:
  // Precondition: at least one token.
  explicit BlockForm(const BucketTokens& bucket);

  [[nodiscard]] std::size_t size_bytes() const { return size_bytes_; }
  // Appends the block for the same tokens.
  void append(const BucketTokens& bucket, std::vector<std::uint8_t>& to) const;

 private:
  [[nodiscard]] static bool has_twins(const BucketTokens& bucket);
  [[nodiscard]] std::uint64_t head(const BucketTokens& bucket) const;

  BlockToken base_;   // what is taken off each field
  BlockToken width_;  // bits of each field
  std::uint32_t bits_ = 0;
  bool is_extended_ = false;
  bool is_wide_ = false;
  std::size_t size_bytes_ = 0;
};

// Appends a fork to these smaller buckets.
void append_fork(const std::array<std::uint32_t, blocks::kForkedCount>& entries,
                 std::vector<std::uint8_t>& to);

}  // namespace twofold::tw
