// One line of a trace, per dialect. Internal to core/trace; trace.cc tries them in this order.
//
// Each parse_ returns whether the line holds a frame, and then fills `frame` with offsets in the
// line. Each write_ appends the text of one frame. All take time linear in the line.
#pragma once

#include <string>
#include <string_view>

#include "core/trace/trace.h"

namespace twofold::trace {

struct TextLine {
  std::string_view text;        // without its '\n'
  bool is_last_of_text = true;  // nothing follows: a cut may have gone through it
};

[[nodiscard]] bool parse_v8_line(const TextLine& line, Frame& frame);
void write_v8_frame(const Frame& frame, const OriginalFrame& original, std::string& out);

// Hermes prints V8's lines, with another location where it has bytecode only. `inside` is what the
// brackets of such a line hold.
[[nodiscard]] bool parse_hermes_location(std::string_view inside, Frame& frame);
// Hermes writes a name where V8 writes none. `frame.function` loses it.
void drop_hermes_nameless(Frame& frame);

[[nodiscard]] bool parse_spider_monkey_line(const TextLine& line, Frame& frame);
void write_spider_monkey_frame(const Frame& frame, const OriginalFrame& original, std::string& out);

// Lines that JavaScriptCore alone prints.
[[nodiscard]] bool parse_java_script_core_line(const TextLine& line, Frame& frame);
// `name@location` is read as SpiderMonkey's; this makes it JavaScriptCore's if name or location say
// so.
void settle_java_script_core(Frame& frame);
void write_java_script_core_frame(const Frame& frame, const OriginalFrame& original,
                                  std::string& out);

}  // namespace twofold::trace
