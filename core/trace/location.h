// A location as engines print it: any text, `:line`, `:column`. Shared by the dialects.
//
// Read from its end, because only the end has a grammar: a URL holds colons, '@', blanks and
// brackets. Decides what names a script, what is opaque and what is prose; knows nothing of what
// stands before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/trace/trace.h"

namespace twofold::trace {

[[nodiscard]] constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

// The first blank at or after `from`, else the size. (A plain loop: `find_first_of` calls memchr
// for every character, which was a fifth of the parsing time.)
[[nodiscard]] constexpr std::size_t find_blank(std::string_view text, std::size_t from = 0) {
  while (from < text.size() && !is_blank(text[from])) ++from;
  return from;
}
[[nodiscard]] constexpr std::size_t skip_blanks(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && is_blank(text[at])) ++at;
  return at;
}
// Has what a path has: a dot or a slash.
[[nodiscard]] bool is_path_like(std::string_view text);

// `url:line:column`, `url:line` or `url`. A number beyond 32 bits counts, but has no value.
struct Place {
  std::string_view url;
  std::uint8_t number_count = 0;
  std::optional<std::uint32_t> line;
  std::optional<std::uint32_t> column;
};
// Cost: the digits at the end.
[[nodiscard]] Place parse_place(std::string_view text);

// Printed numbers to a position. Engines count both from 1.
[[nodiscard]] std::optional<Position> to_position(const Place& place);

// `text` without what may follow a location that no bracket closes: blanks, '\r', the brackets,
// commas and quotes of a dumped object (node: `at app.js:1:5 {`), terminal colours.
[[nodiscard]] std::string_view without_trailer(std::string_view text);

// Text that could name a script, unlike the `12` of 12:30:45 or the date of a timestamp.
[[nodiscard]] bool could_name_script(std::string_view url);

// Opaque by its name alone: `node:fs`, `<anonymous>`, `webpack-internal:///./a.js`.
[[nodiscard]] bool is_opaque_url(std::string_view url);

[[nodiscard]] bool is_wasm_location(std::string_view text);

// A location that no bracket delimits. It goes on to the end of the line (less a trailer) if it
// starts as a path does, with a slash before its first blank; else to the end of its first word.
struct BareLocation {
  Place place;
  std::size_t end = 0;  // offset in the line
};
// A line's end is read once, so that trying every start in the line costs no more than the line.
class BareLocations {
 public:
  explicit BareLocations(std::string_view line);
  // The location that starts at `from`, if one does. Cost: the word at `from`.
  [[nodiscard]] std::optional<BareLocation> find_at(std::size_t from) const;
  [[nodiscard]] bool line_ends_in_position() const { return last_.number_count == 2; }

 private:
  std::string_view line_;
  std::size_t end_;
  Place last_;  // its url starts with the line
};

// Sets kind, url and position from a location that has been accepted.
void set_location(std::string_view text, const Place& place, Frame& frame);
void set_opaque(std::string_view text, Frame& frame);

// SpiderMonkey: where ` line 26 > eval` starts in `app.js line 26 > eval line 2 > eval:1:30`.
[[nodiscard]] std::optional<std::size_t> find_eval_mark(std::string_view text);

// Appends `file:line:column`, without the numbers that are unknown.
void write_place(const OriginalFrame& original, std::string_view nameless, std::string& out);
// Appends with control characters as '?'.
void write_printable(std::string_view text, std::string& out);

}  // namespace twofold::trace
