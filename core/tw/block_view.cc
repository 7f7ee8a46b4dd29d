#include "core/tw/block_view.h"

namespace twofold::tw {
using namespace blocks;

Result<BlockView> BlockView::open(ByteView bytes) {
  const auto directory = read_directory(bytes, bytes.size());
  if (!directory) return directory.error();
  BlockView view;
  view.bytes_ = bytes;
  view.directory_ = directory.value();
  const SectionView runs = view.section(SectionKind::kRuns);
  view.runs_ = RunTable(runs.bytes, runs.entries);
  const SectionView buckets = view.section(SectionKind::kBuckets);
  view.buckets_ = buckets.bytes.data();
  view.bucket_count_ = buckets.entries;
  const SectionRange& pages = view.directory_[SectionKind::kPages];
  view.pages_end_ = static_cast<std::size_t>(pages.offset + pages.size);
  view.files_ = view.section(SectionKind::kFiles);
  view.functions_ = view.section(SectionKind::kFunctions);
  return view;
}

SectionView BlockView::section(SectionKind kind) const {
  const SectionRange& range = directory_[kind];
  return {
      bytes_.subspan(static_cast<std::size_t>(range.offset), static_cast<std::size_t>(range.size)),
      range.offset, range.entries, range.checksum};
}

namespace {

// A hint: an address that is not there does no harm.
inline void prefetch(const std::uint8_t* at) {
  __builtin_prefetch(at);
}

}  // namespace

// Everything in one function: an answer that is put together elsewhere and moved costs as much as
// the search.
std::optional<Location> BlockView::find(std::uint64_t key) const {
  std::optional<Location> found;
  const std::uint64_t place = runs_.find(key);
  const std::uint64_t index = place >> kBucketBits;
  if (index >= bucket_count_) return found;  // kNoPlace is beyond all
  BucketEntry entry(bucket(static_cast<std::uint32_t>(index)),
                    static_cast<std::uint32_t>(place) & kLastInBucket);
  // What the block and its names take is fetched side by side: in a file that no cache holds each
  // line of it is 100 ns away.
  std::size_t page_end = find_page_end(entry.at, pages_end_);
  prefetch(bytes_.data() + entry.at + 64);
  prefetch(bytes_.data() + page_end - 64);
  prefetch(bytes_.data() + page_end - 128);
  Block block;
  if (!block.open(bytes_, entry.at)) return found;
  if (block.is_fork()) [[unlikely]] {
    if (!block.is_sound()) return found;
    entry = find_forked(block, entry.offset);
    if (!block.open(bytes_, entry.at) || block.is_fork()) return found;
    page_end = find_page_end(entry.at, pages_end_);
  }
  BlockToken token;
  if (!block.find(entry.offset, token) || token.is_unmapped()) return found;
  Location& location = found.emplace();
  location.line = OneBasedLine(token.original_line);
  location.column = OneBasedColumn(token.original_column);
  location.caller = token.caller;
  PageName name;
  if (read_page_name(bytes_, page_end, token.file, name)) {
    location.file_index = name.index;
    if (!name.is_long) [[likely]] {
      location.file.emplace(name.text);
    } else if (!(location.file = file(name.index))) {
      location.file_index = kNone;
    }
  }
  if (read_page_name(bytes_, page_end, token.function, name)) {
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
  const std::size_t at = load_u32(table.bytes.data() + std::size_t{index} * 4);
  if (at < pages_end_) {
    PageName name;
    const std::size_t page_end = find_page_end(at, pages_end_);
    if (at < 2 || page_end - at < kNameSizeBytes || !read_name_record(bytes_, page_end, at, name) ||
        name.is_long) {
      return std::nullopt;
    }
    return name.text;
  }
  if (bytes_.size() < 4 || at > bytes_.size() - 4) return std::nullopt;
  const std::size_t length = load_u32(bytes_.data() + at);
  if (length > bytes_.size() - at - 4) return std::nullopt;
  return as_text(bytes_.subspan(at + 4, length));
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
