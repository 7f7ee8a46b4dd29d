#include "tests/reference/trace_reference.h"

#include <map>
#include <regex>
#include <sstream>

namespace twofold::reference {
namespace {

using trace::Dialect;
using trace::FrameKind;

// Any byte, also a newline-like one; '.' would not match '\r'.
#define ANY "[\\s\\S]"

// Compiled once each: compiling costs more than matching.
const std::regex& compiled(const std::string& pattern) {
  static std::map<std::string, std::regex> cache;
  const auto found = cache.find(pattern);
  return found != cache.end() ? found->second : cache.emplace(pattern, pattern).first->second;
}

bool matches(const std::string& text, const std::string& pattern, std::smatch* parts = nullptr) {
  std::smatch own;
  return std::regex_match(text, parts ? *parts : own, compiled(pattern));
}

// The value of printed digits, 0 if it does not fit.
std::uint64_t number(const std::string& digits) {
  std::uint64_t value = 0;
  for (const char c : digits) {
    value = value * 10 + static_cast<std::uint64_t>(c - '0');
    if (value > 0xffffffffu) return 0;
  }
  return value;
}

std::optional<Position> position(const std::string& line, const std::string& column) {
  const std::uint64_t l = number(line);
  const std::uint64_t c = number(column);
  if (l == 0 || c == 0) return std::nullopt;
  return Position{Line(static_cast<std::uint32_t>(l - 1)),
                  Utf16Column(static_cast<std::uint32_t>(c - 1))};
}

bool names_script(const std::string& url) {
  return matches(url, "[^ \\t0-9(]" ANY "*|[0-9(]" ANY "*[./\\\\]" ANY "*");
}

bool is_opaque(const std::string& url) {
  return url == "InternalBytecode.js" ||
         matches(
             url,
             "(<anonymous>|node:|webpack-internal:|wasm:|\\[native code\\]|\\[wasm "
             "code\\]|native:|\\[eval\\]|"
             "\\[stdin\\]|\\[worker eval\\]|evalmachine\\.<anonymous>|eval code|debugger eval code|"
             "Unknown script code|self-hosted|internal:|bun:|ext:|extensions::|internal/bootstrap/|"
             "internal/main/|internal/modules/|internal/process/|internal/timers\\.js|electron/"
             "js2c/)" ANY "*");
}

void set_place(TraceFrame& frame, const std::string& whole, const std::string& url,
               const std::string& line, const std::string& column) {
  frame.kind = is_opaque(url) ? FrameKind::kOpaque : FrameKind::kScript;
  frame.url = frame.kind == FrameKind::kOpaque ? whole : url;
  frame.position = frame.kind == FrameKind::kOpaque ? std::nullopt : position(line, column);
}

void set_opaque(TraceFrame& frame, const std::string& whole) {
  frame.kind = FrameKind::kOpaque;
  frame.url = whole;
  frame.position.reset();
}

std::string strip_trailer(std::string text) {
  for (;;) {
    const std::string shorter =
        std::regex_replace(text, compiled("([ \\t\\r,;{}\\[\\])\"'`]|\\x1b\\[[0-9;]*m)$"), "",
                           std::regex_constants::format_first_only);
    if (shorter == text) return text;
    text = shorter;
  }
}

// What brackets hold.
bool parse_inside(const std::string& inside, bool after_blank, TraceFrame& frame) {
  std::smatch m;
  if (matches(inside, "address at (" ANY "+):([0-9]+):([0-9]+)", &m)) {
    frame.dialect = Dialect::kHermes;
    set_place(frame, inside.substr(11), m[1], "1", "1");
    const std::string column = m[3];
    const bool fits = number(column) > 0 || matches(column, "0+");
    if (frame.position) {
      frame.position.reset();
      if (number(m[2]) > 0 && fits) {
        frame.position = Position{Line(static_cast<std::uint32_t>(number(m[2]) - 1)),
                                  Utf16Column(static_cast<std::uint32_t>(number(column)))};
      }
    }
    return true;
  }
  if (matches(inside, "<anonymous>|native|\\[native code\\]|unknown location|eval at " ANY
                      "*|index [0-9]+|" ANY "*wasm-function\\[" ANY "*")) {
    set_opaque(frame, inside);
    return true;
  }
  if (matches(inside, "(" ANY "*):([0-9]+):([0-9]+)", &m)) {
    if (!names_script(m[1])) return false;
    set_place(frame, inside, m[1], m[2], m[3]);
    return true;
  }
  if (after_blank && matches(inside, "(" ANY "*[./\\\\]" ANY "*):([0-9]+)", &m) &&
      names_script(m[1])) {
    set_place(frame, inside, m[1], m[2], "0");
    return true;
  }
  return false;
}

// A location without brackets in `line` from `from` on; its end, or 0.
std::size_t parse_bare(const std::string& line, std::size_t from, TraceFrame& frame) {
  std::smatch m;
  const std::string whole = strip_trailer(line);
  const std::string rest = whole.size() > from ? whole.substr(from) : "";
  const std::string starts_as_path = "([^ \\t]*|[^ \\t]*[/\\\\]" ANY "*)";
  if (matches(rest, ("(" + starts_as_path + "):([0-9]+):([0-9]+)"), &m) &&
      names_script(m[1].str().substr(0, m[1].str().find_first_of(" \t")))) {
    set_place(frame, rest, m[1], m[3], m[4]);
    return whole.size();
  }
  if (!matches(rest, ANY "*:[0-9]+:[0-9]+") &&
      matches(rest, "([^ \\t]*://" ANY "*):([0-9]+)", &m)) {
    set_place(frame, rest, m[1], m[2], "0");
    return whole.size();
  }
  const std::string word = strip_trailer(line.substr(from, line.find_first_of(" \t", from) - from));
  const bool has_slash = word.find_first_of("/\\") != std::string::npos;
  const bool is_last = from + word.size() == whole.size();
  if (matches(word, "(" ANY "*):([0-9]+):([0-9]+)", &m)) {
    if (!(has_slash || is_last) || !names_script(m[1])) return 0;
    set_place(frame, word, m[1], m[2], m[3]);
  } else if (matches(word, "(" ANY "*://" ANY "*):([0-9]+)", &m)) {
    set_place(frame, word, m[1], m[2], "0");
  } else if (!matches(word, ANY "*:[0-9]+") && word.find("wasm-function[") != std::string::npos) {
    set_opaque(frame, word);
  } else {
    return 0;
  }
  return from + word.size();
}

std::size_t find_close(const std::string& text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == '(') ++depth;
    if (text[at] == ')' && --depth == 0) return at;
  }
  return std::string::npos;
}

