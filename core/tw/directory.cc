#include "core/tw/directory.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "core/base/xxh64.h"
#include "core/tw/layout.h"

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

// Sections follow each other, so that none can overlap.
Status read_sections(ByteView head, std::uint64_t file_size_bytes, Directory& directory) {
  const std::uint32_t count = load_u32(head.data() + kSectionCountAt);
  if (count > kMostSections) return bad_table(kSectionCountAt, "too many sections");
  const std::size_t directory_end = kHeaderSizeBytes + count * kSectionSizeBytes;
  if (directory_end > head.size()) return Error{Code::kTruncated, head.size(), "directory"};
  if (header_checksum(head.first(directory_end)) != load_u64(head.data() + kChecksumAt)) {
    return bad_table(kChecksumAt, "checksum of the header");
  }
  std::uint64_t behind = directory_end;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t entry_at = kHeaderSizeBytes + i * kSectionSizeBytes;
    const std::uint8_t* const entry = head.data() + entry_at;
    const std::uint32_t kind = load_u32(entry + kSectionKindAt);
    const std::uint64_t offset = load_u32(entry + kSectionOffsetAt);
    const std::uint64_t size = load_u32(entry + kSectionSizeAt);
    if (offset < behind) return bad_table(entry_at + kSectionOffsetAt, "sections overlap");
    if (offset > file_size_bytes || size > file_size_bytes - offset) {
      return Error{Code::kTruncated, file_size_bytes,
                   "section " + std::to_string(kind) + " ends at " + std::to_string(offset + size)};
    }
    behind = offset + size;
    if (kind == 0 || kind > kLastSectionKind) continue;  // of a later builder
    SectionRange& section = directory.sections[kind];
    if (section.offset != 0) return bad_table(entry_at, "a section twice");
    section = {offset, size, load_u32(entry + kSectionEntriesAt),
               load_u64(entry + kSectionChecksumAt)};
  }
  return {};
}

// Sizes and counts belong together.
Status check_counts(const Directory& directory) {
  struct Counted {
    SectionKind kind;
    std::uint64_t entry_size;
    const char* detail;
  };
  const Counted counted[] = {
      {SectionKind::kRuns, 4, "fewer runs than their number"},
      {SectionKind::kBuckets, 4, "fewer buckets than their number"},
      {SectionKind::kFiles, 5, "fewer files than their number"},
      {SectionKind::kFunctions, 4, "fewer functions than their number"},
      {SectionKind::kCallers, kCallerSizeBytes, "fewer callers than their number"},
      {SectionKind::kSources, kSourceSizeBytes, "fewer sources than their number"},
  };
  for (const Counted& one : counted) {
    const SectionRange& section = directory[one.kind];
    if (std::uint64_t{section.entries} * one.entry_size > section.size) {
      return bad_table(section.offset, one.detail);
    }
  }
  return {};
}

}  // namespace

Result<Directory> read_directory(ByteView head, std::uint64_t file_size_bytes) {
  if (head.size() < sizeof kMagic ||
      !std::equal(std::begin(kMagic), std::end(kMagic), head.begin())) {
    return Error{Code::kBadMagic, 0, "not a .tw file"};
  }
  if (head.size() < kHeaderSizeBytes) return Error{Code::kTruncated, head.size(), "header"};
  if (load_u32(head.data() + 4) != kVersion) {
    return Error{Code::kUnsupportedVersion, 4,
                 "version " + std::to_string(load_u32(head.data() + 4))};
  }
  Directory directory;
  directory.language = static_cast<Language>(load_u32(head.data() + kLanguageAt));
  directory.token_count = load_u32(head.data() + kTokenCountAt);
  directory.builder_version = load_u32(head.data() + kBuilderVersionAt);
  if (Status status = read_sections(head, file_size_bytes, directory); !status) {
    return status.error();
  }
  if (Status status = check_counts(directory); !status) return status.error();
  return directory;
}

}  // namespace twofold::tw
