#include "core/tw/range_lookup.h"

#include <algorithm>

#include "core/tw/guide.h"
#include "core/tw/page_view.h"

namespace twofold::tw {
namespace {

using namespace blocks;

constexpr std::uint64_t kHeadBytes = 4096;
// A request costs more than reading this far on.
constexpr std::uint64_t kWorthJoining = 4096;
constexpr std::uint64_t kLongNameGuess = 1024;

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

std::optional<std::uint32_t> RangeLookup::search_keys(std::uint64_t key, std::uint32_t first,
                                                      std::uint32_t last) {
  const std::uint64_t at = (*directory_)[SectionKind::kPageKeys].offset + std::uint64_t{first} * 8;
  const auto bytes = fetch(at, (std::uint64_t{last} - first + 1) * 8);
  if (!bytes) return std::nullopt;
  std::uint32_t page = first;
  while (page < last && load_u64(bytes->data() + (std::size_t{page} + 1 - first) * 8) <= key) {
    ++page;
  }
  return page;
}

std::optional<std::uint32_t> RangeLookup::find_page(std::uint64_t key) {
  const std::uint32_t last = directory_->page_count - 1;
  const SectionRange& guide = (*directory_)[SectionKind::kGuide];
  const SectionRange& page_keys = (*directory_)[SectionKind::kPageKeys];
  const bool has_guide = guide.size >= kGuideHeaderSizeBytes + 4;
  if (!has_guide || page_keys.offset + page_keys.size <= kHeadBytes) {
    return search_keys(key, 0, last);
  }
  const auto header = fetch(guide.offset, kGuideHeaderSizeBytes);
  if (!header) return std::nullopt;
  const Guide rule{load_u32(header->data() + kGuideFirstLineAt),
                   std::min(load_u32(header->data() + kGuideColumnBitsAt), 32u),
                   std::min(load_u32(header->data() + kGuideShiftAt), 63u)};
  if (key >> 32 < rule.first_line) return 0;
  const std::uint64_t range_count = (guide.size - kGuideHeaderSizeBytes) / 4;
  const std::uint64_t range = std::min(rule.compact(key) >> rule.shift, range_count - 1);
  const bool is_last = range + 1 == range_count;
  const auto entries = fetch(guide.offset + kGuideHeaderSizeBytes + range * 4, is_last ? 4 : 8);
  if (!entries) return std::nullopt;
  const std::uint32_t from = std::min(load_u32(entries->data()), last);
  const std::uint32_t to = is_last ? last : std::clamp(load_u32(entries->data() + 4), from, last);
  return search_keys(key, from, to);
}

// False: it waits.
bool RangeLookup::find_long_name(const SectionRange& table, std::uint32_t index,
                                 std::optional<std::string_view>& name) {
  if (index >= table.entries) return true;
  const auto entry = fetch(table.offset + std::uint64_t{index} * 4, 4);
  if (!entry) return false;
  const std::uint64_t at = load_u32(entry->data());
  if (at > file_size_bytes_ || file_size_bytes_ - at < 4) return true;
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
  if (directory_->page_count == 0) return Outcome::kNothing;
  const auto page_index = find_page(key);
  if (!page_index) return Outcome::kWaits;
  const PageRange range = find_page_range((*directory_)[SectionKind::kPages], *page_index);
  const auto bytes = fetch(range.begin, range.end - range.begin);
  if (!bytes) return Outcome::kWaits;
  const PageView page(*bytes);
  PageToken token;
  if (!page.find(key, token) || token.is_unmapped()) return Outcome::kNothing;
  location.line = OneBasedLine(token.original_line);
  location.column = OneBasedColumn(token.original_column);
  location.caller = token.caller;
  bool is_whole = true;
  const auto take_name = [&](const PageName& name, SectionKind table,
                             std::optional<std::string_view>& text, std::uint32_t& index) {
    if (!name.is_long) {
      text = name.text;
    } else if (!find_long_name((*directory_)[table], name.index, text)) {
      is_whole = false;
    }
    if (text) index = name.index;
  };
  PageName name;
  if (page.find_file(token.file, name)) {
    take_name(name, SectionKind::kFiles, location.file, location.file_index);
  }
  if (page.find_function(token.function, name)) {
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