void set_v8_name(std::string name, TraceFrame& frame) {
  std::smatch m;
  name = std::regex_replace(name, compiled("[ \\t]+$"), "");
  frame.is_async = matches(name, "async (" ANY "*)", &m);
  if (frame.is_async) name = std::string(m[1]);
  frame.is_new = matches(name, "new (" ANY "*)", &m);
  if (frame.is_new) name = std::string(m[1]);
  if (matches(name, "(" ANY "*) \\[as (" ANY "*)\\]", &m)) {
    frame.decoration = m[2];
    name = std::string(m[1]);
  }
  const bool nameless = matches(name, "(" ANY
                                      "*\\.)?<anonymous>|\\(anonymous function\\)|Anonymous "
                                      "function|[gG]lobal code|module code") ||
                        (frame.dialect == Dialect::kHermes && matches(name, "anonymous|global"));
  frame.function = nameless ? "" : name;
}

bool parse_v8_at(const std::string& line, std::size_t at, bool is_last, TraceFrame& frame) {
  const std::size_t from = at + 3;
  const std::string body = line.substr(from);
  frame = {};
  frame.begin = at;
  const auto finish = [&](std::size_t open, std::size_t end) {
    set_v8_name(body.substr(0, open), frame);
    frame.end = from + end;
    return true;
  };
  for (std::size_t open = body.find('('); open != std::string::npos;) {
    const std::size_t close = find_close(body, open);
    if (close == std::string::npos) break;
    const bool after_blank = open == 0 || body[open - 1] == ' ';
    if (parse_inside(body.substr(open + 1, close - open - 1), after_blank, frame))
      return finish(open, close + 1);
    open = body.find('(', close);
  }
  frame.is_async = body.rfind("async ", 0) == 0;
  const std::size_t start = from + (frame.is_async ? 6 : 0);
  if (strip_trailer(line.substr(start)) == "<anonymous>") {
    set_opaque(frame, "<anonymous>");
    frame.end = start + 11;
    return true;
  }
  frame.end = parse_bare(line, start, frame);
  if (frame.end != 0) return true;
  const std::size_t open = body.find(" (");
  if (open == std::string::npos) return false;
  std::smatch m;
  const std::string inside = body.substr(open + 2);
  if (matches(inside, "(" ANY "*:[0-9]+:[0-9]+)\\)" ANY "*", &m)) {
    return parse_inside(m[1], true, frame) &&
           finish(open + 1, open + 2 + static_cast<std::size_t>(m[1].length()) + 1);
  }
  const std::string rest = strip_trailer(body);
  if (is_last || rest.size() <= open + 1 || !matches(rest.substr(open + 2), ANY "*:[0-9]+:[0-9]+"))
    return false;
  return parse_inside(rest.substr(open + 2), true, frame) && finish(open + 1, rest.size());
}

