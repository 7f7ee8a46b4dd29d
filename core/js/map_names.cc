#include "core/js/map_names.h"

#include <algorithm>

#include "core/js/keywords.h"
#include "core/js/lexer.h"

namespace twofold::js {
namespace {

constexpr std::size_t kLongestRead = 1024;

bool same_original(const Segment& a, const Segment& b) {
  return a.source == b.source && a.original == b.original;
}

// The identifier, `#name` included, that `text` begins with; "" if it begins with none or a
// keyword.
std::string_view leading_identifier(std::string_view text) {
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const char* from = begin;
  if (from != end && *from == '#') ++from;
  if (!begins_identifier(from, end)) return {};
  const char* const to = skip_identifier(from, end);
  const auto size = static_cast<std::size_t>(to - begin);
  if (size > 1 && find_keyword(begin, size, end) != Keyword::kNone) return {};
  return text.substr(0, size);
}

bool is_hex(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == text.npos;
}

// What bundlers add to names that would clash, in maps that give the bundler's name for the
// original:
// `$114dff7b9008f5c0$var$extend` is Parcel's extend, `hide$1` Rollup's hide.
std::string_view without_bundler_marks(std::string_view name) {
  constexpr std::size_t kHash = 16;
  if (name.size() > kHash + 2 && name[0] == '$' && name[kHash + 1] == '$' &&
      is_hex(name.substr(1, kHash))) {
    const std::string_view rest = name.substr(kHash + 2);
    for (const std::string_view part : {"var$", "export$"}) {
      if (rest.substr(0, part.size()) == part && rest.size() > part.size()) {
        return rest.substr(part.size());
      }
    }
  }
  const std::size_t dollar = name.rfind('$');
  if (dollar == 0 || dollar == name.npos || dollar + 1 == name.size()) return name;
  const bool is_count = name.find_first_not_of("0123456789", dollar + 1) == name.npos;
  return is_count ? name.substr(0, dollar) : name;
}

}  // namespace

// Places are asked for in rising order by and large, so the search goes out from the last answer in
// doubling steps: O(log distance).
const Segment* MapNames::find_floor(Position at) {
  const std::vector<Segment>& segments = map_.segments;
  const std::size_t size = segments.size();
  const auto is_behind = [&](std::size_t i) { return at < segments[i].generated; };
  std::size_t low = 0;      // everything before it is at or before `at`
  std::size_t high = size;  // it and everything from there on is behind
  std::size_t probe = last_;
  for (std::size_t step = 1; probe < size && low < high; step *= 2) {
    if (is_behind(probe)) {
      high = probe;
      if (probe < low + step) break;
      probe -= step;
    } else {
      low = probe + 1;
      if (high - low < step) break;
      probe += step;
    }
    if (low != 0 && high != size) break;
  }
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (is_behind(middle))
      high = middle;
    else
      low = middle + 1;
  }
  if (low == 0) return nullptr;
  last_ = low - 1;
  return segments[last_].generated.line == at.line ? &segments[last_] : nullptr;
}

std::string_view MapNames::name_of(const Segment& segment) const {
  return segment.name == kNoIndex ? std::string_view() : map_.names[segment.name];
}
std::string_view MapNames::source_of(const Segment& segment) const {
  return segment.source == kNoIndex ? std::string_view() : map_.sources[segment.source];
}

// Several segments may share a generated place; the first one is what an exact lookup finds.
const Segment* MapNames::first_at_same_place(const Segment* segment) const {
  while (segment != map_.segments.data() && (segment - 1)->generated == segment->generated)
    --segment;
  return segment;
}

std::string_view MapNames::name_reaching(Position from, Position to) {
  const Segment* const floor = find_floor(to);
  if (floor == nullptr || floor->generated != from) return {};
  return name_of(*first_at_same_place(floor));
}

OriginalName MapNames::find(Position at, std::string_view minified) {
  const Segment* segment = find_floor(at);
  if (segment == nullptr) return {minified, false};
  // One column of tolerance: some generators give the end of the token before.
  const std::uint32_t distance = at.column.value() - segment->generated.column.value();
  if (distance > 1) return {minified, false};
  segment = first_at_same_place(segment);
  if (segment->source == kNoIndex) return {minified, false};
  if (const std::string_view name = name_of(*segment); !name.empty()) {
    const std::string_view unmarked = without_bundler_marks(name);
    // Somebody may have written `a$1`: the source text knows.
    const bool is_marked = unmarked.size() != name.size() && name_in_contents(*segment) != name;
    return {is_marked ? unmarked : name, true};
  }
  if (segment != map_.segments.data()) {
    const Segment& before = *(segment - 1);
    const bool is_same = before.generated.line == at.line && same_original(before, *segment);
    if (is_same && !name_of(before).empty()) return {name_of(before), true};
  }
  if (const std::string_view name = name_in_contents(*segment); !name.empty()) return {name, true};
  // A map that names identifiers leaves out those that kept their name.
  return {minified, distance == 0 && map_.names.size() != 0};
}

std::string_view MapNames::name_in_contents(const Segment& segment) {
  const std::string_view text = sources_.text(segment.source);
  if (text.empty()) return {};
  const std::uint32_t offset = sources_.of(segment.source).offset(segment.original);
  // No longer than a name may be: hostile text is not read again and again.
  return leading_identifier(text.substr(offset, kLongestRead));
}

}  // namespace twofold::js
