// The header and directory of a .tw version 2: which sections there are and where.
#pragma once

#include <array>
#include <cstdint>

#include "core/base/bytes.h"
#include "core/base/result.h"
#include "core/tw/section.h"

namespace twofold::tw {

struct SectionRange {
  std::uint64_t offset = 0;  // 0: there is no such section
  std::uint64_t size = 0;
  std::uint32_t entries = 0;
  std::uint64_t checksum = 0;
};

struct Directory {
  Language language = Language::kUnknown;
  std::uint32_t token_count = 0;
  std::uint32_t builder_version = 0;

  [[nodiscard]] const SectionRange& operator[](SectionKind kind) const {
    return sections[static_cast<std::size_t>(kind)];
  }
  std::array<SectionRange, kLastSectionKind + 1> sections;
};

// `head`: the file from its start on, at least header and directory, which are 1,568 bytes at most;
// or all of it, if it has fewer. All sections then lie inside `file_size_bytes`, none overlap, and
// their numbers of entries fit them.
// Errors: kTruncated, kBadMagic, kUnsupportedVersion, kBadTable, each with its offset.
[[nodiscard]] Result<Directory> read_directory(ByteView head, std::uint64_t file_size_bytes);

}  // namespace twofold::tw
