#include "core/js/function_map.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "core/base/vlq.h"

namespace twofold::js {
namespace {

constexpr std::int64_t kMaxPlace = 0x7FFFFFFF;

bool is_in(std::int64_t value, std::int64_t end) {
  return value >= 0 && value < end;
}

// One entry: the numbers that are there; the fourth and later ones are stepped over, as Metro does.
struct Entry {
  std::int64_t column = 0;
  std::int64_t name = 0;
  std::int64_t line = 0;
};

// Decodes the entry at `at`, up to the next ',' or ';'. Null: it is none.
const char* decode_entry(const char* at, const char* end, Entry& entry) {
  std::int64_t numbers[3] = {0, 0, 0};
  std::size_t count = 0;
  while (at != end && *at != ',' && *at != ';') {
    const Vlq number = decode_vlq(at, end);
    if (number.fault != VlqFault::kNone) return nullptr;
    if (count < 3) numbers[count] = number.value;
    ++count;
    at = number.next;
  }
  if (count < 2) return nullptr;
  entry = {numbers[0], numbers[1], numbers[2]};
  return at;
}

}  // namespace

// Appends to starts_. The sums cannot overflow: each is checked before the next 32 bits are added.
bool FunctionMaps::decode(std::string_view mappings, std::size_t name_count) {
  const char* at = mappings.data();
  const char* const end = at + mappings.size();
  std::int64_t line = 0;
  std::int64_t column = 0;
  std::int64_t name = 0;
  while (at != end) {
    if (*at == ';') column = 0;
    if (*at == ';' || *at == ',') {
      ++at;
      continue;
    }
    Entry entry;
    at = decode_entry(at, end, entry);
    if (at == nullptr) return false;
    line += entry.line;
    column += entry.column;
    name += entry.name;
    if (!is_in(line, kMaxPlace) || !is_in(column, kMaxPlace)) return false;
    if (!is_in(name, static_cast<std::int64_t>(name_count))) return false;
    starts_.push_back(
        {{Line(static_cast<std::uint32_t>(line)), Utf16Column(static_cast<std::uint32_t>(column))},
         static_cast<std::uint32_t>(names_.size() + static_cast<std::size_t>(name))});
  }
  return true;
}

bool FunctionMaps::add(std::uint32_t source, const StringList& names, std::string_view mappings) {
  const std::size_t first = starts_.size();
  ends_.resize(source, static_cast<std::uint32_t>(first));
  const bool is_sound = decode(mappings, names.size());
  if (is_sound) {
    const auto is_before = [](const Start& a, const Start& b) { return a.at < b.at; };
    const auto begin = starts_.begin() + static_cast<std::ptrdiff_t>(first);
    if (!std::is_sorted(begin, starts_.end(), is_before)) {
      std::stable_sort(begin, starts_.end(), is_before);
    }
    for (std::size_t i = 0; i < names.size(); ++i) names_.add(names[i]);
  } else {
    starts_.resize(first);
  }
  ends_.push_back(static_cast<std::uint32_t>(starts_.size()));
  return is_sound;
}

std::optional<std::uint32_t> FunctionMaps::find(std::uint32_t source, Position original) const {
  if (source >= ends_.size()) return std::nullopt;
  const std::size_t first = source == 0 ? 0 : ends_[source - 1];
  const auto starts = std::span(starts_).subspan(first, ends_[source] - first);
  const auto after =
      std::upper_bound(starts.begin(), starts.end(), original,
                       [](Position place, const Start& start) { return place < start.at; });
  if (after == starts.begin()) return std::nullopt;
  return std::prev(after)->name;
}

void FunctionMaps::clear() {
  starts_.clear();
  ends_.clear();
  names_.clear();
}

}  // namespace twofold::js
