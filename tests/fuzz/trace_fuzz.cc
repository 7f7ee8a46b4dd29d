// libFuzzer target: any bytes as a trace. Frames must lie in their lines, in order, and survive a
// round trip: what is written for a frame parses again as a frame with the same name and place.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/trace/trace.h"

namespace {

using namespace twofold;
using namespace twofold::trace;

void require(bool holds) {
  if (!holds) std::abort();
}

bool is_inside(std::string_view part, std::string_view whole) {
  if (part.empty()) return true;
  return part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size();
}

void check_frame(std::string_view text, const Frame& frame) {
  require(frame.begin < frame.end && frame.end <= text.size());
  const std::string_view own = text.substr(frame.begin, frame.end - frame.begin);
  require(own.find('\n') == std::string_view::npos);
  require(is_inside(frame.function, own) && is_inside(frame.decoration, own) &&
          is_inside(frame.url, own));
  require(frame.kind == FrameKind::kScript || !frame.position);
  if (const auto origin = find_eval_origin(frame)) {
    require(frame.kind == FrameKind::kOpaque && is_inside(origin->url, own));
  }
}

void check_written(const Frame& frame) {
  const OriginalFrame original{"original", "src/original.js", OneBasedLine(7), OneBasedColumn(9)};
  std::string out;
  write_frame(frame, original, out);
  require(out.find("original") != std::string::npos);
  require(out.find("src/original.js:7:9") != std::string::npos);
  const Trace again = parse_trace(out);
  require(again.frames.size() == 1);
  require(again.frames[0].position == Position{Line(6), Utf16Column(8)});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Trace trace = parse_trace(text);
  std::size_t done = 0;
  std::uint32_t next_line = 0;
  for (const Frame& frame : trace.frames) {
    check_frame(text, frame);
    require(frame.begin >= done && frame.line_index >= next_line);
    done = frame.end;
    next_line = frame.line_index + 1;
    check_written(frame);
  }
  return 0;
}
