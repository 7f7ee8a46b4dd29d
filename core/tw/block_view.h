// A read-only view of a .tw version 2 file. Owns nothing, copies nothing, allocates nothing.
//
// `open` reads header and directory, O(sections): their checksum, and that every section lies
// inside the bytes. From then on no access can leave them, whatever the bytes say; what is damaged
// reads as absent. That all of it holds together is for verify.h to say.
//
// Thread-safe: const all over. Valid as long as the bytes it was opened on.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/result.h"
#include "core/tw/block.h"
#include "core/tw/directory.h"
#include "core/tw/location.h"
#include "core/tw/run_table.h"
#include "core/tw/section.h"

namespace twofold::tw {

struct SectionView {
  ByteView bytes;
  std::uint64_t offset = 0;  // in the file
  std::uint32_t entries = 0;
  std::uint64_t checksum = 0;  // as the directory has it
};

class BlockView {
 public:
  // Errors: kTruncated, kBadMagic, kUnsupportedVersion, kBadTable, each with its offset.
  [[nodiscard]] static Result<BlockView> open(ByteView bytes);
  static Result<BlockView> open(const std::vector<std::uint8_t>&&) = delete;  // would dangle

  // No value: no token reaches the position, or the one that does says "unmapped from here".
  [[nodiscard]] std::optional<Location> find(std::uint64_t key) const;
  // Where the inlined function of a location was called: of its `caller`, then of that one's, until
  // there is none. No value: there is none.
  [[nodiscard]] std::optional<Location> find_caller(std::uint32_t caller) const;

  // Names by index. No value: kNone, out of range or damaged.
  [[nodiscard]] std::optional<std::string_view> file(std::uint32_t index) const {
    return index < file_count() ? string_at(files_, index) : std::nullopt;
  }
  [[nodiscard]] std::optional<std::string_view> function(std::uint32_t index) const {
    return index < function_count() ? string_at(functions_, index) : std::nullopt;
  }
  [[nodiscard]] bool is_ignored(std::uint32_t file) const;
  // Raw deflate of a file's text, and the size of that; no value: not there.
  struct PackedSource {
    ByteView packed;
    std::uint32_t size_bytes;
  };
  [[nodiscard]] std::optional<PackedSource> source(std::uint32_t file) const;
  // The first value of that kind, "" for none.
  [[nodiscard]] std::string_view identity(IdentityKind kind) const;

  [[nodiscard]] Language language() const { return directory_.language; }
  [[nodiscard]] std::uint32_t token_count() const { return directory_.token_count; }
  [[nodiscard]] std::uint32_t file_count() const { return files_.entries; }
  [[nodiscard]] std::uint32_t function_count() const { return functions_.entries; }
  [[nodiscard]] std::uint32_t caller_count() const {
    return directory_[SectionKind::kCallers].entries;
  }
  [[nodiscard]] const RunTable& runs() const { return runs_; }
  [[nodiscard]] std::uint32_t bucket_count() const { return bucket_count_; }
  // Precondition: index < bucket_count().
  [[nodiscard]] std::uint32_t bucket(std::uint32_t index) const {
    return load_u32(buckets_ + std::size_t{index} * 4);
  }
  // Offset in the file behind the last page.
  [[nodiscard]] std::size_t pages_end() const { return pages_end_; }
  [[nodiscard]] ByteView bytes() const { return bytes_; }
  // Of a kind that the file does not have: empty.
  [[nodiscard]] SectionView section(SectionKind kind) const;

 private:
  BlockView() = default;
  [[nodiscard]] std::optional<std::string_view> string_at(const SectionView& table,
                                                          std::uint32_t index) const;

  ByteView bytes_;
  RunTable runs_;
  const std::uint8_t* buckets_ = nullptr;
  std::uint32_t bucket_count_ = 0;
  std::size_t pages_end_ = 0;
  SectionView files_, functions_;
  Directory directory_;
};

}  // namespace twofold::tw
