#include "core/tw/string_table_builder.h"

#include <algorithm>
#include <cstring>

#include "core/base/make_room.h"

namespace twofold::tw {
namespace {

// FNV-1a with a final mix. The order of the table does not depend on it.
std::size_t hash(std::string_view text) {
  std::uint64_t value = 0xCBF29CE484222325u;
  for (const char c : text) value = (value ^ static_cast<std::uint8_t>(c)) * 0x100000001B3u;
  return static_cast<std::size_t>(value ^ (value >> 32));
}

// How many slots are looked at. At half full a million honest names stay below 64. A hostile input
// whose names all meet in one place is stored with repeats instead of taking quadratic time.
constexpr std::size_t kMaxProbes = 256;

}  // namespace

std::string_view StringTableBuilder::at(std::uint32_t index) const {
  const std::uint64_t begin = index == 0 ? 0 : ends_[index - 1];
  return std::string_view(text_).substr(static_cast<std::size_t>(begin),
                                        static_cast<std::size_t>(ends_[index] - begin));
}

// The slot that holds `text`, or a free one for it. Null: neither within reach.
std::uint32_t* StringTableBuilder::find_slot(std::string_view text) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash(text) & mask;
  for (std::size_t probe = 0; probe < kMaxProbes; ++probe, slot = (slot + 1) & mask) {
    if (slots_[slot] == 0 || at(slots_[slot] - 1) == text) return &slots_[slot];
  }
  return nullptr;
}

void StringTableBuilder::grow() {
  slots_.assign(std::max<std::size_t>(256, slots_.size() * 2), 0);
  ends_.reserve(slots_.size() / 2);  // as many as there are before the next time
  make_room(slots_.size() * 8, text_);
  for (std::uint32_t index = 0; index < count(); ++index) {
    std::uint32_t* const slot = find_slot(at(index));
    if (slot != nullptr && *slot == 0) *slot = index + 1;
  }
}

std::uint32_t StringTableBuilder::intern(std::string_view text) {
  if ((ends_.size() + 1) * 2 > slots_.size()) grow();
  std::uint32_t* const slot = find_slot(text);
  if (slot != nullptr && *slot != 0) return *slot - 1;
  const std::uint32_t index = append(text);
  if (slot != nullptr) *slot = index + 1;
  return index;
}

std::uint32_t StringTableBuilder::append(std::string_view text) {
  text_ += text;
  ends_.push_back(text_.size());
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
