#include "tests/reference/slow_map.h"

#include <simdjson.h>

#include <string>

namespace twofold::reference {
namespace {

namespace dom = simdjson::dom;

// Value of a base64 digit by searching for it in the alphabet.
int digit_value(char c) {
  static constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::size_t at = kAlphabet.find(c);
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

struct Numbers {
  long long values[5] = {};
  std::size_t count = 0;
};

// The numbers of one segment. No value: a character or a number is not right, or there are too
// many.
std::optional<Numbers> decode_numbers(std::string_view segment) {
  Numbers numbers;
  std::size_t at = 0;
  while (at < segment.size()) {
    unsigned long long value = 0;
    unsigned long long weight = 1;  // of the next digit; stops growing above what 32 bits can need
    for (;;) {
      if (at == segment.size()) return std::nullopt;
      const int digit = digit_value(segment[at++]);
      if (digit < 0) return std::nullopt;
      value += static_cast<unsigned long long>(digit % 32) * weight;
      if (value > 0xFFFFFFFFull) return std::nullopt;
      if (weight <= 0xFFFFFFFFull) weight *= 32;
      if (digit < 32) break;
    }
    if (numbers.count == 5) return std::nullopt;
    const bool is_negative = value % 2 == 1;
    const auto magnitude = static_cast<long long>(value / 2);
    const long long smallest = -2147483648LL;  // -0 stands for it
    numbers.values[numbers.count++] = !is_negative     ? magnitude
                                      : magnitude == 0 ? smallest
                                                       : -magnitude;
  }
  return numbers;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool fits(long long value) {
  return value >= 0 && value <= 0x7FFFFFFF;
}

std::string with_root(const std::string& root, const std::string& source) {
  if (root.empty() || source.empty()) return source;
  if (source[0] == '/' || source[0] == '\\') return source;
  for (const char c : source) {  // a scheme or drive: a colon before any other separator
    if (c == ':') return source;
    if (c == '/' || c == '\\' || c == '?' || c == '#') break;
  }
  return root.back() == '/' ? root + source : root + "/" + source;
}

// The last field called `key`, as JSON.parse has it; null counts as none.
std::optional<dom::element> last_field(const dom::object& object, std::string_view key) {
  std::optional<dom::element> found;
  for (const auto field : object) {
    if (field.key == key) found = field.value;
  }
  return found && found->is_null() ? std::nullopt : found;
}

std::string text_or_empty(std::optional<dom::element> element) {
  std::string_view text;
  if (!element || element->get_string().get(text) != simdjson::SUCCESS) return {};
  return std::string(text);
}

struct Place {
  unsigned long long line = 0;
  unsigned long long column = 0;
};
bool is_before(unsigned long long line, unsigned long long column, const Place& end) {
  return line < end.line || (line == end.line && column < end.column);
}

using Segments = std::vector<SlowSegment>;

bool read_object(const dom::object& map, Place start, std::optional<Place> end, bool is_section,
                 Segments& out);

bool read_plain(const dom::object& map, Place start, std::optional<Place> end, bool is_section,
                Segments& out) {
  const std::string root = text_or_empty(last_field(map, "sourceRoot"));
  std::vector<std::string> sources;
  std::vector<std::string> names;
  dom::array list;
  if (const auto field = last_field(map, "sources")) {
    if (field->get_array().get(list)) return false;
    for (const dom::element source : list) {
      sources.push_back(with_root(root, text_or_empty(source)));
    }
  }
  if (const auto field = last_field(map, "names")) {
    if (field->get_array().get(list)) return false;
    for (const dom::element name : list) names.push_back(text_or_empty(name));
  }
  const auto mappings = last_field(map, "mappings");
  if (!mappings || !mappings->is_string()) return false;
  auto decoded = slow_decode_mappings(text_or_empty(mappings), sources, names);
  if (!decoded) return false;

  bool opens = false;
  Segments placed;
  for (SlowSegment segment : *decoded) {
    const unsigned long long line = segment.line + start.line;
    const unsigned long long column = segment.column + (segment.line == 0 ? start.column : 0);
    if (end && !is_before(line, column, *end)) continue;
    segment.line = static_cast<std::uint32_t>(line);
    segment.column = static_cast<std::uint32_t>(column);
    if (line == start.line && column == start.column) opens = true;
    placed.push_back(segment);
  }
  if (is_section && !opens && (!end || is_before(start.line, start.column, *end))) {
    SlowSegment opening;
    opening.line = static_cast<std::uint32_t>(start.line);
    opening.column = static_cast<std::uint32_t>(start.column);
    out.push_back(opening);
  }
  out.insert(out.end(), placed.begin(), placed.end());
  return true;
}

bool read_index(const dom::array& sections, Place start, std::optional<Place> end, Segments& out) {
  struct Section {
    Place at;
    dom::object map;
  };
  std::vector<Section> list;
  for (const dom::element element : sections) {
    dom::object section;
    dom::object offset;
    dom::object map;
    std::uint64_t line = 0;
    std::uint64_t column = 0;
    if (element.get_object().get(section)) return false;
    const auto offset_field = last_field(section, "offset");
    const auto map_field = last_field(section, "map");
    if (!offset_field || offset_field->get_object().get(offset)) return false;
    if (!map_field || map_field->get_object().get(map)) return false;
    const auto line_field = last_field(offset, "line");
    const auto column_field = last_field(offset, "column");
    if (!line_field || line_field->get_uint64().get(line)) return false;
    if (!column_field || column_field->get_uint64().get(column)) return false;
    list.push_back({{start.line + line, column + (line == 0 ? start.column : 0)}, map});
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    std::optional<Place> until = end;
    if (i + 1 < list.size()) {
      const Place next = list[i + 1].at;
      if (!until || is_before(next.line, next.column, *until)) until = next;
    }
    if (!read_object(list[i].map, list[i].at, until, true, out)) return false;
  }
  return true;
}

// Recursion is fine here: the tests nest eight levels.
bool read_object(const dom::object& map, Place start, std::optional<Place> end, bool is_section,
                 Segments& out) {
  if (const auto sections = last_field(map, "sections")) {
    dom::array list;
    return sections->get_array().get(list) == simdjson::SUCCESS &&
           read_index(list, start, end, out);
  }
  return read_plain(map, start, end, is_section, out);
}

}  // namespace

std::optional<Segments> slow_decode_mappings(std::string_view mappings,
                                             const std::vector<std::string>& sources,
                                             const std::vector<std::string>& names) {
  Segments segments;
  long long source = 0;
  long long original_line = 0;
  long long original_column = 0;
  long long name = 0;
  const auto lines = split(mappings, ';');
  for (std::size_t line = 0; line < lines.size(); ++line) {
    if (lines[line].empty()) continue;
    long long column = 0;
    for (const std::string_view text : split(lines[line], ',')) {
      const auto numbers = decode_numbers(text);
      if (!numbers) return std::nullopt;
      const std::size_t count = numbers->count;
      if (count != 1 && count != 4 && count != 5) return std::nullopt;
      SlowSegment segment;
      column += numbers->values[0];
      if (!fits(column)) return std::nullopt;
      segment.line = static_cast<std::uint32_t>(line);
      segment.column = static_cast<std::uint32_t>(column);
      if (count >= 4) {
        source += numbers->values[1];
        original_line += numbers->values[2];
        original_column += numbers->values[3];
        if (source < 0 || source >= static_cast<long long>(sources.size())) return std::nullopt;
        if (!fits(original_column) || original_line > 0x7FFFFFFF || original_line < -0x7FFFFFFF) {
          return std::nullopt;
        }
        if (count == 5) {
          name += numbers->values[4];
          if (name < 0 || name >= static_cast<long long>(names.size())) return std::nullopt;
          segment.name = names[static_cast<std::size_t>(name)];
        }
        segment.is_mapped = original_line >= 0;  // Hermes writes -1 for "no source"
        if (segment.is_mapped) {
          segment.source = sources[static_cast<std::size_t>(source)];
          segment.original_line = static_cast<std::uint32_t>(original_line);
          segment.original_column = static_cast<std::uint32_t>(original_column);
        } else {
          segment.name.reset();
        }
      }
      segments.push_back(segment);
    }
  }
  return segments;
}

std::optional<Segments> slow_read_map(std::string_view json) {
  if (json.substr(0, 3) == "\xEF\xBB\xBF") json.remove_prefix(3);
  if (json.substr(0, 4) == ")]}'") {
    const std::size_t line_end = json.find('\n');
    if (line_end == std::string_view::npos) return std::nullopt;
    json.remove_prefix(line_end + 1);
  }
  dom::parser parser;
  dom::object root;
  if (parser.parse(json.data(), json.size()).get_object().get(root)) return std::nullopt;
  Segments segments;
  if (!read_object(root, {}, std::nullopt, false, segments)) return std::nullopt;
  return segments;
}

}  // namespace twofold::reference
