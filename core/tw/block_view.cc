#include "core/tw/block_view.h"

#include <algorithm>
#include <cstring>

#include "core/base/xxh64.h"

namespace twofold::tw {
namespace {

using namespace blocks;

Error bad_table(std::uint64_t offset, const char* detail) {
  return {Code::kBadTable, offset, detail};
}

// A checksum of header and directory as if its own field were 0.
std::uint64_t header_checksum(ByteView header) {
  std::uint8_t copy[kHeaderSizeBytes + kMostSections * kSectionSizeBytes];
  std::copy(header.begin(), header.end(), copy);
  std::memset(copy + kChecksumAt, 0, sizeof(std::uint64_t));
  return xxh64({copy, header.size()});
}

}  // namespace

Result<BlockView> BlockView::open(ByteView bytes) {
  if (bytes.size() < sizeof kMagic ||
      !std::equal(std::begin(kMagic), std::end(kMagic), bytes.begin())) {
    return Error{Code::kBadMagic, 0, "not a .tw file"};
  }
  if (bytes.size() < kHeaderSizeBytes) return Error{Code::kTruncated, bytes.size(), "header"};
  if (load_u32(bytes.data() + 4) != kVersion) {
    return Error{Code::kUnsupportedVersion, 4,
                 "version " + std::to_string(load_u32(bytes.data() + 4))};
  }
  BlockView view;
  view.bytes_ = bytes;
  view.language_ = static_cast<Language>(load_u32(bytes.data() + kLanguageAt));
  view.token_count_ = load_u32(bytes.data() + kTokenCountAt);
  if (Status status = view.read_directory(); !status) return status.error();
  if (Status status = view.check_sections(); !status) return status.error();
  view.pages_begin_ = static_cast<std::size_t>(view.pages_.offset);
  view.page_grid_ = view.pages_begin_ / kPageSizeBytes * kPageSizeBytes;
  view.pages_end_ = view.pages_begin_ + view.pages_.bytes.size();
  view.read_guide();
  return view;
}

// Sections follow each other, so that none can overlap.
Status BlockView::read_directory() {
  const std::uint32_t count = load_u32(bytes_.data() + kSectionCountAt);
  if (count > kMostSections) return bad_table(kSectionCountAt, "too many sections");
  const std::size_t directory_end = kHeaderSizeBytes + count * kSectionSizeBytes;
  if (directory_end > bytes_.size()) return Error{Code::kTruncated, bytes_.size(), "directory"};
  if (header_checksum(bytes_.first(directory_end)) != load_u64(bytes_.data() + kChecksumAt)) {
    return bad_table(kChecksumAt, "checksum of the header");
  }
  std::uint64_t behind = directory_end;
  std::uint64_t seen = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t entry_at = kHeaderSizeBytes + i * kSectionSizeBytes;
    const std::uint8_t* const entry = bytes_.data() + entry_at;
    const std::uint32_t kind = load_u32(entry + kSectionKindAt);
    const std::uint64_t offset = load_u32(entry + kSectionOffsetAt);
    const std::uint64_t size = load_u32(entry + kSectionSizeAt);
    if (offset < behind) return bad_table(entry_at + kSectionOffsetAt, "sections overlap");
    if (offset > bytes_.size() || size > bytes_.size() - offset) {
      return Error{Code::kTruncated, bytes_.size(),
                   "section " + std::to_string(kind) + " ends at " + std::to_string(offset + size)};
    }
    behind = offset + size;
    if (kind == 0 || kind > kLastSectionKind) continue;  // of a later builder
    if ((seen >> kind & 1) != 0) return bad_table(entry_at, "a section twice");
    seen |= std::uint64_t{1} << kind;
    SectionView* const places[] = {nullptr,     &identity_,   &page_keys_, &pages_,   &files_,
                                   &functions_, &long_names_, &callers_,   &sources_, &guide_};
    *places[kind] = {
        bytes_.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size)), offset,
        load_u32(entry + kSectionEntriesAt), load_u64(entry + kSectionChecksumAt)};
  }
  return {};
}

