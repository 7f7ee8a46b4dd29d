// SpiderMonkey: `name@location`, and the same lines from JavaScriptCore.
//
// The '@' is the first one of its word, because a URL may hold others (`/npm/@scope/x.js?a@b`);
// words are tried in order, so an address in a log prefix does no harm. The name is the word before
// it, longer only for what engines print with a blank: `global code`, `get x`, brackets. Cutting a
// name short loses nothing, as the rest stays in the line; taking a log prefix for a name would
// lose it.
//   setTimeout handler*f@...       f was called asynchronously; the star ends what scheduled it
//   f/<@..., a.b/c[d]/<@...        nameless function inside f; kept as printed
//   f@app.js line 1 > eval:1:48    the numbers are inside the evaluated text
//   @debugger eval code:1:1        typed into the console
#include "core/trace/dialects.h"
#include "core/trace/location.h"

namespace twofold::trace {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

struct TwoWords {
  std::string_view first;
  std::string_view second;  // how the second word starts
};
constexpr TwoWords kTwoWordNames[] = {
    {"global", "code"},
    {"eval", "code"},
    {"module", "code"},
    {"get", ""},
    {"set", ""},
    {"async", ""},
    {"promise", "callback*"},
    {"setTimeout", "handler*"},
    {"setInterval", "handler*"},
};

bool is_one_of(char c, std::string_view set) {
  return set.find(c) != kNone;
}

// Where the word that ends at `end` begins, with blanks inside brackets. A quote or a bracket that
// opens outside of them starts a word, as in `"stack": "f@app.js:1:2"`. Brackets without a partner,
// or around the '@' of an earlier word, count for nothing.
std::size_t find_word_begin(std::string_view line, std::size_t end) {
  std::size_t depth = 0;
  std::size_t at = end;
  for (; at > 0 && line[at - 1] != '@'; --at) {
    const char c = line[at - 1];
    if (depth == 0 && is_one_of(c, " \t([\"'`")) return at;
    if (c == ')' || c == ']') ++depth;
    if (c == '(' || c == '[') --depth;
  }
  if (at == 0 && depth == 0) return 0;
  std::size_t begin = end;
  while (begin > 0 && !is_blank(line[begin - 1])) --begin;
  return begin;
}

std::size_t find_name_begin(std::string_view line, std::size_t at_sign) {
  const std::size_t begin = find_word_begin(line, at_sign);
  const std::string_view word = line.substr(begin, at_sign - begin);
  if (word.empty() || begin == 0 || line[begin - 1] != ' ') return begin;
  const std::string_view before = line.substr(0, begin - 1);
  for (const TwoWords& rule : kTwoWordNames) {
    if (!before.ends_with(rule.first) || !word.starts_with(rule.second)) continue;
    const std::size_t first = before.size() - rule.first.size();
    if (first == 0 || is_one_of(before[first - 1], " \t\"'`")) return first;
  }
  return begin;
}

// Reads locations behind the '@'s of one line. What needs the whole line is read once.
class LocationReader {
 public:
  explicit LocationReader(std::string_view line)
      : line_(line), bare_(line), eval_mark_(find_eval_mark(line)) {}

  bool parse_at(std::size_t from, Frame& frame) const {
    const std::string_view rest = line_.substr(from);
    for (const std::string_view native : {"[native code]", "[wasm code]"}) {
      if (rest.starts_with(native)) return accept_opaque(from, native.size(), frame);
    }
    const bool in_eval =
        eval_mark_ && from < *eval_mark_ && bare_.line_ends_in_position() && rest.front() != ' ';
    if (in_eval || rest.starts_with("debugger eval code")) {
      return accept_opaque(from, without_trailer(rest).size(), frame);
    }
    const std::optional<BareLocation> found = bare_.find_at(from);
    if (!found) return false;
    set_location(line_.substr(from, found->end - from), found->place, frame);
    frame.end = found->end;
    return true;
  }

 private:
  bool accept_opaque(std::size_t from, std::size_t size, Frame& frame) const {
    set_opaque(line_.substr(from, size), frame);
    frame.end = from + size;
    return true;
  }

  std::string_view line_;
  BareLocations bare_;
  std::optional<std::size_t> eval_mark_;
};

void set_name(std::string_view name, Frame& frame) {
  constexpr std::string_view kAsync = "async ";  // JavaScriptCore's
  if (name.starts_with(kAsync)) {
    frame.is_async = true;
    name.remove_prefix(kAsync.size());
  }
  const std::size_t star = name.rfind('*');
  if (star != kNone) {
    frame.decoration = name.substr(0, star + 1);
    name.remove_prefix(star + 1);
  }
  frame.function = name;
}

}  // namespace

bool parse_spider_monkey_line(const TextLine& line, Frame& frame) {
  const std::string_view text = line.text;
  std::size_t at = text.find('@');
  if (at == kNone) return false;
  const LocationReader reader(text);
  while (at != kNone && at + 1 < text.size()) {
    frame = Frame{};
    if (reader.parse_at(at + 1, frame)) {
      frame.begin = find_name_begin(text, at);
      frame.dialect = Dialect::kSpiderMonkey;
      set_name(text.substr(frame.begin, at - frame.begin), frame);
      return true;
    }
    at = text.find('@', find_blank(text, at));
  }
  return false;
}

void write_spider_monkey_frame(const Frame& frame, const OriginalFrame& original,
                               std::string& out) {
  out += frame.decoration;
  write_printable(original.function.value_or(std::string_view()), out);
  out += '@';
  write_place(original, {}, out);
}

}  // namespace twofold::trace
