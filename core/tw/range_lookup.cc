#include "core/tw/range_lookup.h"

#include <algorithm>

#include "core/tw/block.h"

namespace twofold::tw {
namespace {

using namespace blocks;

constexpr std::uint64_t kHeadBytes = 4096;
// A request costs more than reading this far on.
constexpr std::uint64_t kWorthJoining = 4096;
constexpr std::uint64_t kLongNameGuess = 1024;
// So many runs of a list are read together.
constexpr std::uint32_t kFewRuns = 4096;

}  // namespace

RangeLookup::RangeLookup(std::uint64_t file_size_bytes, std::vector<std::uint64_t> keys)
    : file_size_bytes_(file_size_bytes),
      keys_(std::move(keys)),
      answers_(keys_.size()),
      is_answered_(keys_.size(), false) {
  if (!keys_.empty()) needed_.push_back({0, std::min(kHeadBytes, file_size_bytes_)});
}

Status RangeLookup::take(std::span<const ByteView> pieces) {
  const std::vector<ByteRange> asked = std::move(needed_);
  needed_.clear();
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (i >= pieces.size() || pieces[i].size() != asked[i].size) {
      return Error{Code::kTruncated, asked[i].offset,
                   "a read of " + std::to_string(asked[i].size) + " bytes gave " +
                       std::to_string(i < pieces.size() ? pieces[i].size() : 0)};
    }
    pieces_.emplace(asked[i].offset, std::vector<std::uint8_t>(pieces[i].begin(), pieces[i].end()));
  }
  if (!directory_) {
    const auto read = read_directory(pieces_.begin()->second, file_size_bytes_);
    if (!read) return read.error();
    directory_ = read.value();
  }
  resolve_all();
  return {};
}

void RangeLookup::resolve_all() {
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (is_answered_[i]) continue;
    Location location;
    const Outcome outcome = resolve(keys_[i], location);
    is_answered_[i] = outcome != Outcome::kWaits;
    if (outcome == Outcome::kFound) answers_[i] = location;
  }
  join_needed();
}

// One of the pieces that begin last at or before `offset` has it: what was asked for is a piece of
// its own or in one that few others begin in. Missed, it is read once more.
std::optional<ByteView> RangeLookup::fetch(std::uint64_t offset, std::uint64_t size) {
  if (offset > file_size_bytes_ || size > file_size_bytes_ - offset) return ByteView();
  auto behind = pieces_.upper_bound(offset);
  for (int tries = 0; tries < 8 && behind != pieces_.begin(); ++tries) {
    const auto& [begin, bytes] = *--behind;
    const std::uint64_t at = offset - begin;
    if (at <= bytes.size() && size <= bytes.size() - at) {
      return ByteView(bytes).subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(size));
    }
  }
  needed_.push_back({offset, size});
  return std::nullopt;
}

// As RunTable::find_listed: halved by reading one run, then all that are left.
std::optional<std::uint64_t> RangeLookup::find_listed(std::uint64_t key, const RunRule& rule) {
  const SectionRange& section = (*directory_)[SectionKind::kRuns];
  const std::uint32_t stride = rule.stride();
  const std::uint64_t column_mask = (std::uint64_t{1} << rule.column_bits) - 1;
  const auto fetch_runs = [&](std::uint32_t first, std::uint32_t run_count) {
    return fetch(section.offset + kRunsHeaderSizeBytes + std::uint64_t{first} * stride,
                 std::uint64_t{run_count} * stride);
  };
  const auto line_of = [&](const std::uint8_t* run) { return load_u32(run + rule.entry_size); };
  const auto is_before = [&](const std::uint8_t* run) {
    return (std::uint64_t{line_of(run)} << 32 | (rule.entry(run) & column_mask)) <= key;
  };
  std::uint32_t first = 0;
  std::uint32_t count = section.entries;
  while (count > kFewRuns) {
    const std::uint32_t half = count / 2;
    const auto middle = fetch_runs(first + half, 1);
    if (!middle) return std::nullopt;
    const bool is_in_upper_half = is_before(middle->data());
    first += is_in_upper_half ? half : 0;
    count = is_in_upper_half ? count - half : half;
  }
  const auto runs = fetch_runs(first, count + 1);  // with the one behind them, which ends the last
  if (!runs) return std::nullopt;
  const std::uint8_t* found = nullptr;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint8_t* const run = runs->data() + std::size_t{i} * stride;
    if (!is_before(run)) break;
    found = run;
  }
  if (found == nullptr || line_of(found) != key >> 32) return kNoPlace;
  return rule.place(rule.entry(found), rule.entry(found + stride), static_cast<std::uint32_t>(key));
}

// As RunTable::find.
std::optional<std::uint64_t> RangeLookup::find_place(std::uint64_t key) {
  const SectionRange& section = (*directory_)[SectionKind::kRuns];
  if (section.size < kRunsHeaderSizeBytes) return kNoPlace;
  const auto header = fetch(section.offset, kRunsHeaderSizeBytes);
  if (!header) return std::nullopt;
  RunRule rule;
  if (!RunRule::read(header->data(), rule) || section.size < rule.size_bytes(section.entries)) {
    return kNoPlace;
  }
  if (rule.is_listed) return find_listed(key, rule);
  const std::uint32_t index = static_cast<std::uint32_t>(key >> 32) - rule.first_line;
  if (index >= section.entries) return kNoPlace;
  const auto entries =
      fetch(section.offset + kRunsHeaderSizeBytes + std::uint64_t{index} * rule.entry_size,
            std::uint64_t{2} * rule.entry_size);
  if (!entries) return std::nullopt;
  return rule.place(rule.entry(entries->data()), rule.entry(entries->data() + rule.entry_size),
                    static_cast<std::uint32_t>(key));
}

