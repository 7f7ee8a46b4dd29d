#include "core/tw/block_view.h"

#include <algorithm>

namespace twofold::tw {
using namespace blocks;

Result<BlockView> BlockView::open(ByteView bytes) {
  const auto directory = read_directory(bytes, bytes.size());
  if (!directory) return directory.error();
  BlockView view;
  view.bytes_ = bytes;
  view.directory_ = directory.value();
  view.page_keys_ = view.section(SectionKind::kPageKeys);
  view.files_ = view.section(SectionKind::kFiles);
  view.functions_ = view.section(SectionKind::kFunctions);
  const SectionRange& pages = view.directory_[SectionKind::kPages];
  view.pages_begin_ = static_cast<std::size_t>(pages.offset);
  view.page_grid_ = view.pages_begin_ / kPageSizeBytes * kPageSizeBytes;
  view.pages_end_ = view.pages_begin_ + static_cast<std::size_t>(pages.size);
  view.read_guide();
  return view;
}

SectionView BlockView::section(SectionKind kind) const {
  const SectionRange& range = directory_[kind];
  return {
      bytes_.subspan(static_cast<std::size_t>(range.offset), static_cast<std::size_t>(range.size)),
      range.offset, range.entries, range.checksum};
}

// As find_page_range, with what that works out done once.
ByteView BlockView::page_bytes(std::uint32_t page) const {
  const std::size_t begin =
      page == 0 ? pages_begin_ : page_grid_ + std::size_t{page} * kPageSizeBytes;
  const std::size_t end =
      std::min(page_grid_ + (std::size_t{page} + 1) * kPageSizeBytes, pages_end_);
  return {bytes_.data() + begin, end - begin};
}

// Nothing to go by if the guide is damaged: the search then begins with all pages.
void BlockView::read_guide() {
  const ByteView bytes = section(SectionKind::kGuide).bytes;
  if (bytes.size() < kGuideHeaderSizeBytes + 4 || page_keys_.entries == 0) return;
  const std::uint32_t column_bits = load_u32(bytes.data() + kGuideColumnBitsAt);
  const std::uint32_t shift = load_u32(bytes.data() + kGuideShiftAt);
  if (column_bits > 32 || shift > 63) return;
  guide_rule_ = {load_u32(bytes.data() + kGuideFirstLineAt), column_bits, shift};
  ranges_ = bytes.data() + kGuideHeaderSizeBytes;
  last_range_ = (bytes.size() - kGuideHeaderSizeBytes) / 4 - 1;
}

// The last page whose first key is not above `key`; 0 if there is none.
std::uint32_t BlockView::find_page(std::uint64_t key) const {
  std::uint32_t first = 0;
  std::uint32_t last = page_keys_.entries - 1;
  if (ranges_ != nullptr && key >> 32 >= guide_rule_.first_line) {
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
  if (caller == 0 || caller > caller_count()) return std::nullopt;
  const std::uint8_t* const at =
      section(SectionKind::kCallers).bytes.data() + std::size_t{caller - 1} * kCallerSizeBytes;
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
  if (at >= directory_[SectionKind::kLongNames].offset) {
    if (bytes_.size() < 4 || at > bytes_.size() - 4) return std::nullopt;
    length = load_u32(bytes_.data() + at);
  } else {
    if (at < pages_begin_ || bytes_.size() < kNameSizeBytes ||
        at > bytes_.size() - kNameSizeBytes) {
      return std::nullopt;
    }
    const std::uint64_t page_at =
        std::max<std::uint64_t>(at / kPageSizeBytes * kPageSizeBytes, pages_begin_);
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
  const SectionView sources = section(SectionKind::kSources);
  if (file >= sources.entries) return std::nullopt;
  const std::uint8_t* const at = sources.bytes.data() + std::size_t{file} * kSourceSizeBytes;
  const std::uint32_t offset = load_u32(at);
  const std::uint32_t size = load_u32(at + 4);
  if (size == 0 || offset > bytes_.size() || size > bytes_.size() - offset) return std::nullopt;
  return PackedSource{bytes_.subspan(offset, size), load_u32(at + 8)};
}

std::string_view BlockView::identity(IdentityKind kind) const {
  ByteView rest = section(SectionKind::kIdentity).bytes;
  while (rest.size() >= 2 && rest[1] <= rest.size() - 2) {
    if (rest[0] == static_cast<std::uint8_t>(kind)) return as_text(rest.subspan(2, rest[1]));
    rest = rest.subspan(2 + std::size_t{rest[1]});
  }
  return {};
}

}  // namespace twofold::tw
