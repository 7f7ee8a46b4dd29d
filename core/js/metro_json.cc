#include "core/js/metro_json.h"

#include <simdjson.h>

#include <algorithm>
#include <charconv>

namespace twofold::js {
namespace {

namespace ondemand = simdjson::ondemand;
using simdjson::SUCCESS;

constexpr std::string_view kOffsets = "x_facebook_offsets";
constexpr std::string_view kSegments = "x_facebook_segments";

simdjson::padded_string_view to_simdjson(PaddedView json) {
  const std::string_view text = json.text();
  return simdjson::padded_string_view(text.data(), text.size(), text.size() + kPaddingBytes);
}

// ---- function maps ----

bool read_names(ondemand::value value, StringList& names) {
  names.clear();
  ondemand::array list;
  if (value.get_array().get(list) != SUCCESS) return false;
  for (auto item : list) {
    std::string_view name;
    if (item.get_string(true).get(name) != SUCCESS) return false;
    names.add(name);
  }
  return true;
}

// `{"names":[...],"mappings":"..."}`, in any order.
void read_function_map(ondemand::object object, std::uint32_t source, FunctionMaps& maps) {
  StringList names;
  std::string_view mappings;
  bool has_names = false;
  for (auto field : object) {
    std::string_view key;
    ondemand::value value;
    if (field.unescaped_key(true).get(key) != SUCCESS) return;
    if (field.value().get(value) != SUCCESS) return;
    if (key == "names") {
      has_names = read_names(value, names);
    } else if (key == "mappings") {
      if (value.get_string(true).get(mappings) != SUCCESS) return;
    }
  }
  if (has_names) maps.add(source, names, mappings);
}

// The entry of one source: null, or a list of which the first element is the function map.
void read_source(ondemand::value entry, std::uint32_t source, FunctionMaps& maps) {
  ondemand::array metadata;
  if (entry.get_array().get(metadata) != SUCCESS) return;
  for (auto element : metadata) {
    ondemand::object object;
    if (element.get_object().get(object) == SUCCESS) read_function_map(object, source, maps);
    return;
  }
}

// ---- segments and modules ----

// The text of the value of one key of an object. Of a repeated key the first counts.
std::optional<std::string_view> find_value(ondemand::parser& parser, PaddedView json,
                                           std::string_view key) {
  ondemand::document document;
  if (parser.iterate(to_simdjson(json)).get(document) != SUCCESS) return std::nullopt;
  ondemand::object object;
  if (document.get_object().get(object) != SUCCESS) return std::nullopt;
  ondemand::value value;
  if (object.find_field(key).get(value) != SUCCESS) return std::nullopt;
  std::string_view text;
  if (value.raw_json().get(text) != SUCCESS) return std::nullopt;
  return text;
}

// Adds the members of `{"1":{...},"2":{...}}` whose key is a number.
void list_segments(ondemand::parser& parser, PaddedView segments,
                   std::vector<BundleSegment>& found) {
  ondemand::document document;
  ondemand::object object;
  if (parser.iterate(to_simdjson(segments)).get(document) != SUCCESS) return;
  if (document.get_object().get(object) != SUCCESS) return;
  for (auto field : object) {
    std::string_view key;
    std::string_view map;
    ondemand::value value;
    if (field.unescaped_key(true).get(key) != SUCCESS) return;
    if (field.value().get(value) != SUCCESS || value.raw_json().get(map) != SUCCESS) return;
    std::uint32_t id = 0;
    const auto [stop, error] = std::from_chars(key.data(), key.data() + key.size(), id);
    if (error == std::errc() && stop == key.data() + key.size()) found.push_back({id, map, {}});
  }
}

std::vector<std::optional<Line>> read_lines(ondemand::parser& parser, PaddedView list) {
  std::vector<std::optional<Line>> lines;
  ondemand::document document;
  ondemand::array array;
  if (parser.iterate(to_simdjson(list)).get(document) != SUCCESS) return lines;
  if (document.get_array().get(array) != SUCCESS) return lines;
  for (auto item : array) {
    ondemand::value value;
    if (item.get(value) != SUCCESS) break;
    std::uint64_t line = 0;
    const bool is_line = value.get_uint64().get(line) == SUCCESS && line <= 0x7FFFFFFF;
    lines.push_back(is_line ? std::optional(Line(static_cast<std::uint32_t>(line))) : std::nullopt);
  }
  return lines;
}

}  // namespace

void read_function_maps(PaddedView list, SourceRange sources, FunctionMaps& maps) {
  ondemand::parser parser;
  ondemand::document document;
  ondemand::array entries;
  if (parser.iterate(to_simdjson(list)).get(document) != SUCCESS) return;
  if (document.get_array().get(entries) != SUCCESS) return;
  std::uint32_t index = 0;
  for (auto item : entries) {
    ondemand::value entry;
    if (index == sources.count || item.get(entry) != SUCCESS) return;
    read_source(entry, sources.first + index, maps);  // the loop steps over what it left unread
    ++index;
  }
}

std::vector<BundleSegment> read_segments(PaddedView map) {
  const std::string_view text = map.text();
  const auto has = [&](std::string_view key) { return text.find(key) != std::string_view::npos; };
  std::vector<BundleSegment> found;
  if (!has(kOffsets) && !has(kSegments)) return found;
  const std::string_view object = text.substr(std::min(text.find('{'), text.size()));
  ondemand::parser parser;
  found.push_back({0, object, {}});
  if (const auto segments = find_value(parser, map.part(object), kSegments)) {
    list_segments(parser, map.part(*segments), found);
  }
  for (BundleSegment& segment : found) {
    const auto offsets = find_value(parser, map.part(segment.map), kOffsets);
    if (offsets) segment.module_lines = read_lines(parser, map.part(*offsets));
  }
  return found;
}

}  // namespace twofold::js