// Sizes and counts belong together.
Status BlockView::check_sections() const {
  const auto holds = [](const SectionView& section, std::uint64_t entry_size) {
    return std::uint64_t{section.entries} * entry_size <= section.bytes.size();
  };
  const std::uint64_t page_count = page_keys_.entries;
  const std::uint64_t first_page = pages_.offset / kPageSizeBytes * kPageSizeBytes;
  const bool has_pages = page_count == 0 || (!pages_.bytes.empty() &&
                                             pages_.offset + pages_.bytes.size() >
                                                 first_page + (page_count - 1) * kPageSizeBytes);
  if (!holds(page_keys_, 8) || !has_pages) {
    return bad_table(page_keys_.offset, "fewer pages than their number");
  }
  if (!holds(files_, 5)) return bad_table(files_.offset, "fewer files than their number");
  if (!holds(functions_, 4))
    return bad_table(functions_.offset, "fewer functions than their number");
  if (!holds(callers_, kCallerSizeBytes)) {
    return bad_table(callers_.offset, "fewer callers than their number");
  }
  if (!holds(sources_, kSourceSizeBytes)) {
    return bad_table(sources_.offset, "fewer sources than their number");
  }
  return {};
}

SectionView BlockView::section(SectionKind kind) const {
  const std::uint32_t count = load_u32(bytes_.data() + kSectionCountAt);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint8_t* const entry = bytes_.data() + kHeaderSizeBytes + i * kSectionSizeBytes;
    if (load_u32(entry + kSectionKindAt) != static_cast<std::uint32_t>(kind)) continue;
    const std::uint32_t offset = load_u32(entry + kSectionOffsetAt);
    return {bytes_.subspan(offset, load_u32(entry + kSectionSizeAt)), offset,
            load_u32(entry + kSectionEntriesAt), load_u64(entry + kSectionChecksumAt)};
  }
  return {};
}

ByteView BlockView::page_bytes(std::uint32_t page) const {
  const std::size_t begin =
      page == 0 ? pages_begin_ : page_grid_ + std::size_t{page} * kPageSizeBytes;
  const std::size_t end =
      std::min(page_grid_ + (std::size_t{page} + 1) * kPageSizeBytes, pages_end_);
  return {bytes_.data() + begin, end - begin};
}

// Nothing to go by if the guide is damaged: the search then begins with all pages.
void BlockView::read_guide() {
  const ByteView bytes = guide_.bytes;
  if (bytes.size() < kGuideHeaderSizeBytes + 4 || page_keys_.entries == 0) return;
  const std::uint32_t column_bits = load_u32(bytes.data() + kGuideColumnBitsAt);
  const std::uint32_t shift = load_u32(bytes.data() + kGuideShiftAt);
  if (column_bits > 32 || shift > 63) return;
  guide_rule_ = {page_key(0), column_bits, shift};
  ranges_ = bytes.data() + kGuideHeaderSizeBytes;
  last_range_ = (bytes.size() - kGuideHeaderSizeBytes) / 4 - 1;
}

// The last page whose first key is not above `key`; 0 if there is none.
std::uint32_t BlockView::find_page(std::uint64_t key) const {
  std::uint32_t first = 0;
  std::uint32_t last = page_keys_.entries - 1;
  if (ranges_ != nullptr && key >= guide_rule_.first_key) {
    const std::uint64_t range =
        std::min(guide_rule_.compact(key) >> guide_rule_.shift, last_range_);
    first = std::min(load_u32(ranges_ + range * 4), last);
    if (range < last_range_) last = std::clamp(load_u32(ranges_ + (range + 1) * 4), first, last);
  }
  while (first < last) {  // once or twice
    const std::uint32_t middle = last - (last - first) / 2;
    if (page_key(middle) <= key) {
      first = middle;
    } else {
      last = middle - 1;
    }
  }
  return first;
}