std::optional<RangeLookup::Page> RangeLookup::fetch_page(std::uint64_t at) {
  const SectionRange& pages = (*directory_)[SectionKind::kPages];
  const std::uint64_t end = find_page_end(static_cast<std::size_t>(at),
                                          static_cast<std::size_t>(pages.offset + pages.size));
  const std::uint64_t begin = std::max(at / kPageSizeBytes * kPageSizeBytes, pages.offset);
  if (at < begin || at >= end) return Page{};
  const auto bytes = fetch(begin, end - begin);
  if (!bytes) return std::nullopt;
  return Page{*bytes, begin};
}

// False: it waits.
bool RangeLookup::find_long_name(const SectionRange& table, std::uint32_t index,
                                 std::optional<std::string_view>& name) {
  if (index >= table.entries) return true;
  const auto entry = fetch(table.offset + std::uint64_t{index} * 4, 4);
  if (!entry) return false;
  const std::uint64_t at = load_u32(entry->data());
  if (at > file_size_bytes_ || file_size_bytes_ - at < 4) return true;
  const SectionRange& pages = (*directory_)[SectionKind::kPages];
  if (at < pages.offset + pages.size) {  // long only in a page without room
    const auto page = fetch_page(at);
    if (!page) return false;
    const std::size_t record = static_cast<std::size_t>(at - page->begin);
    PageName found;
    if (page->bytes.size() >= kNameSizeBytes && record >= 2 &&
        record <= page->bytes.size() - kNameSizeBytes &&
        read_name_record(page->bytes, page->bytes.size(), record, found) && !found.is_long) {
      name = found.text;
    }
    return true;
  }
  const std::uint64_t guess = std::min(kLongNameGuess, file_size_bytes_ - at);
  const auto begin = fetch(at, guess);
  if (!begin) return false;
  const std::uint64_t length = load_u32(begin->data());
  const auto text = fetch(at + 4, length);
  if (!text) return false;
  if (text->size() == length) name = as_text(*text);
  return true;
}

RangeLookup::Outcome RangeLookup::resolve(std::uint64_t key, Location& location) {
  const auto place = find_place(key);
  if (!place) return Outcome::kWaits;
  const SectionRange& buckets = (*directory_)[SectionKind::kBuckets];
  const std::uint64_t index = *place >> kBucketBits;
  if (index >= buckets.entries) return Outcome::kNothing;  // kNoPlace is beyond all
  const auto bucket = fetch(buckets.offset + index * 4, 4);
  if (!bucket) return Outcome::kWaits;
  BucketEntry entry(load_u32(bucket->data()), static_cast<std::uint32_t>(*place) & kLastInBucket);
  std::optional<Page> page;
  Block block;
  const auto open_block = [&] {
    return block.open(page->bytes, entry.at - static_cast<std::size_t>(page->begin));
  };
  if (page = fetch_page(entry.at); !page) return Outcome::kWaits;
  if (!open_block()) return Outcome::kNothing;
  if (block.is_fork()) {
    if (!block.is_sound()) return Outcome::kNothing;
    entry = find_forked(block, entry.offset);
    if (page = fetch_page(entry.at); !page) return Outcome::kWaits;
    if (!open_block() || block.is_fork()) return Outcome::kNothing;
  }
  BlockToken token;
  if (!block.find(entry.offset, token) || token.is_unmapped()) return Outcome::kNothing;
  location.line = OneBasedLine(token.original_line);
  location.column = OneBasedColumn(token.original_column);
  location.caller = token.caller;
  bool is_whole = true;
  const auto take_name = [&](const PageName& name, SectionKind table,
                             std::optional<std::string_view>& text, std::uint32_t& name_index) {
    if (!name.is_long) {
      text = name.text;
    } else if (!find_long_name((*directory_)[table], name.index, text)) {
      is_whole = false;
    }
    if (text) name_index = name.index;
  };
  PageName name;
  if (read_page_name(page->bytes, page->bytes.size(), token.file, name)) {
    take_name(name, SectionKind::kFiles, location.file, location.file_index);
  }
  if (read_page_name(page->bytes, page->bytes.size(), token.function, name)) {
    take_name(name, SectionKind::kFunctions, location.function, location.function_index);
  }
  return is_whole ? Outcome::kFound : Outcome::kWaits;
}

// Sorted, none twice, and those close to each other as one.
void RangeLookup::join_needed() {
  std::sort(needed_.begin(), needed_.end(), [](const ByteRange& a, const ByteRange& b) {
    return a.offset != b.offset ? a.offset < b.offset : a.size > b.size;
  });
  std::vector<ByteRange> joined;
  for (const ByteRange& range : needed_) {
    if (!joined.empty() &&
        range.offset <= joined.back().offset + joined.back().size + kWorthJoining) {
      const std::uint64_t end =
          std::max(joined.back().offset + joined.back().size, range.offset + range.size);
      joined.back().size = end - joined.back().offset;
    } else {
      joined.push_back(range);
    }
  }
  needed_ = std::move(joined);
}

}  // namespace twofold::tw
