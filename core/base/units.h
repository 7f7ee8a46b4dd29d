// Units as types: a line, a column and an offset cannot be mixed up, because they do not convert.
//
// Inside the core every line and column is 0-based and a column counts UTF-16 code units (what
// source maps and engines mean). 1-based numbers exist at two borders only, a trace parser and a
// printer, and have a type of their own there. A column is 32 bits: one-line bundles pass 16 bits
// every day.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>

namespace twofold {

// One measure. Explicit in, explicit out; ordered; same size as its representation.
template <class Tag, class Rep = std::uint32_t>
class Unit {
 public:
  constexpr Unit() = default;
  constexpr explicit Unit(Rep value) : value_(value) {}
  [[nodiscard]] constexpr Rep value() const { return value_; }
  constexpr auto operator<=>(const Unit&) const = default;

 private:
  Rep value_ = 0;
};

using Line = Unit<struct LineTag>;  // 0-based
using Utf16Column =
    Unit<struct Utf16ColumnTag>;                // 0-based, UTF-16 code units from the line's start
using Utf8Column = Unit<struct Utf8ColumnTag>;  // 0-based, bytes from the line's start
using ByteOffset = Unit<struct ByteOffsetTag, std::uint64_t>;  // from the start of an input

using OneBasedLine = Unit<struct OneBasedLineTag>;      // as people and engines print it
using OneBasedColumn = Unit<struct OneBasedColumnTag>;  // as people and engines print it, UTF-16

// A place in generated or original text. Ordered by line, then column.
struct Position {
  Line line;
  Utf16Column column;
  constexpr auto operator<=>(const Position&) const = default;
};

// 1-based to 0-based; no value for 0, which no engine means as a place.
[[nodiscard]] constexpr std::optional<Line> to_line(OneBasedLine line) {
  if (line.value() == 0) return std::nullopt;
  return Line(line.value() - 1);
}
[[nodiscard]] constexpr std::optional<Utf16Column> to_column(OneBasedColumn column) {
  if (column.value() == 0) return std::nullopt;
  return Utf16Column(column.value() - 1);
}

}  // namespace twofold
