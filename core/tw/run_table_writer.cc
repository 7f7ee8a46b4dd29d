#include "core/tw/run_table_writer.h"

#include <bit>

namespace twofold::tw {
namespace {

using namespace blocks;

// A gap of more columns than this ends a run where runs are listed: its empty buckets would take
// more than a run does.
constexpr std::uint32_t kWidestGap = 1024;

std::uint64_t count_buckets(std::uint64_t places) {
  return (places + kLastInBucket) >> kBucketBits;
}

}  // namespace

// One run for each line instead of one between wide gaps.
void RunTableWriter::join_lines() {
  std::size_t kept = 0;
  for (const Run& run : runs_) {
    const std::uint64_t columns = run.end - run.begin;
    const std::uint64_t begin = kept == 0 ? 0 : runs_[kept - 1].end;
    if (kept > 0 && runs_[kept - 1].line == run.line) {
      Run& line = runs_[kept - 1];
      line.end = line.begin + (run.first_column - line.first_column) + columns;
    } else {
      runs_[kept++] = {run.line, run.first_column, begin, begin + columns};
    }
  }
  runs_.resize(kept);
}

Status RunTableWriter::plan(const FlatView& flat) {
  runs_.clear();
  std::uint64_t line_places = 0;  // if no gap ended a run
  std::uint32_t last_column = 0;
  for (std::uint32_t i = 0; i < flat.token_count(); ++i) {
    const std::uint64_t key = flat.key(i);
    const auto line = static_cast<std::uint32_t>(key >> 32);
    const auto column = static_cast<std::uint32_t>(key);
    const bool is_new_line = runs_.empty() || runs_.back().line != line;
    if (is_new_line || column - last_column > kWidestGap) {
      const std::uint64_t begin = runs_.empty() ? 0 : runs_.back().end;
      line_places += is_new_line ? 2 : column - last_column;
      runs_.push_back({line, column, begin, begin + 2});
    } else {
      line_places += column - last_column;
      runs_.back().end += column - last_column;
    }
    last_column = column;
  }
  rule_ = {};
  entry_count_ = 0;
  bucket_count_ = 0;
  if (runs_.empty()) return {};

  // A line each without a list, unless that is much larger.
  rule_.first_line = runs_.front().line;
  const std::uint64_t line_count = std::uint64_t{runs_.back().line} - rule_.first_line + 1;
  const std::uint64_t listed_bytes = runs_.size() * 8 + count_buckets(runs_.back().end) * 4;
  const std::uint64_t unlisted_bytes = line_count * 4 + count_buckets(line_places) * 4;
  rule_.is_listed = unlisted_bytes > listed_bytes + flat.token_count() / 4;
  if (!rule_.is_listed) join_lines();
  std::uint32_t most_column = 0;
  for (const Run& run : runs_) most_column = std::max(most_column, run.first_column);
  rule_.column_bits = static_cast<std::uint32_t>(std::bit_width(most_column));
  const std::uint64_t places = runs_.back().end;
  const auto bits = static_cast<std::uint32_t>(std::bit_width(places)) + rule_.column_bits;
  rule_.entry_size = bits <= 32 ? 4 : 8;
  const std::uint64_t entries = rule_.is_listed ? runs_.size() : line_count;
  if (bits > 64 || count_buckets(places) > kMostOffset / 4 || entries > kMostOffset / 12) {
    return Error{Code::kTooLarge, kNoOffset, "more places than a .tw can number"};
  }
  entry_count_ = static_cast<std::uint32_t>(entries);
  bucket_count_ = static_cast<std::uint32_t>(count_buckets(places));
  return {};
}

void RunTableWriter::append(std::vector<std::uint8_t>& to) const {
  const std::size_t begin = to.size();
  to.resize(begin + size_bytes());
  std::uint8_t* const header = to.data() + begin;
  store(header + kFirstLineAt, rule_.first_line);
  header[kRunColumnBitsAt] = static_cast<std::uint8_t>(rule_.column_bits);
  header[kRunSizeAt] = static_cast<std::uint8_t>(rule_.entry_size);
  header[kIsListedAt] = rule_.is_listed ? 1 : 0;
  std::uint8_t* entry = header + kRunsHeaderSizeBytes;
  const auto append_entry = [&](std::uint64_t place, std::uint32_t first_column,
                                std::uint32_t line) {
    const std::uint64_t value = place << rule_.column_bits | first_column;
    if (rule_.entry_size == 4) {
      store(entry, static_cast<std::uint32_t>(value));
    } else {
      store(entry, value);
    }
    if (rule_.is_listed) store(entry + rule_.entry_size, line);
    entry += rule_.stride();
  };
  std::uint32_t line = rule_.first_line;
  for (const Run& run : runs_) {
    // Lines without tokens have no places.
    for (; !rule_.is_listed && line < run.line; ++line) append_entry(run.begin, 0, line);
    append_entry(run.begin, run.first_column, run.line);
    ++line;
  }
  append_entry(runs_.empty() ? 0 : runs_.back().end, 0, 0);
}

}  // namespace twofold::tw
