#include "core/trace/location.h"

#include <algorithm>
#include <charconv>

namespace twofold::trace {
namespace {

// Prefixes of locations that no source map serves. Node before 16 printed its own files as
// `internal/...`.
constexpr std::string_view kOpaquePrefixes[] = {
    "<anonymous>",
    "node:",
    "webpack-internal:",
    "wasm:",
    "[native code]",
    "[wasm code]",
    "native:",
    "[eval]",
    "[stdin]",
    "[worker eval]",
    "evalmachine.<anonymous>",
    "eval code",
    "debugger eval code",
    "Unknown script code",
    "self-hosted",
    "internal:",
    "bun:",
    "ext:",
    "extensions::",
    "internal/bootstrap/",
    "internal/main/",
    "internal/modules/",
    "internal/process/",
    "internal/timers.js",
    "electron/js2c/",
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Takes `:digits` off the end of `text`.
bool take_number(std::string_view& text, std::optional<std::uint32_t>& value) {
  std::size_t first = text.size();
  while (first > 0 && is_digit(text[first - 1])) --first;
  if (first == text.size() || first == 0 || text[first - 1] != ':') return false;
  std::uint32_t number = 0;
  const auto [stop, error] =
      std::from_chars(text.data() + first, text.data() + text.size(), number);
  value.reset();
  if (error == std::errc()) value = number;
  text = text.substr(0, first - 1);
  return true;
}

// The size of a terminal colour (ESC [ 3 9 m) at the end of `text`, or 0.
std::size_t colour_size(std::string_view text) {
  if (text.empty() || text.back() != 'm') return 0;
  std::size_t at = text.size() - 1;
  while (at > 0 && (is_digit(text[at - 1]) || text[at - 1] == ';')) --at;
  const bool escaped = at >= 2 && text[at - 1] == '[' && text[at - 2] == '\x1b';
  return escaped ? text.size() - at + 2 : 0;
}

bool is_slash(char c) {
  return c == '/' || c == '\\';
}

bool has_slash(std::string_view text) {
  return std::any_of(text.begin(), text.end(), is_slash);
}

bool is_trailer(char c) {
  return is_blank(c) || std::string_view("\r,;{}[])\"'`").find(c) != std::string_view::npos;
}

bool is_bare_location(std::string_view first_word, const Place& place) {
  if (place.number_count == 2) return could_name_script(first_word);
  if (place.number_count == 1) return first_word.find("://") != std::string_view::npos;
  return is_wasm_location(place.url);
}

}  // namespace

Place parse_place(std::string_view text) {
  Place place;
  std::optional<std::uint32_t> last;
  if (take_number(text, last)) {
    place.number_count = 1;
    if (take_number(text, place.line)) {
      place.number_count = 2;
      place.column = last;
    } else {
      place.line = last;
    }
  }
  place.url = text;
  return place;
}

std::optional<Position> to_position(const Place& place) {
  if (!place.line || !place.column) return std::nullopt;
  const std::optional<Line> line = to_line(OneBasedLine(*place.line));
  const std::optional<Utf16Column> column = to_column(OneBasedColumn(*place.column));
  if (!line || !column) return std::nullopt;
  return Position{*line, *column};
}

std::string_view without_trailer(std::string_view text) {
  for (;;) {
    while (!text.empty() && is_trailer(text.back())) text.remove_suffix(1);
    const std::size_t colour = colour_size(text);
    if (colour == 0) return text;
    text.remove_suffix(colour);
  }
}

bool is_path_like(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return c == '.' || is_slash(c); });
}

bool could_name_script(std::string_view url) {
  if (url.empty() || is_blank(url.front())) return false;
  const bool is_doubtful = is_digit(url.front()) || url.front() == '(';
  return !is_doubtful || is_path_like(url);
}

bool is_opaque_url(std::string_view url) {
  if (url.empty()) return false;
  for (const std::string_view prefix : kOpaquePrefixes) {
    if (url.front() == prefix.front() && url.starts_with(prefix)) return true;
  }
  return url == "InternalBytecode.js";  // Hermes' own library
}

bool is_wasm_location(std::string_view text) {
  return text.find("wasm-function[") != std::string_view::npos;
}

BareLocations::BareLocations(std::string_view line) : line_(line) {
  const std::string_view rest = without_trailer(line);
  end_ = rest.size();
  last_ = parse_place(rest);
}

std::optional<BareLocation> BareLocations::find_at(std::size_t from) const {
  const std::string_view word = line_.substr(from, find_blank(line_, from) - from);
  const std::size_t url_end = last_.url.size();
  if (from < url_end && last_.number_count > 0) {
    const bool has_blank = from + word.size() < url_end;
    const std::string_view first_word = word.substr(0, url_end - from);
    Place place = last_;
    place.url.remove_prefix(from);
    if ((!has_blank || has_slash(word)) && is_bare_location(first_word, place)) {
      return BareLocation{place, end_};
    }
  }
  const std::string_view stripped = without_trailer(word);
  const Place place = parse_place(stripped);
  const bool goes_on = from + stripped.size() != end_;
  if (goes_on && place.number_count > 0 && !has_slash(word)) return std::nullopt;
  if (!is_bare_location(place.url, place)) return std::nullopt;
  return BareLocation{place, from + stripped.size()};
}

void set_location(std::string_view text, const Place& place, Frame& frame) {
  if (place.number_count == 0 || is_opaque_url(place.url)) return set_opaque(text, frame);
  frame.kind = FrameKind::kScript;
  frame.url = place.url;
  frame.position = to_position(place);
}

void set_opaque(std::string_view text, Frame& frame) {
  frame.kind = FrameKind::kOpaque;
  frame.url = text;
  frame.position.reset();
}

std::optional<std::size_t> find_eval_mark(std::string_view text) {
  constexpr std::string_view kLine = " line ";
  constexpr std::string_view kMark = " > ";
  for (std::size_t at = text.find('>'); at != std::string_view::npos; at = text.find('>', at + 1)) {
    if (at == 0 || text.substr(at - 1, kMark.size()) != kMark) continue;
    std::size_t digits = at - 1;
    while (digits > 0 && is_digit(text[digits - 1])) --digits;
    const bool has_number = digits < at - 1;
    if (has_number && text.substr(0, digits).ends_with(kLine)) return digits - kLine.size();
  }
  return std::nullopt;
}

void write_printable(std::string_view text, std::string& out) {
  for (const char c : text) {
    const bool is_control = static_cast<unsigned char>(c) < 0x20 || c == '\x7f';
    out += is_control ? '?' : c;
  }
}

void write_place(const OriginalFrame& original, std::string_view nameless, std::string& out) {
  if (!original.file) {
    out += nameless;
    return;
  }
  write_printable(*original.file, out);
  if (original.line.value() == 0) return;
  out += ':';
  out += std::to_string(original.line.value());
  if (original.column.value() == 0) return;
  out += ':';
  out += std::to_string(original.column.value());
}

}  // namespace twofold::trace
