// The one bounds-checked way to read and to write binary data. Little-endian, unaligned.
//
// Bounds are tested by subtraction (`n > size - at`), so no sum can wrap. A reader never moves past
// its end: a failed read leaves it where it was and returns false.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace twofold {

using ByteView = std::span<const std::uint8_t>;

[[nodiscard]] inline ByteView as_byte_view(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}
[[nodiscard]] inline std::string_view as_text(ByteView bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A u32 at `from`, any alignment. The caller has checked that four bytes are there. Compiles to one
// load on little-endian targets (x86-64, arm64, wasm32), the only ones we build for.
[[nodiscard]] inline std::uint32_t load_u32(const std::uint8_t* from) {
  std::uint32_t value = 0;
  std::memcpy(&value, from, sizeof value);
  return value;
}

[[nodiscard]] inline std::uint16_t load_u16(const std::uint8_t* from) {
  std::uint16_t value = 0;
  std::memcpy(&value, from, sizeof value);
  return value;
}
[[nodiscard]] inline std::uint64_t load_u64(const std::uint8_t* from) {
  std::uint64_t value = 0;
  std::memcpy(&value, from, sizeof value);
  return value;
}
// The counterpart: the caller has checked that there is room.
template <class Number>
inline void store(std::uint8_t* to, Number value) {
  std::memcpy(to, &value, sizeof value);
}

// A cursor over borrowed bytes.
class ByteReader {
 public:
  explicit ByteReader(ByteView bytes) : bytes_(bytes) {}

  [[nodiscard]] std::size_t at() const { return at_; }
  [[nodiscard]] std::size_t remaining() const { return bytes_.size() - at_; }

  [[nodiscard]] bool read_u8(std::uint8_t& value) {
    if (remaining() < 1) return false;
    value = bytes_[at_++];
    return true;
  }
  [[nodiscard]] bool read_u32(std::uint32_t& value) {
    if (remaining() < 4) return false;
    value = load_u32(bytes_.data() + at_);
    at_ += 4;
    return true;
  }
  // The next `count` bytes as a view into the input.
  [[nodiscard]] bool read_bytes(std::uint64_t count, ByteView& value) {
    if (count > remaining()) return false;
    value = bytes_.subspan(at_, static_cast<std::size_t>(count));
    at_ += value.size();
    return true;
  }

 private:
  ByteView bytes_;
  std::size_t at_ = 0;
};

// Appends to a buffer that it owns; `take` hands it over.
class ByteWriter {
 public:
  void reserve(std::size_t size_bytes) { bytes_.reserve(size_bytes); }
  [[nodiscard]] std::size_t size_bytes() const { return bytes_.size(); }

  void put_u32(std::uint32_t value) {
    std::uint8_t raw[4];
    std::memcpy(raw, &value, sizeof raw);
    bytes_.insert(bytes_.end(), raw, raw + sizeof raw);
  }
  void put_bytes(ByteView bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  void put_text(std::string_view text) { put_bytes(as_byte_view(text)); }

  [[nodiscard]] std::vector<std::uint8_t> take() && { return std::move(bytes_); }

 private:
  std::vector<std::uint8_t> bytes_;
};

}  // namespace twofold