bool parse_v8(const std::string& line, bool is_last, TraceFrame& frame) {
  std::smatch m;
  if (std::regex_search(line, m, compiled("^[ \\t]*at ")) && m.position() == 0 &&
      parse_v8_at(line, static_cast<std::size_t>(m.length()) - 3, is_last, frame)) {
    return true;
  }
  const std::size_t indent = line.find_first_not_of(" \t");
  for (std::size_t at = line.rfind("at "); at != std::string::npos && at > 0;
       at = line.rfind("at ", at - 1)) {
    if (!matches(line.substr(0, at), ANY "*(\\t|[ \\t] )")) continue;
    return at > indent && parse_v8_at(line, at, is_last, frame);
  }
  return false;
}

// Where the name before the '@' at `at` begins.
std::size_t find_name(const std::string& line, std::size_t at) {
  const std::string before = line.substr(0, at);
  std::size_t begin = at;
  int depth = 0;
  while (begin > 0) {
    const char c = line[begin - 1];
    if (depth == 0 && std::string(" \t([\"'`").find(c) != std::string::npos) break;
    if (c == ')' || c == ']') ++depth;
    if (c == '(' || c == '[') --depth;
    --begin;
  }
  if (depth != 0 || before.substr(begin).find('@') != std::string::npos)
    begin = before.find_last_of(" \t") + 1;
  const std::string word = before.substr(begin);
  std::smatch m;
  const std::string prefix = before.substr(0, begin);
  const char* first =
      word == ""                   ? nullptr
      : word.rfind("code", 0) == 0 ? "(" ANY "*[ \\t\"'`])?((?:global|eval|module|get|set|async) )"
      : word.rfind("callback*", 0) == 0 ? "(" ANY "*[ \\t\"'`])?((?:promise|get|set|async) )"
      : word.rfind("handler*", 0) == 0  ? "(" ANY
                                         "*[ \\t\"'`])?((?:setTimeout|setInterval|get|set|async) )"
                                       : "(" ANY "*[ \\t\"'`])?((?:get|set|async) )";
  if (first && matches(prefix, first, &m)) begin -= static_cast<std::size_t>(m[2].length());
  return begin;
}

