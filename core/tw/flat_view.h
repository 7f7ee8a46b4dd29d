// A read-only view of a .tw version 1 file. Owns nothing, copies nothing, allocates nothing.
//
// `open` checks in O(1) that header, token array and both string tables lie inside the bytes; from
// then on no access can leave them, whatever the bytes say: a token index is the caller's duty, a
// string whose offsets are wrong reads as absent. It does not check that tokens are sorted
// (O(tokens), and an unsorted file gives wrong answers, not crashes): that is verify.h.
//
// Thread-safe: const all over. Valid as long as the bytes it was opened on.
#pragma once

#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/result.h"
#include "core/tw/token.h"

namespace twofold::tw {

// The bytes of one string table: n + 1 offsets, then the strings.
class StringTableView {
 public:
  StringTableView() = default;
  StringTableView(ByteView offsets, ByteView bytes) : offsets_(offsets), bytes_(bytes) {}

  [[nodiscard]] std::uint32_t count() const {
    if (offsets_.empty()) return 0;  // a default view; a table in a file has at least one offset
    return static_cast<std::uint32_t>(offsets_.size() / flat::kStringOffsetSizeBytes - 1);
  }
  [[nodiscard]] std::size_t text_size_bytes() const { return bytes_.size(); }
  [[nodiscard]] std::size_t size_bytes() const { return offsets_.size() + bytes_.size(); }
  // No value: `index` is kNone or out of range, or the table is damaged there.
  [[nodiscard]] std::optional<std::string_view> find(std::uint32_t index) const;

 private:
  ByteView offsets_;
  ByteView bytes_;
};

class FlatView {
 public:
  // Errors: kTruncated, kBadMagic, kUnsupportedVersion, kBadTable, each with its offset.
  [[nodiscard]] static Result<FlatView> open(ByteView bytes);
  static Result<FlatView> open(const std::vector<std::uint8_t>&&) = delete;  // would dangle

  [[nodiscard]] std::uint32_t token_count() const { return token_count_; }
  [[nodiscard]] const StringTableView& files() const { return files_; }
  [[nodiscard]] const StringTableView& functions() const { return functions_; }
  [[nodiscard]] ByteView bytes() const { return bytes_; }

  // Precondition of both: index < token_count().
  [[nodiscard]] Token token(std::uint32_t index) const;
  // Generated position as one number that sorts like it: line in the upper half.
  [[nodiscard]] std::uint64_t key(std::uint32_t index) const {
    std::uint64_t raw = 0;  // line in the lower half: one load, then a rotation
    std::memcpy(&raw, tokens_ + std::size_t{index} * flat::kTokenSizeBytes, sizeof raw);
    return (raw << 32) | (raw >> 32);
  }

 private:
  FlatView() = default;

  ByteView bytes_;
  const std::uint8_t* tokens_ = nullptr;
  std::uint32_t token_count_ = 0;
  StringTableView files_;
  StringTableView functions_;
};

}  // namespace twofold::tw
