#include "core/trace/trace.h"

#include <algorithm>

#include "core/trace/dialects.h"
#include "core/trace/location.h"

namespace twofold::trace {
namespace {

bool parse_line(const TextLine& line, Frame& frame) {
  if (parse_v8_line(line, frame)) return true;
  if (parse_spider_monkey_line(line, frame)) {
    settle_java_script_core(frame);
    return true;
  }
  return parse_java_script_core_line(line, frame);
}

bool is_next_line(const Frame& frame, const Frame& next) {
  return next.line_index == frame.line_index + 1;
}

// SpiderMonkey and JavaScriptCore print most frames alike. One frame that only JavaScriptCore
// prints tells for all frames on the lines right above and below it.
void settle_engines(std::vector<Frame>& frames) {
  const auto pull = [](const Frame& from, Frame& to) {
    if (from.dialect == Dialect::kJavaScriptCore && to.dialect == Dialect::kSpiderMonkey) {
      to.dialect = Dialect::kJavaScriptCore;
    }
  };
  for (std::size_t i = 1; i < frames.size(); ++i) {
    if (is_next_line(frames[i - 1], frames[i])) pull(frames[i - 1], frames[i]);
  }
  for (std::size_t i = frames.size(); i > 1; --i) {
    if (is_next_line(frames[i - 2], frames[i - 1])) pull(frames[i - 1], frames[i - 2]);
  }
}

// The location in `(...)`, or up to the next comma or bracket, after the last `eval at `.
std::optional<Location> find_v8_eval_origin(std::string_view text) {
  constexpr std::string_view kEvalAt = "eval at ";
  const std::size_t last = text.rfind(kEvalAt);
  if (last == std::string_view::npos) return std::nullopt;
  std::string_view call = text.substr(last + kEvalAt.size());
  const std::size_t open = call.find(" (");
  if (open == std::string_view::npos) {
    call = call.substr(0, call.find_first_of("),"));
  } else {
    call.remove_prefix(open + 2);
  }
  for (std::size_t stop = 0; stop < call.size(); ++stop) {
    stop = std::min(call.find_first_of("),", stop), call.size());
    const Place place = parse_place(call.substr(0, stop));
    if (place.number_count != 2) continue;
    if (is_opaque_url(place.url)) return std::nullopt;
    return Location{place.url, to_position(place)};
  }
  return std::nullopt;
}

}  // namespace

Trace parse_trace(std::string_view text) {
  Trace trace;
  std::uint32_t line_index = 0;
  for (std::size_t begin = 0; begin < text.size(); ++line_index) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const TextLine line{text.substr(begin, end - begin), end + 1 >= text.size()};
    Frame frame;
    if (parse_line(line, frame)) {
      frame.begin += begin;
      frame.end += begin;
      frame.line_index = line_index;
      trace.frames.push_back(frame);
    }
    begin = end + 1;
  }
  settle_engines(trace.frames);
  return trace;
}

std::optional<Location> find_eval_origin(const Frame& frame) {
  if (frame.kind != FrameKind::kOpaque) return std::nullopt;
  if (frame.url.starts_with("eval at ")) return find_v8_eval_origin(frame.url);
  const std::optional<std::size_t> mark = find_eval_mark(frame.url);
  if (!mark || is_opaque_url(frame.url)) return std::nullopt;
  return Location{frame.url.substr(0, *mark), std::nullopt};
}

void write_frame(const Frame& frame, const OriginalFrame& original, std::string& out) {
  switch (frame.dialect) {
    case Dialect::kV8:
    case Dialect::kHermes:
      return write_v8_frame(frame, original, out);
    case Dialect::kSpiderMonkey:
      return write_spider_monkey_frame(frame, original, out);
    case Dialect::kJavaScriptCore:
      return write_java_script_core_frame(frame, original, out);
  }
}

}  // namespace twofold::trace