bool parse_at_sign(const std::string& line, TraceFrame& frame) {
  for (std::size_t at = 0; at < line.size(); ++at) {
    const std::size_t blank = line.find_last_of(" \t", at);
    const std::size_t word = blank == std::string::npos ? 0 : blank + 1;
    if (line[at] != '@' || line.find('@', word) != at || at + 1 == line.size()) continue;
    frame = {};
    frame.dialect = Dialect::kSpiderMonkey;
    std::smatch m;
    const std::string rest = line.substr(at + 1);
    if (matches(rest, "(\\[native code\\]|\\[wasm code\\])" ANY "*", &m)) {
      set_opaque(frame, m[1]);
      frame.end = at + 1 + frame.url.size();
    } else if (matches(rest, "debugger eval code" ANY "*") ||
               matches(strip_trailer(rest), "[^ ]" ANY "* line [0-9]+ > " ANY "*:[0-9]+:[0-9]+")) {
      set_opaque(frame, strip_trailer(rest));
      frame.end = at + 1 + frame.url.size();
    } else {
      frame.end = parse_bare(line, at + 1, frame);
      if (frame.end == 0) continue;
    }
    frame.begin = find_name(line, at);
    std::string name = line.substr(frame.begin, at - frame.begin);
    frame.is_async = matches(name, "async (" ANY "*)", &m);
    if (frame.is_async) name = std::string(m[1]);
    if (matches(name, "(" ANY "*\\*)([^*]*)", &m)) {
      frame.decoration = m[1];
      name = std::string(m[2]);
    }
    frame.function = name;
    const bool code = matches(name, "(global|module|eval) code");
    const bool native =
        frame.kind == FrameKind::kOpaque && matches(frame.url, "\\[(native|wasm) code\\]");
    if (code || native || frame.is_async) frame.dialect = Dialect::kJavaScriptCore;
    if (name == "eval code") frame.kind = FrameKind::kOpaque, frame.position.reset();
    if (code) frame.function = "";
    return true;
  }
  return false;
}

bool parse_lone(const std::string& line, TraceFrame& frame) {
  frame = {};
  frame.dialect = Dialect::kJavaScriptCore;
  frame.is_bare = true;
  std::smatch m;
  if (!matches(line, "([ \\t]*)(" ANY "*?)[ \\t\\r]*", &m)) return false;
  const std::string text = m[2];
  frame.begin = static_cast<std::size_t>(m[1].length());
  frame.end = frame.begin + text.size();
  if (text == "[native code]") {
    set_opaque(frame, text);
    return true;
  }
  if (matches(text, "(global|module|eval) code@?")) {
    set_opaque(frame, "");
    return true;
  }
  if (!matches(text, "([^ \\t]*[./\\\\][^ \\t]*):([0-9]+):([0-9]+)", &m)) return false;
  set_place(frame, text, m[1], m[2], m[3]);
  return true;
}

}  // namespace

std::vector<TraceFrame> parse_trace(const std::string& text) {
  std::vector<TraceFrame> frames;
  std::istringstream in(text);
  std::uint32_t index = 0;
  std::size_t begin = 0;
  for (std::string line; std::getline(in, line); ++index) {
    TraceFrame frame;
    const bool is_last = begin + line.size() + 1 >= text.size();
    if (parse_v8(line, is_last, frame) || parse_at_sign(line, frame) || parse_lone(line, frame)) {
      frame.line_index = index;
      frame.begin += begin;
      frame.end += begin;
      frames.push_back(frame);
    }
    begin += line.size() + 1;
  }
  for (std::size_t round = 0; round < frames.size(); ++round) {
    for (std::size_t i = 0; i < frames.size(); ++i) {
      for (std::size_t j = 0; j < frames.size(); ++j) {
        const bool near = frames[i].line_index + 1 == frames[j].line_index ||
                          frames[j].line_index + 1 == frames[i].line_index;
        if (near && frames[i].dialect == Dialect::kJavaScriptCore &&
            frames[j].dialect == Dialect::kSpiderMonkey) {
          frames[j].dialect = Dialect::kJavaScriptCore;
        }
      }
    }
  }
  return frames;
}

std::string describe(const TraceFrame& frame) {
  std::ostringstream out;
  out << frame.line_index << " [" << frame.begin << "," << frame.end << ") dialect "
      << static_cast<int>(frame.dialect)
      << (frame.kind == FrameKind::kScript ? " script" : " opaque") << " function {"
      << frame.function << "} decoration {" << frame.decoration << "} url {" << frame.url << "}";
  if (frame.position)
    out << " at " << frame.position->line.value() << ":" << frame.position->column.value();
  if (frame.is_async) out << " async";
  if (frame.is_new) out << " new";
  if (frame.is_bare) out << " bare";
  return out.str();
}

TraceFrame to_reference(const trace::Frame& frame) {
  return {frame.begin,
          frame.end,
          frame.line_index,
          frame.dialect,
          frame.kind,
          std::string(frame.function),
          std::string(frame.decoration),
          std::string(frame.url),
          frame.position,
          frame.is_async,
          frame.is_new,
          frame.is_bare};
}

}  // namespace twofold::reference
