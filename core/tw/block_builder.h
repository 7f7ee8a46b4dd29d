// Builds a .tw version 2 file from the tokens and names of a version 1 file, so that both answer
// every position the same. The same input gives the same bytes on every host.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/tw/flat_view.h"
#include "core/tw/page_builder.h"
#include "core/tw/run_table_writer.h"
#include "core/tw/section.h"

namespace twofold::tw {

// A frame that an inlined one was called from. Indexes are those of the file's tables.
struct Caller {
  std::uint32_t function = kNone;
  std::uint32_t file = kNone;
  std::uint32_t line = 0;    // 1-based, 0: unknown
  std::uint32_t column = 0;  // 1-based, 0: unknown
  std::uint32_t parent = 0;  // 0: none; else 1 + the index of its own caller, which comes before it
};

struct Identity {
  IdentityKind kind = IdentityKind::kDebugId;
  std::string value;  // at most 255 bytes
};

// The text of a source file, compressed by the caller: raw deflate, so that a browser reads it.
struct SourcePiece {
  std::span<const std::uint8_t> packed;  // empty: unknown
  std::uint32_t size_bytes = 0;          // of the text
};

// What version 1 has no room for. All may be empty.
struct BlockExtras {
  Language language = Language::kUnknown;
  std::span<const Identity> identities;
  std::span<const Caller> callers;
  // Per token: 0, or 1 + the index of the caller of its function, which is inlined.
  std::span<const std::uint32_t> token_callers;
  std::vector<bool> is_ignored;          // per file: third-party code; may be shorter
  std::span<const SourcePiece> sources;  // per file; may be fewer
};

// Keeps its memory for the next file. Not thread-safe.
class BlockBuilder {
 public:
  // Errors: kTooLarge, when the pages would pass 2 GiB or the file 4 GiB; kBadTable, when tokens
  // are not sorted, three of them are at one position, or an index names nothing: `flat` does not
  // pass `verify`.
  [[nodiscard]] Result<std::vector<std::uint8_t>> build(const FlatView& flat,
                                                        const BlockExtras& extras);

 private:
  // Which sections the file has. An empty one is left out.
  struct Sections {
    bool has_identity = false;
    bool has_long_names = false;
    bool has_files = false;
    bool has_functions = false;
    bool has_callers = false;
    bool has_sources = false;
    [[nodiscard]] std::size_t count() const {
      return std::size_t{3} + has_identity + has_long_names + has_files + has_functions +
             has_callers + has_sources;
    }
  };
  [[nodiscard]] Result<std::vector<std::uint8_t>> write(const FlatView& flat,
                                                        const BlockExtras& extras,
                                                        const Sections& sections);
  [[nodiscard]] Status check_tokens(const FlatView& flat, const BlockExtras& extras) const;
  [[nodiscard]] Status fill_pages(const FlatView& flat, const BlockExtras& extras);
  void add_to_bucket(const FlatView& flat, const BlockExtras& extras, std::uint32_t first,
                     std::uint32_t last, std::uint64_t place);
  [[nodiscard]] Status end_bucket();

  RunTableWriter runs_;
  PageBuilder pages_;
  BucketTokens bucket_;                 // the one being filled
  std::vector<std::uint32_t> buckets_;  // entries of those before it
};

}  // namespace twofold::tw
