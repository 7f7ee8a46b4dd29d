// Puts the lines of a file behind one another; see run_table.h.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "core/tw/flat_view.h"
#include "core/tw/run_table.h"

namespace twofold::tw {

class RunTableWriter {
 public:
  // Chooses the runs for the tokens of `flat`, which are sorted by key.
  // Errors: kTooLarge, when there are more places than a file can number.
  [[nodiscard]] Status plan(const FlatView& flat);

  // Those that have tokens, in order.
  [[nodiscard]] const std::vector<Run>& runs() const { return runs_; }
  // How many buckets all places take.
  [[nodiscard]] std::uint32_t bucket_count() const { return bucket_count_; }

  // Entries of the section, and what it takes.
  [[nodiscard]] std::uint32_t entry_count() const { return entry_count_; }
  [[nodiscard]] std::size_t size_bytes() const { return rule_.size_bytes(entry_count_); }
  void append(std::vector<std::uint8_t>& to) const;

 private:
  void join_lines();

  std::vector<Run> runs_;
  RunRule rule_;
  std::uint32_t entry_count_ = 0;
  std::uint32_t bucket_count_ = 0;
};

}  // namespace twofold::tw