std::optional<Location> BlockView::find(std::uint64_t key) const {
  std::optional<Location> found;
  if (page_keys_.entries == 0) return found;
  const PageView page(page_bytes(find_page(key)));
  PageToken token;
  if (!page.find(key, token) || token.is_unmapped()) return found;
  Location& location = found.emplace();
  location.line = OneBasedLine(token.original_line);
  location.column = OneBasedColumn(token.original_column);
  location.caller = token.caller;
  PageName name;
  if (page.find_file(token.file, name)) {
    location.file_index = name.index;
    if (!name.is_long) [[likely]] {
      location.file.emplace(name.text);
    } else if (!(location.file = file(name.index))) {
      location.file_index = kNone;
    }
  }
  if (page.find_function(token.function, name)) {
    location.function_index = name.index;
    if (!name.is_long) [[likely]] {
      location.function.emplace(name.text);
    } else if (!(location.function = function(name.index))) {
      location.function_index = kNone;
    }
  }
  return found;
}

std::optional<Location> BlockView::find_caller(std::uint32_t caller) const {
  if (caller == 0 || caller > callers_.entries) return std::nullopt;
  const std::uint8_t* const at = callers_.bytes.data() + std::size_t{caller - 1} * kCallerSizeBytes;
  Location location;
  location.function_index = load_u32(at);
  location.file_index = load_u32(at + 4);
  location.line = OneBasedLine(load_u32(at + 8));
  location.column = OneBasedColumn(load_u32(at + 12));
  location.caller = load_u32(at + 16);
  // Each comes behind its own caller, so that no chain goes round.
  if (location.caller >= caller) location.caller = 0;
  location.function = function(location.function_index);
  location.file = file(location.file_index);
  if (!location.function) location.function_index = kNone;
  if (!location.file) location.file_index = kNone;
  return location;
}

// The table says where the name's record is in a page, or a long name's length and text.
std::optional<std::string_view> BlockView::string_at(const SectionView& table,
                                                     std::uint32_t index) const {
  const std::uint64_t at = load_u32(table.bytes.data() + std::size_t{index} * 4);
  std::uint64_t text_at = at + 4;
  std::uint64_t length = 0;
  if (at >= long_names_.offset) {
    if (bytes_.size() < 4 || at > bytes_.size() - 4) return std::nullopt;
    length = load_u32(bytes_.data() + at);
  } else {
    if (at < pages_.offset || bytes_.size() < kNameSizeBytes ||
        at > bytes_.size() - kNameSizeBytes) {
      return std::nullopt;
    }
    const std::uint64_t page_at = std::max(at / kPageSizeBytes * kPageSizeBytes, pages_.offset);
    text_at = page_at + load_u16(bytes_.data() + at + kNameTextAt);
    length = load_u16(bytes_.data() + at + kNameLengthAt);
  }
  if (text_at > bytes_.size() || length > bytes_.size() - text_at) return std::nullopt;
  return as_text(
      bytes_.subspan(static_cast<std::size_t>(text_at), static_cast<std::size_t>(length)));
}

bool BlockView::is_ignored(std::uint32_t file) const {
  if (file >= files_.entries) return false;
  return (files_.bytes[std::size_t{files_.entries} * 4 + file] & 1) != 0;
}

std::optional<BlockView::PackedSource> BlockView::source(std::uint32_t file) const {
  if (file >= sources_.entries) return std::nullopt;
  const std::uint8_t* const at = sources_.bytes.data() + std::size_t{file} * kSourceSizeBytes;
  const std::uint32_t offset = load_u32(at);
  const std::uint32_t size = load_u32(at + 4);
  if (size == 0 || offset > bytes_.size() || size > bytes_.size() - offset) return std::nullopt;
  return PackedSource{bytes_.subspan(offset, size), load_u32(at + 8)};
}

std::string_view BlockView::identity(IdentityKind kind) const {
  ByteView rest = identity_.bytes;
  while (rest.size() >= 2 && rest[1] <= rest.size() - 2) {
    if (rest[0] == static_cast<std::uint8_t>(kind)) return as_text(rest.subspan(2, rest[1]));
    rest = rest.subspan(2 + std::size_t{rest[1]});
  }
  return {};
}

}  // namespace twofold::tw
