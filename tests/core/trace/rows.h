// Tables of one-line traces: what is expected of the line's only frame.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/trace.h"

namespace twofold::trace {

// 1-based, as printed; {0, 0} is no position.
struct Printed {
  std::uint32_t line;
  std::uint32_t column;
};

struct Row {
  std::string_view text;   // the line
  std::string_view frame;  // its [begin, end); empty: no frame at all
  std::string_view function = {};
  std::string_view url = {};
  Printed at = {0, 0};
};

inline Printed printed(const std::optional<Position>& position) {
  if (!position) return {0, 0};
  return {position->line.value() + 1, position->column.value() + 1};
}

inline std::string_view text_of(std::string_view text, const Frame& frame) {
  return text.substr(frame.begin, frame.end - frame.begin);
}

inline void check_rows(const std::vector<Row>& rows, FrameKind kind) {
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const Trace trace = parse_trace(row.text);
    REQUIRE(trace.frames.size() == (row.frame.empty() ? 0 : 1));
    if (row.frame.empty()) continue;
    const Frame& frame = trace.frames[0];
    CHECK(text_of(row.text, frame) == row.frame);
    CHECK(frame.kind == kind);
    CHECK(frame.function == row.function);
    CHECK(frame.url == row.url);
    CHECK(printed(frame.position).line == row.at.line);
    CHECK(printed(frame.position).column == row.at.column);
    CHECK(frame.line_index == 0);
  }
}

// A line that is a frame and nothing else.
inline Frame only_frame(std::string_view text) {
  const Trace trace = parse_trace(text);
  REQUIRE(trace.frames.size() == 1);
  CHECK(text_of(text, trace.frames[0]) == text);
  return trace.frames[0];
}

}  // namespace twofold::trace
