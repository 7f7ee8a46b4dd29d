// Packs the tokens of a bucket into a block. FORMAT.md has the bytes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/tw/block.h"

namespace twofold::tw {

// The tokens of one bucket, in order of their places, at most two for each. An array per field, so
// that what is said of a field is found four tokens at a time.
struct BucketTokens {
  using Field = std::array<std::uint32_t, blocks::kMostTokens>;

  std::uint32_t count = 0;
  bool is_carried = false;   // the first one began in a bucket before this one
  bool has_twins = false;    // two are at one place
  bool has_callers = false;  // some caller is not 0
  std::array<std::uint8_t, blocks::kMostTokens> offsets;
  Field lines;    // 0: unmapped; what the other fields say then does not matter
  Field columns;  // for an unmapped token that of the one before, so that no range grows
  Field files;
  Field functions;
  Field callers;

  // `token` as BlockToken has it, but for what `file` and `function` number.
  void add(std::uint8_t offset, const BlockToken& token) {
    has_twins |= count > 0 && offsets[count - 1] == offset;
    has_callers |= token.caller != 0;
    const bool repeats = token.is_unmapped() && count > 0;
    offsets[count] = offset;
    lines[count] = token.original_line;
    columns[count] = repeats ? columns[count - 1] : token.original_column;
    files[count] = repeats ? files[count - 1] : token.file;
    functions[count] = repeats ? functions[count - 1] : token.function;
    callers[count] = token.caller;
    ++count;
  }
  [[nodiscard]] BlockToken token(std::uint32_t index) const {
    return {lines[index], columns[index], files[index], functions[index], callers[index]};
  }
  void clear() {
    count = 0;
    is_carried = has_twins = has_callers = false;
  }
};

// The numbers that the names of a bucket's tokens have in their page.
struct BucketNames {
  BucketTokens::Field files;
  BucketTokens::Field functions;
};

// The form of a block: the least of each field, and how many bits what is above takes.
class BlockForm {
 public:
  // Precondition: at least one token.
  BlockForm(const BucketTokens& bucket, const BucketNames& names);

  [[nodiscard]] std::size_t size_bytes() const { return size_bytes_; }
  // Appends the block for the same tokens.
  void append(const BucketTokens& bucket, const BucketNames& names,
              std::vector<std::uint8_t>& to) const;

 private:
  [[nodiscard]] std::uint64_t head(const BucketTokens& bucket) const;
  void append_records(const BucketTokens& bucket, const BucketNames& names, std::uint8_t* at) const;
  static void append_wide(const BucketTokens& bucket, const BucketNames& names, std::uint8_t* at);

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
