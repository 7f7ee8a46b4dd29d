// JavaScriptCore: `name@location` (read by spider_monkey.cc), and lines of its own.
//
//   global code@app.js:1:1, module code@app.js:1:1   top level: no function
//   eval code@...                                    the numbers are inside the evaluated text
//   f@[native code], wasm-stub@[wasm code]           nothing to look up
//   async f@app.js:1:5                               f went on after an await
//   app.js:1:5                                       Safari 9 and before: nameless, so no '@'
//   [native code], eval code, eval code@             the same for built-in and evaluated code
// A line that is only a location must be one word with a dot or a slash: `16:9:1` is none.
#include "core/trace/dialects.h"
#include "core/trace/location.h"

namespace twofold::trace {
namespace {

constexpr std::string_view kEvalCode = "eval code";
constexpr std::string_view kNativeCode = "[native code]";

bool is_code(std::string_view name) {
  return name == "global code" || name == "module code" || name == kEvalCode;
}

bool is_placeless(std::string_view text) {
  if (text == kNativeCode) return true;
  return is_code(text.ends_with('@') ? text.substr(0, text.size() - 1) : text);
}

bool is_lone_location(std::string_view text, const Place& place) {
  return place.number_count == 2 && find_blank(text) == text.size() && is_path_like(place.url);
}

}  // namespace

bool parse_java_script_core_line(const TextLine& line, Frame& frame) {
  const std::size_t begin = skip_blanks(line.text);
  std::string_view text = line.text.substr(begin);
  while (!text.empty() && (is_blank(text.back()) || text.back() == '\r')) text.remove_suffix(1);
  if (text.empty()) return false;
  frame = Frame{};
  if (is_placeless(text)) {
    set_opaque(text == kNativeCode ? text : std::string_view(), frame);
  } else {
    const Place place = parse_place(text);
    if (!is_lone_location(text, place)) return false;
    set_location(text, place, frame);
  }
  frame.begin = begin;
  frame.end = begin + text.size();
  frame.dialect = Dialect::kJavaScriptCore;
  frame.is_bare = true;
  return true;
}

void settle_java_script_core(Frame& frame) {
  const bool has_code_name = is_code(frame.function);
  const bool is_native =
      frame.kind == FrameKind::kOpaque && (frame.url == kNativeCode || frame.url == "[wasm code]");
  if (!has_code_name && !is_native && !frame.is_async) return;
  frame.dialect = Dialect::kJavaScriptCore;
  if (!has_code_name) return;
  if (frame.function == kEvalCode) {
    frame.kind = FrameKind::kOpaque;
    frame.position.reset();
  }
  frame.function = {};
}

void write_java_script_core_frame(const Frame& frame, const OriginalFrame& original,
                                  std::string& out) {
  const std::string_view name = original.function.value_or(std::string_view());
  if (frame.is_async) out += "async ";
  write_printable(name, out);
  if (!name.empty() || !frame.is_bare) out += '@';
  write_place(original, {}, out);
}

}  // namespace twofold::trace
