// Text with readable bytes behind its end, which the JSON parser's wide loads need.
//
// A host that reads an artifact allocates the padding at once (PaddedBuffer), so that no stage
// copies a 20 MB map just to extend it by 64 bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "core/base/bytes.h"

namespace twofold {

// At least simdjson's SIMDJSON_PADDING; a test compares them.
inline constexpr std::size_t kPaddingBytes = 64;

// Owns `size_bytes()` bytes of input and kPaddingBytes zero bytes behind them.
class PaddedBuffer {
 public:
  PaddedBuffer() : PaddedBuffer(0) {}
  explicit PaddedBuffer(std::size_t size_bytes) : bytes_(size_bytes + kPaddingBytes) {}
  explicit PaddedBuffer(ByteView bytes) : PaddedBuffer(bytes.size()) {
    if (!bytes.empty()) std::memcpy(bytes_.data(), bytes.data(), bytes.size());
  }
  explicit PaddedBuffer(std::string_view text) : PaddedBuffer(as_byte_view(text)) {}

  [[nodiscard]] std::size_t size_bytes() const { return bytes_.size() - kPaddingBytes; }
  [[nodiscard]] std::uint8_t* data() { return bytes_.data(); }
  [[nodiscard]] ByteView bytes() const { return {bytes_.data(), size_bytes()}; }
  [[nodiscard]] std::string_view text() const { return as_text(bytes()); }
  // Keeps what fits of the content; the new bytes and the padding are zero.
  void resize(std::size_t size_bytes) {
    if (size_bytes < this->size_bytes()) bytes_.resize(size_bytes);
    bytes_.resize(size_bytes + kPaddingBytes);
  }

 private:
  std::vector<std::uint8_t> bytes_;
};

// A borrowed text that is known to have kPaddingBytes readable bytes behind it.
class PaddedView {
 public:
  PaddedView(const PaddedBuffer& buffer) : text_(buffer.text()) {}  // NOLINT: implicit by design
  PaddedView(const PaddedBuffer&&) = delete;                        // would dangle
  // The part of this text from `at` on; its padding is that of the whole.
  [[nodiscard]] PaddedView from(std::size_t at) const { return PaddedView(text_.substr(at)); }
  // A piece of this text: what stands behind it, or the padding, is its padding.
  [[nodiscard]] PaddedView part(std::string_view inside) const { return PaddedView(inside); }
  [[nodiscard]] std::string_view text() const { return text_; }

 private:
  explicit PaddedView(std::string_view text) : text_(text) {}
  std::string_view text_;
};

}  // namespace twofold
