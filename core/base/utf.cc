#include "core/base/utf.h"

#include <cstring>

namespace twofold {
namespace {

constexpr std::uint64_t kHighBits = 0x8080808080808080u;

bool is_ascii8(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return (word & kHighBits) == 0;
}

std::uint32_t utf16_units(char32_t code_point) {
  return code_point >= 0x10000 ? 2 : 1;
}

constexpr Utf8Char kInvalid{0xFFFD, 1, false};

}  // namespace

Utf8Char decode_utf8(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[at + i]); };
  const auto is_tail = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const auto tail = [&](std::size_t i) { return static_cast<char32_t>(byte(i) & 0x3F); };
  const std::size_t left = text.size() - at;
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  if (lead >= 0xC2 && lead <= 0xDF) {
    if (left < 2 || !is_tail(1)) return kInvalid;
    return {(static_cast<char32_t>(lead & 0x1F) << 6) | tail(1), 2, true};
  }
  if (lead >= 0xE0 && lead <= 0xEF) {
    if (left < 3 || !is_tail(1) || !is_tail(2)) return kInvalid;
    const char32_t value = (static_cast<char32_t>(lead & 0x0F) << 12) | (tail(1) << 6) | tail(2);
    if (value < 0x800 || (value >= 0xD800 && value <= 0xDFFF)) return kInvalid;
    return {value, 3, true};
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    if (left < 4 || !is_tail(1) || !is_tail(2) || !is_tail(3)) return kInvalid;
    const char32_t value =
        (static_cast<char32_t>(lead & 0x07) << 18) | (tail(1) << 12) | (tail(2) << 6) | tail(3);
    if (value < 0x10000 || value > 0x10FFFF) return kInvalid;
    return {value, 4, true};
  }
  return kInvalid;
}

bool is_valid_utf8(std::string_view text) {
  return find_bad_utf8(text) == text.size();
}

std::size_t find_bad_utf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (text.size() - at >= 8 && is_ascii8(text.data() + at)) {
      at += 8;
      continue;
    }
    const Utf8Char next = decode_utf8(text, at);
    if (!next.valid) return at;
    at += next.size_bytes;
  }
  return at;
}

std::uint64_t count_utf16(std::string_view text) {
  std::uint64_t units = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    if (text.size() - at >= 8 && is_ascii8(text.data() + at)) {
      at += 8;
      units += 8;
      continue;
    }
    const Utf8Char next = decode_utf8(text, at);
    at += next.size_bytes;
    units += utf16_units(next.code_point);
  }
  return units;
}

Utf16Column to_utf16(std::string_view line, Utf8Column column) {
  const std::size_t end = column.value() < line.size() ? column.value() : line.size();
  std::uint32_t units = 0;
  std::size_t at = 0;
  while (at < end) {
    const Utf8Char next = decode_utf8(line, at);
    if (next.size_bytes > end - at) break;
    at += next.size_bytes;
    units += utf16_units(next.code_point);
  }
  return Utf16Column(units);
}

Utf8Column to_utf8(std::string_view line, Utf16Column column) {
  std::uint32_t units = 0;
  std::size_t at = 0;
  while (at < line.size() && units < column.value()) {
    const Utf8Char next = decode_utf8(line, at);
    if (utf16_units(next.code_point) > column.value() - units) break;
    at += next.size_bytes;
    units += utf16_units(next.code_point);
  }
  return Utf8Column(static_cast<std::uint32_t>(at));
}

std::string_view without_bom(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

}  // namespace twofold
