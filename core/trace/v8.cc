// V8: `    at async new Type.method [as alias] (location)`, `    at location`.
//
// The same lines come from Hermes (see hermes.cc), from Internet Explorer and old Edge, from
// PhantomJS (line only) and from React Native (no blank before the bracket).
//
// The location is the first bracketed part, with the brackets inside it balanced, that is one.
// Brackets in paths need not balance; then it goes from the first ` (` to the last `)` behind two
// numbers. A line without its `)` is a frame unless the text ends there: a log that was cut may
// have lost digits.
#include "core/trace/dialects.h"
#include "core/trace/location.h"

namespace twofold::trace {
namespace {

constexpr std::size_t kNone = std::string_view::npos;
constexpr std::string_view kAt = "at ";
constexpr std::string_view kAnonymous = "<anonymous>";

bool is_promise_index(std::string_view inside) {
  constexpr std::string_view kIndex = "index ";
  if (!inside.starts_with(kIndex) || inside.size() == kIndex.size()) return false;
  return inside.find_first_not_of("0123456789", kIndex.size()) == kNone;
}

// What stands in the brackets instead of a location with numbers.
bool is_opaque_text(std::string_view inside) {
  return inside == kAnonymous || inside == "native" || inside == "[native code]" ||
         inside == "unknown location" || inside.starts_with("eval at ") ||
         is_promise_index(inside) || is_wasm_location(inside);
}

bool is_line_only(const Place& place) {
  return place.number_count == 1 && is_path_like(place.url);
}

// Reads what the brackets hold. A line without a column needs a blank before its bracket: Java
// prints `at a.b(C.java:48)`.
bool parse_inside(std::string_view inside, bool after_blank, Frame& frame) {
  if (parse_hermes_location(inside, frame)) return true;
  if (is_opaque_text(inside)) {
    set_opaque(inside, frame);
    return true;
  }
  const Place place = parse_place(inside);
  if (place.number_count != 2 && !(after_blank && is_line_only(place))) return false;
  if (!could_name_script(place.url)) return false;
  set_location(inside, place, frame);
  return true;
}

struct Brackets {
  std::size_t open;   // of '('
  std::size_t close;  // of ')', or where the text ends without one
};

// The first balanced `(...)` that holds a location. One pass.
std::optional<Brackets> find_balanced(std::string_view body, Frame& frame) {
  std::size_t depth = 0;
  std::size_t open = 0;
  for (std::size_t at = body.find('('); at < body.size(); ++at) {
    if (body[at] == '(') {
      if (depth++ == 0) open = at;
    } else if (body[at] == ')' && depth > 0 && --depth == 0) {
      const bool after_blank = open == 0 || body[open - 1] == ' ';
      const std::string_view inside = body.substr(open + 1, at - open - 1);
      if (parse_inside(inside, after_blank, frame)) return Brackets{open, at};
    }
  }
  return std::nullopt;
}

// The last `)` behind two numbers and after `open`; else the end of the line, if it has two.
std::size_t find_close(std::string_view body, std::size_t open, bool is_last_of_text) {
  for (std::size_t close = body.rfind(')'); close != kNone && close > open;
       close = body.rfind(')', close - 1)) {
    if (parse_place(body.substr(0, close)).number_count == 2) return close;
  }
  return is_last_of_text ? kNone : without_trailer(body).size();
}

// From the first ` (` to the last `)`, without regard to what is between.
std::optional<Brackets> find_unbalanced(std::string_view body, bool is_last_of_text, Frame& frame) {
  const std::size_t space = body.find(" (");
  if (space == kNone) return std::nullopt;
  const std::size_t open = space + 1;
  const std::size_t close = find_close(body, open, is_last_of_text);
  if (close == kNone || close <= open) return std::nullopt;
  const std::string_view inside = body.substr(open + 1, close - open - 1);
  if (parse_place(inside).number_count != 2 || !parse_inside(inside, true, frame))
    return std::nullopt;
  return Brackets{open, close};
}

bool take_word(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

bool is_nameless(std::string_view name) {
  return name == kAnonymous || name.ends_with(".<anonymous>") || name == "(anonymous function)" ||
         name == "Anonymous function" || name == "global code" || name == "Global code" ||
         name == "module code";
}

void set_name(std::string_view name, Frame& frame) {
  constexpr std::string_view kAlias = " [as ";
  while (!name.empty() && is_blank(name.back())) name.remove_suffix(1);
  frame.is_async = take_word(name, "async ");
  frame.is_new = take_word(name, "new ");
  const std::size_t alias = name.ends_with(']') ? name.rfind(kAlias) : kNone;
  if (alias != kNone) {
    frame.decoration = name.substr(alias + kAlias.size());
    frame.decoration.remove_suffix(1);
    name = name.substr(0, alias);
  }
  frame.function = is_nameless(name) ? std::string_view() : name;
}

// `at location`, `at async location`, `at <anonymous>`.
bool parse_bare(std::string_view line, std::size_t from, Frame& frame) {
  constexpr std::string_view kAsync = "async ";
  frame.is_async = line.substr(from).starts_with(kAsync);
  if (frame.is_async) from += kAsync.size();
  if (without_trailer(line.substr(from)) == kAnonymous) {
    set_opaque(line.substr(from, kAnonymous.size()), frame);
    frame.end = from + kAnonymous.size();
    return true;
  }
  const std::optional<BareLocation> found = BareLocations(line).find_at(from);
  if (!found) return false;
  set_location(line.substr(from, found->end - from), found->place, frame);
  frame.end = found->end;
  return true;
}

// The frame whose `at ` is at `at`.
bool parse_from(const TextLine& line, std::size_t at, Frame& frame) {
  const std::size_t from = at + kAt.size();
  const std::string_view body = line.text.substr(from);
  frame = Frame{};
  frame.begin = at;
  std::optional<Brackets> brackets = find_balanced(body, frame);
  if (!brackets && parse_bare(line.text, from, frame)) return true;
  if (!brackets) brackets = find_unbalanced(body, line.is_last_of_text, frame);
  if (!brackets) return false;
  set_name(body.substr(0, brackets->open), frame);
  if (frame.dialect == Dialect::kHermes) drop_hermes_nameless(frame);
  const bool is_closed = brackets->close < body.size() && body[brackets->close] == ')';
  frame.end = from + brackets->close + (is_closed ? 1 : 0);
  return true;
}

// The last `at ` behind two blanks or a tab: a log prefix keeps the indent of the line behind it.
std::size_t find_indented_at(std::string_view line) {
  std::size_t last = kNone;
  for (std::size_t blank = line.find(' '); blank != kNone; blank = line.find(' ', blank + 1)) {
    if (blank < kAt.size() || line[blank - 1] != 't' || line[blank - 2] != 'a') continue;
    const std::size_t at = blank - 2;
    const bool behind_tab = line[at - 1] == '\t';
    const bool behind_blanks = line[at - 1] == ' ' && at > 1 && is_blank(line[at - 2]);
    if (behind_tab || behind_blanks) last = at;
  }
  return last;
}

// V8 leaves the alias out when the name ends in it.
bool ends_in_alias(std::string_view name, std::string_view alias) {
  if (!name.ends_with(alias)) return false;
  if (name.size() == alias.size()) return true;
  const char before = name[name.size() - alias.size() - 1];
  return before == '.' || before == ' ';
}

}  // namespace

bool parse_v8_line(const TextLine& line, Frame& frame) {
  const std::size_t indent = skip_blanks(line.text);
  const bool starts_here = line.text.substr(indent).starts_with(kAt);
  if (starts_here && parse_from(line, indent, frame)) return true;
  const std::size_t at = find_indented_at(line.text);
  return at != kNone && at > indent && parse_from(line, at, frame);
}

void write_v8_frame(const Frame& frame, const OriginalFrame& original, std::string& out) {
  const std::string_view name = original.function.value_or(std::string_view());
  const bool has_alias = !frame.decoration.empty() && !ends_in_alias(name, frame.decoration);
  const bool has_name = !name.empty() || frame.is_new || has_alias;
  out += kAt;
  if (frame.is_async) out += "async ";
  if (!has_name) return write_place(original, kAnonymous, out);
  if (frame.is_new && !name.starts_with("new ")) out += "new ";
  write_printable(name.empty() ? kAnonymous : name, out);
  if (has_alias) out.append(" [as ").append(frame.decoration).append("]");
  out += " (";
  write_place(original, kAnonymous, out);
  out += ')';
}

}  // namespace twofold::trace
