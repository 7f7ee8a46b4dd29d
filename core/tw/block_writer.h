// Packs the tokens of a bucket into a block. FORMAT.md has the bytes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "core/tw/block.h"
#include "core/tw/flat_view.h"

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
  Field lines;  // 0: unmapped; what the other fields say then does not matter
  Field columns;
  Field files;
  Field functions;
  Field callers;

  // `token` as BlockToken has it, but for what `file` and `function` number.
  void add(std::uint8_t offset, const BlockToken& token) {
    has_twins |= count > 0 && offsets[count - 1] == offset;
    has_callers |= token.caller != 0;
    offsets[count] = offset;
    lines[count] = token.original_line;
    columns[count] = token.original_column;
    files[count] = token.file;
    functions[count] = token.function;
    callers[count] = token.caller;
    ++count;
    if (token.is_unmapped()) smooth_unmapped(count - 1);
  }
  // The same for tokens [first, last) of a file, the first of which is `place` places into the
  // bucket, without callers; all are on one line. A loop per field.
  void add(const FlatView& flat, std::uint32_t first, std::uint32_t last, std::uint32_t place) {
    const std::uint32_t begin = count;
    const std::uint8_t* const records = flat.record(first);
    const std::uint32_t added = last - first;
    const std::uint32_t base = place - load_u32(records + flat::kGeneratedColumnAt);
    for (std::uint32_t i = 0; i < added; ++i) {
      const std::uint8_t* const record = records + std::size_t{i} * flat::kTokenSizeBytes;
      offsets[begin + i] =
          static_cast<std::uint8_t>(base + load_u32(record + flat::kGeneratedColumnAt));
    }
    bool is_twin = false;
    for (std::uint32_t i = begin == 0 ? 1 : begin; i < begin + added; ++i) {
      is_twin |= offsets[i - 1] == offsets[i];
    }
    has_twins |= is_twin;
    const auto copy_field = [&](std::size_t at, std::uint32_t* to) {
      for (std::uint32_t i = 0; i < added; ++i) {
        to[i] = load_u32(records + std::size_t{i} * flat::kTokenSizeBytes + at);
      }
    };
    copy_field(flat::kOriginalLineAt, lines.data() + begin);
    copy_field(flat::kOriginalColumnAt, columns.data() + begin);
    copy_field(flat::kFileAt, files.data() + begin);
    copy_field(flat::kFunctionAt, functions.data() + begin);
    std::fill_n(callers.data() + begin, added, 0);
    count += added;
    std::uint32_t unmapped = 0;
    for (std::uint32_t i = begin; i < count; ++i) unmapped += lines[i] == 0 ? 1u : 0u;
    for (std::uint32_t i = begin; unmapped != 0 && i < count; ++i) {
      if (lines[i] == 0) smooth_unmapped(i);
    }
  }
  [[nodiscard]] BlockToken token(std::uint32_t index) const {
    return {lines[index], columns[index], files[index], functions[index], callers[index]};
  }
  // What does not matter is that of the token before, so that no range grows by it.
  void smooth_unmapped(std::uint32_t index) {
    columns[index] = index > 0 ? columns[index - 1] : 0;
    files[index] = index > 0 ? files[index - 1] : kNone;
    functions[index] = index > 0 ? functions[index - 1] : kNone;
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
