// The slow, obvious twin of core/trace: the same rules as regular expressions and whole-line
// searches.
//
// Shares no code with the core but the types. Exponential or quadratic where that is shorter to
// read, so for short lines only. Where the two differ, one of them is wrong.
#pragma once

#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace twofold::reference {

// A frame as owned text, so that a difference prints well.
struct TraceFrame {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::uint32_t line_index = 0;
  trace::Dialect dialect = trace::Dialect::kV8;
  trace::FrameKind kind = trace::FrameKind::kOpaque;
  std::string function, decoration, url;
  std::optional<Position> position;
  bool is_async = false, is_new = false, is_bare = false;
};

[[nodiscard]] std::vector<TraceFrame> parse_trace(const std::string& text);

// One line of text per frame, for comparing and for messages.
[[nodiscard]] std::string describe(const TraceFrame& frame);
[[nodiscard]] TraceFrame to_reference(const trace::Frame& frame);

}  // namespace twofold::reference
