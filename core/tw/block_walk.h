// All tokens of a .tw version 2 in order, for verify, dump and tests. Not for lookups.
#pragma once

#include <cstdint>
#include <optional>

#include "core/tw/block_view.h"

namespace twofold::tw {

// A token where it is stored.
struct WalkedToken {
  std::uint64_t place = 0;
  std::uint32_t run = 0;  // that has the place
  BlockToken token;
  std::size_t page_end = 0;  // of the page with its names
  // The last token of the bucket before once more, not one of its own.
  bool is_carried = false;
};

class BlockWalk {
 public:
  // `view` must outlive it.
  explicit BlockWalk(const BlockView& view) : view_(view) {}

  // Calls `on_token(const WalkedToken&)` for each, carried ones included. False: something does
  // not hold together, and those before it were given. `at()` is then where.
  template <class OnToken>
  [[nodiscard]] bool for_each(OnToken on_token) {
    std::optional<std::uint32_t> before;
    for (std::uint32_t i = 0; i < view_.bucket_count(); ++i) {
      if (!walk_entry(view_.bucket(i), std::uint64_t{i} << blocks::kBucketBits, true, before,
                      on_token)) {
        return false;
      }
    }
    return true;
  }
  // Offset in the file of the block that was looked at last.
  [[nodiscard]] std::size_t at() const { return at_; }

 private:
  // `before`: the entry of the bucket before this one; none for the first.
  template <class OnToken>
  bool walk_entry(std::uint32_t entry, std::uint64_t place, bool may_fork,
                  std::optional<std::uint32_t>& before, OnToken& on_token) {
    const std::uint32_t at = entry & blocks::kMostOffset;
    const bool is_empty = (entry & blocks::kIsEmpty) != 0;
    const bool is_same = before == at;
    before = at;
    if (is_empty) return is_same;
    at_ = at;
    Block block;
    if (!block.open(view_.bytes(), at) || !block.is_sound() || (block.is_fork() && !may_fork)) {
      return false;
    }
    if (!block.is_fork()) return walk_block(block, place, on_token);
    std::optional<std::uint32_t> smaller_before;
    for (std::uint32_t i = 0; i < blocks::kForkedCount; ++i) {
      if (!walk_entry(block.forked(i), place + (std::uint64_t{i} << blocks::kForkedBits), false,
                      smaller_before, on_token)) {
        return false;
      }
    }
    return true;
  }

  template <class OnToken>
  bool walk_block(const Block& block, std::uint64_t place, OnToken& on_token) {
    WalkedToken walked;
    walked.page_end = find_page_end(at_, view_.pages_end());
    for (std::uint32_t i = 0; i < block.count(); ++i) {
      walked.is_carried = i == 0 && block.is_carried();
      walked.place = place + block.offset(i);
      if (!walked.is_carried) {
        while (run_ < view_.runs().count() && view_.runs().run(run_).end <= walked.place) ++run_;
        if (run_ == view_.runs().count() || walked.place < view_.runs().run(run_).begin) {
          return false;
        }
      }
      walked.run = run_;
      if (!block.read(i, walked.token)) return false;
      on_token(static_cast<const WalkedToken&>(walked));
    }
    return true;
  }

  const BlockView& view_;
  std::uint32_t run_ = 0;
  std::size_t at_ = 0;
};

}  // namespace twofold::tw
