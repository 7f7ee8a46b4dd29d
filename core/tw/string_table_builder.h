// Interns strings: the same text gets the same index (but see kMaxProbes for hostile input),
// indexes count up in order of first use, so that the same inputs give the same table on every
// host.
//
// One arena and one open-addressed table of u32; no allocation per string.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/tw/layout.h"

namespace twofold::tw {

class StringTableBuilder {
 public:
  [[nodiscard]] std::uint32_t intern(std::string_view text);
  // A new entry, whether there is one with this text or not; `intern` does not find it.
  [[nodiscard]] std::uint32_t append(std::string_view text);
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(ends_.size()); }
  [[nodiscard]] std::uint64_t text_size_bytes() const { return text_.size(); }
  // Appends n + 1 offsets and the bytes, size_bytes() in all. Precondition: text_size_bytes() fits
  // 32 bits.
  void write(std::vector<std::uint8_t>& file) const;
  [[nodiscard]] std::uint64_t size_bytes() const {
    return (std::uint64_t{count()} + 1) * flat::kStringOffsetSizeBytes + text_size_bytes();
  }
  void clear();

 private:
  [[nodiscard]] std::string_view at(std::uint32_t index) const;
  [[nodiscard]] std::uint32_t* find_slot(std::string_view text);
  void grow();

  std::string text_;
  std::vector<std::uint64_t> ends_;   // of string i in text_
  std::vector<std::uint32_t> slots_;  // index + 1, 0 empty; size a power of two
};

}  // namespace twofold::tw
