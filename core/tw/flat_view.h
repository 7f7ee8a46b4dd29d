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
  // Precondition: `offsets` holds at least one u32; together they lie behind one another.
  StringTableView(ByteView offsets, ByteView text)
      : offsets_(offsets.data()),
        text_(text.data()),
        count_(static_cast<std::uint32_t>(offsets.size() / flat::kStringOffsetSizeBytes - 1)),
        text_size_(static_cast<std::uint32_t>(text.size())) {}

  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] std::size_t text_size_bytes() const { return text_size_; }
  [[nodiscard]] std::uint64_t size_bytes() const {
    return (std::uint64_t{count_} + 1) * flat::kStringOffsetSizeBytes + text_size_;
  }
  // No value: `index` is kNone or out of range, or the table is damaged there.
  [[nodiscard]] std::optional<std::string_view> find(std::uint32_t index) const {
    if (index >= count_) return std::nullopt;
    const std::uint8_t* entry = offsets_ + std::size_t{index} * flat::kStringOffsetSizeBytes;
    const std::uint32_t begin = load_u32(entry);
    const std::uint32_t end = load_u32(entry + flat::kStringOffsetSizeBytes);
    if (begin > end || end > text_size_) return std::nullopt;
    return std::string_view(reinterpret_cast<const char*>(text_) + begin, end - begin);
  }

 private:
  const std::uint8_t* offsets_ = nullptr;
  const std::uint8_t* text_ = nullptr;
  std::uint32_t count_ = 0;
  std::uint32_t text_size_ = 0;
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
  [[nodiscard]] Token token(std::uint32_t index) const {
    const std::uint8_t* at = tokens_ + std::size_t{index} * flat::kTokenSizeBytes;
    return {.generated = {Line(load_u32(at + flat::kGeneratedLineAt)),
                          Utf16Column(load_u32(at + flat::kGeneratedColumnAt))},
            .original_line = load_u32(at + flat::kOriginalLineAt),
            .original_column = load_u32(at + flat::kOriginalColumnAt),
            .file = load_u32(at + flat::kFileAt),
            .function = load_u32(at + flat::kFunctionAt)};
  }
  // Its bytes and those of all behind it, as layout.h has them.
  [[nodiscard]] const std::uint8_t* record(std::uint32_t index) const {
    return tokens_ + std::size_t{index} * flat::kTokenSizeBytes;
  }
  // Generated position as one number that sorts like it: line in the upper half.
  [[nodiscard]] std::uint64_t key(std::uint32_t index) const {
    std::uint64_t raw = 0;  // line in the lower half: one load, then a rotation
    std::memcpy(&raw, tokens_ + std::size_t{index} * flat::kTokenSizeBytes, sizeof raw);
    return (raw << 32) | (raw >> 32);
  }
  // Which token would be at `key` if they were spread evenly. No value: the tokens are few or on
  // several lines, or the key is before or behind all of them. Below token_count().
  [[nodiscard]] std::optional<std::uint32_t> guess(std::uint64_t key) const {
    const std::uint64_t distance = key - first_key_;
    if (distance >= key_span_) return std::nullopt;
    const auto columns = static_cast<float>(static_cast<std::int64_t>(distance));
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(columns * tokens_per_column_));
  }

 private:
  FlatView() = default;
  void prepare_guess();

  ByteView bytes_;
  const std::uint8_t* tokens_ = nullptr;
  std::uint32_t token_count_ = 0;
  float tokens_per_column_ = 0;
  std::uint64_t first_key_ = 0;
  std::uint64_t key_span_ = 0;  // 0: no guess
  StringTableView files_;
  StringTableView functions_;
};

}  // namespace twofold::tw
