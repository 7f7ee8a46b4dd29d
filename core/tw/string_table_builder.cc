#include "core/tw/string_table_builder.h"

#include <algorithm>
#include <cstring>

namespace twofold::tw {
namespace {

// FNV-1a with a final mix. Table order does not depend on it, so it may change at any time. A hostile
// input that collides costs it its own build time, linear probing over its own strings.
std::size_t hash(std::string_view text) {
  std::uint64_t value = 0xCBF29CE484222325u;
  for (const char c : text) value = (value ^ static_cast<std::uint8_t>(c)) * 0x100000001B3u;
  return static_cast<std::size_t>(value ^ (value >> 32));
}

}  // namespace

std::string_view StringTableBuilder::at(std::uint32_t index) const {
  const std::uint64_t begin = index == 0 ? 0 : ends_[index - 1];
  return std::string_view(text_).substr(static_cast<std::size_t>(begin),
                                        static_cast<std::size_t>(ends_[index] - begin));
}

void StringTableBuilder::grow() {
  std::vector<std::uint32_t> slots(std::max<std::size_t>(64, slots_.size() * 2), 0);
  const std::size_t mask = slots.size() - 1;
  for (std::uint32_t index = 0; index < count(); ++index) {
    std::size_t slot = hash(at(index)) & mask;
    while (slots[slot] != 0) slot = (slot + 1) & mask;
    slots[slot] = index + 1;
  }
  slots_ = std::move(slots);
}

std::uint32_t StringTableBuilder::intern(std::string_view text) {
  if ((ends_.size() + 1) * 2 > slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash(text) & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
    if (at(slots_[slot] - 1) == text) return slots_[slot] - 1;
  }
  text_ += text;
  ends_.push_back(text_.size());
  slots_[slot] = count();
  return count() - 1;
}

void StringTableBuilder::write(std::vector<std::uint8_t>& file) const {
  const auto put_u32 = [&](std::uint32_t value) {
    std::uint8_t raw[sizeof value];
    std::memcpy(raw, &value, sizeof raw);
    file.insert(file.end(), raw, raw + sizeof raw);
  };
  put_u32(0);
  for (const std::uint64_t end : ends_) put_u32(static_cast<std::uint32_t>(end));
  file.insert(file.end(), text_.begin(), text_.end());
}

void StringTableBuilder::clear() {
  text_.clear();
  ends_.clear();
  std::fill(slots_.begin(), slots_.end(), 0);
}

}  // namespace twofold::tw
