// Where on the row of places a generated position is. FORMAT.md, "Places".
//
// Lines are put behind one another to make one row: a run is a piece of a line with tokens, from
// its first token to one place behind its last. What is further behind is like that place: the last
// token answers. Before the first token of a line there is nothing.
//
// Owns nothing. Any bytes may be looked at; damaged ones give some place or none.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/base/bytes.h"
#include "core/tw/layout.h"

namespace twofold::tw {

inline constexpr std::uint64_t kNoPlace = ~std::uint64_t{0};

// One run: places [begin, end) are the columns from `first_column` of `line` on.
struct Run {
  std::uint32_t line = 0;
  std::uint32_t first_column = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  [[nodiscard]] std::uint64_t key(std::uint64_t place) const {
    return std::uint64_t{line} << 32 | static_cast<std::uint32_t>(first_column + (place - begin));
  }
};

// What the head of the section says.
struct RunRule {
  std::uint32_t first_line = 0;
  std::uint32_t column_bits = 0;  // 0 to 32
  std::uint32_t entry_size = 4;   // 4 or 8
  bool is_listed = false;

  // Precondition: kRunsHeaderSizeBytes are there. False: damaged.
  [[nodiscard]] static bool read(const std::uint8_t* header, RunRule& rule) {
    using namespace blocks;
    rule.first_line = load_u32(header + kFirstLineAt);
    rule.column_bits = header[kRunColumnBitsAt];
    rule.entry_size = header[kRunSizeAt];
    rule.is_listed = header[kIsListedAt] != 0;
    return rule.column_bits <= 32 && (rule.entry_size == 4 || rule.entry_size == 8);
  }
  [[nodiscard]] std::uint64_t entry(const std::uint8_t* at) const {
    return entry_size == 4 ? load_u32(at) : load_u64(at);
  }
  // The place of a column, between the entries of its run and the next; kNoPlace before the first.
  [[nodiscard]] std::uint64_t place(std::uint64_t entry, std::uint64_t next,
                                    std::uint32_t column) const {
    const std::uint64_t begin = entry >> column_bits;
    const std::uint64_t end = next >> column_bits;
    const auto first_column =
        static_cast<std::uint32_t>(entry & ((std::uint64_t{1} << column_bits) - 1));
    if (begin >= end || column < first_column) return kNoPlace;
    return std::min(begin + (column - first_column), end - 1);
  }
  // Of an entry with its line, if it has one, which is behind it.
  [[nodiscard]] std::uint32_t stride() const { return entry_size + (is_listed ? 4 : 0); }
  [[nodiscard]] std::size_t size_bytes(std::uint32_t run_count) const {
    return blocks::kRunsHeaderSizeBytes + (std::size_t{run_count} + 1) * stride();
  }
};

class RunTable {
 public:
  RunTable() = default;
  // `section` and its number of entries, which are all but the last one. Without sense: empty.
  RunTable(ByteView section, std::uint32_t run_count) {
    if (section.size() < blocks::kRunsHeaderSizeBytes || !RunRule::read(section.data(), rule_) ||
        section.size() < rule_.size_bytes(run_count)) {
      return;
    }
    entries_ = section.data() + blocks::kRunsHeaderSizeBytes;
    stride_ = rule_.stride();
    count_ = run_count;
  }

  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] const RunRule& rule() const { return rule_; }
  // Precondition: index < count().
  [[nodiscard]] Run run(std::uint32_t index) const {
    const std::uint64_t entry = load(index);
    return {line(index),
            static_cast<std::uint32_t>(entry & ((std::uint64_t{1} << rule_.column_bits) - 1)),
            entry >> rule_.column_bits, load(index + 1) >> rule_.column_bits};
  }

  // The place of a key; kNoPlace: no token is at or before it on its line.
  [[nodiscard]] std::uint64_t find(std::uint64_t key) const {
    const auto wanted_line = static_cast<std::uint32_t>(key >> 32);
    std::uint32_t index = wanted_line - rule_.first_line;
    if (rule_.is_listed) [[unlikely]]
      index = find_listed(key);
    if (index >= count_) return kNoPlace;
    return rule_.place(load(index), load(index + 1), static_cast<std::uint32_t>(key));
  }

 private:
  [[nodiscard]] std::uint64_t load(std::uint32_t index) const {
    return rule_.entry(entries_ + std::size_t{index} * stride_);
  }
  [[nodiscard]] std::uint32_t line(std::uint32_t index) const {
    if (!rule_.is_listed) return rule_.first_line + index;
    return load_u32(entries_ + std::size_t{index} * stride_ + rule_.entry_size);
  }
  // The last run that begins at or before `key` on its line; kNone.
  [[nodiscard]] std::uint32_t find_listed(std::uint64_t key) const {
    std::uint32_t first = 0;
    std::uint32_t count = count_;
    while (count > 0) {
      const std::uint32_t half = count / 2;
      const Run middle = run(first + half);
      const bool is_before = (std::uint64_t{middle.line} << 32 | middle.first_column) <= key;
      first = is_before ? first + half + 1 : first;
      count = is_before ? count - half - 1 : half;
    }
    return first > 0 && line(first - 1) == key >> 32 ? first - 1 : kNone;
  }

  const std::uint8_t* entries_ = nullptr;
  std::uint32_t count_ = 0;
  std::uint32_t stride_ = 0;
  RunRule rule_;
};

}  // namespace twofold::tw
