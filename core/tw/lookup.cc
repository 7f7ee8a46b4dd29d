#include "core/tw/lookup.h"

#include <algorithm>

namespace twofold::tw {
namespace {

// Where the search still has to look: the count it wants is in [first, first + count].
struct Range {
  std::uint32_t first;
  std::uint32_t count;
};

// The whole file, or a part around where tokens would be if they were spread evenly over their
// line, widened until it holds the answer. A minified bundle is one line, and its tokens are even
// enough: 2,000 of them need 6 jumps from here instead of 11, and a random query is mispredicted at
// every second one. A file that is anything but even costs twice the jumps of halving at most.
template <class IsBefore>
Range narrow(const FlatView& view, std::uint64_t key, IsBefore is_before) {
  constexpr std::uint32_t kNear = 16;
  const std::uint32_t count = view.token_count();
  const auto guess = view.guess(key);
  if (!guess) return {0, count};
  std::uint32_t step = kNear;
  if (is_before(*guess)) {
    std::uint32_t low = *guess + 1;
    while (step < count - low && is_before(low + step)) {
      low += step + 1;
      step *= 2;
    }
    return {low, std::min(step, count - low)};
  }
  std::uint32_t high = *guess;
  while (step < high && !is_before(high - step)) {
    high -= step;
    step *= 2;
  }
  const std::uint32_t low = step < high ? high - step : 0;
  return {low, high - low};
}

// Number of tokens whose key is below `key`, plus those equal to it if `or_equal`.
//
// Jumps on purpose. Without them (halving by conditional moves) each step waits for the load before
// it: 26 ns or more for a repeated query among 2,000 tokens, and slower than this above the
// second-level cache, because the processor no longer fetches ahead of the comparison. With them a
// repeated query is predicted from end to end. The last few steps, where a random query is
// mispredicted half of the time, count instead: 10 ns less (bench/README.md, "Lookup without
// jumps").
template <bool or_equal>
std::uint32_t count_before(const FlatView view, std::uint64_t key) {  // a copy stays in registers
  constexpr std::uint32_t kCounted = 4;
  const auto is_before = [&](std::uint32_t index) {
    const std::uint64_t found = view.key(index);
    return or_equal ? found <= key : found < key;
  };
  auto [first, count] = narrow(view, key, is_before);
  while (count > kCounted) {
    const std::uint32_t half = count / 2;
    if (is_before(first + half)) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  std::uint32_t before = first;
  for (std::uint32_t i = 0; i < count; ++i) before += is_before(first + i) ? 1u : 0u;
  return before;
}

// Inlined into both functions below; see find_floor in lookup.h.
inline std::uint32_t find_token(const FlatView& view, Position position) {
  const std::uint64_t key = to_key(position);
  const std::uint32_t behind = count_before<true>(view, key);
  if (behind == 0) return kNone;
  const std::uint32_t last = behind - 1;
  const std::uint64_t found = view.key(last);
  if (found >> 32 != position.line.value()) return kNone;
  const bool has_twin = found == key && last > 0 && view.key(last - 1) == key;
  return has_twin ? count_before<false>(view, key) : last;
}

}  // namespace

std::uint32_t find_floor(const FlatView& view, Position position) {
  return find_token(view, position);
}

// One variable for every way out, filled in where the caller gets it: an answer that is put
// together elsewhere and moved there costs as much as the search (g++ 12 stores its parts and loads
// them back in larger pieces, which stalls).
std::optional<Location> find_location(const FlatView& view, Position position) {
  std::optional<Location> found;
  const std::uint32_t index = find_token(view, position);
  if (index == kNone) return found;
  const Token token = view.token(index);
  if (token.is_unmapped()) return found;
  Location& location = found.emplace();
  location.line = OneBasedLine(token.original_line);
  location.column = OneBasedColumn(token.original_column);
  if (const auto file = view.files().find(token.file)) {
    location.file.emplace(*file);
    location.file_index = token.file;
  }
  if (const auto function = view.functions().find(token.function)) {
    location.function.emplace(*function);
    location.function_index = token.function;
  }
  return found;
}

}  // namespace twofold::tw
