#include "core/js/map_reader.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/utf.h"
#include "core/js/metro_json.h"

namespace twofold::js {
namespace {

// A section's column offset counts on its first line only.
Position shifted(Position at, Position by) {
  const std::uint32_t column = at.line.value() == 0 ? by.column.value() : 0;
  return {Line(at.line.value() + by.line.value()), Utf16Column(at.column.value() + column)};
}

std::string_view without_guard(std::string_view text) {
  text = without_bom(text);
  if (!text.starts_with(")]}'")) return text;
  const std::size_t line_end = text.find('\n');
  text.remove_prefix(line_end == std::string_view::npos ? text.size() : line_end + 1);
  return text;
}

// `/a`, `\a`, `https://…`, `webpack://…`, `C:\…`: nothing goes in front of those.
bool is_absolute(std::string_view source) {
  if (source.starts_with('/') || source.starts_with('\\')) return true;
  const std::size_t colon = source.find(':');
  return colon != std::string_view::npos && source.find_first_of("/\\?#") > colon;
}

void add_sources(const MapFields& fields, SourceMap& map) {
  const std::size_t count = fields.sources.size();
  map.sources.make_room(map.sources.size() + count, map.sources.text_bytes() +
                                                        fields.sources.text_bytes() +
                                                        count * (fields.source_root.size() + 1));
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view source = fields.sources[i];
    if (source.empty() || fields.source_root.empty() || is_absolute(source)) {
      map.sources.add(source);
      continue;
    }
    std::string joined = fields.source_root;
    if (!joined.ends_with('/')) joined += '/';
    joined += source;
    map.sources.add(joined);
  }
}

// What is listed beyond the sources belongs to none.
void add_contents(const MapFields& fields, std::size_t source_base, SourceMap& map) {
  if (fields.contents.empty()) return;
  map.contents.resize(source_base);
  const std::size_t count = std::min(fields.contents.size(), fields.sources.size());
  map.contents.insert(map.contents.end(), fields.contents.begin(),
                      fields.contents.begin() + static_cast<std::ptrdiff_t>(count));
}

Status mark_ignored(const MapFields& fields, Strictness strictness, SourceMap& map) {
  const std::size_t source_base = map.is_ignored.size();
  map.is_ignored.resize(map.sources.size(), false);
  for (const std::int64_t index : fields.ignored) {
    if (index >= 0 && static_cast<std::uint64_t>(index) < fields.sources.size()) {
      map.is_ignored[source_base + static_cast<std::size_t>(index)] = true;
    } else if (strictness == Strictness::kSpecification) {
      return Error{Code::kBadMap, 0, "`ignoreList` names a source that is not listed"};
    }
  }
  return {};
}

void push_sections(const MapSection& parent, const MapFields& fields,
                   std::vector<MapSection>& todo) {
  const auto& sections = fields.sections;
  for (std::size_t i = sections.size(); i-- > 0;) {  // in reverse: the worklist is a stack
    MapSection child{sections[i].map, shifted(sections[i].offset, parent.start), parent.end,
                     parent.depth + 1};
    if (i + 1 < sections.size()) {
      const Position next = shifted(sections[i + 1].offset, parent.start);
      if (!child.end || next < *child.end) child.end = next;
    }
    todo.push_back(child);
  }
}

// Moves the segments from `first` on to where their section is, and cuts what the next section
// owns. A position in a section before its first segment belongs to that section, so the one before
// must not answer it: an unmapped segment opens the section.
void place_section(const MapSection& section, std::size_t first, std::uint32_t source_base,
                   std::uint32_t name_base, std::vector<Segment>& segments) {
  bool starts_mapped = false;
  std::size_t kept = first;
  for (std::size_t i = first; i < segments.size(); ++i) {
    Segment segment = segments[i];
    segment.generated = shifted(segment.generated, section.start);
    if (section.end && segment.generated >= *section.end) continue;
    if (segment.source != kNoIndex) segment.source += source_base;
    if (segment.name != kNoIndex) segment.name += name_base;
    starts_mapped = starts_mapped || segment.generated == section.start;
    segments[kept++] = segment;
  }
  segments.resize(kept);
  if (!starts_mapped && (!section.end || section.start < *section.end)) {
    Segment opening;
    opening.generated = section.start;
    segments.insert(segments.begin() + static_cast<std::ptrdiff_t>(first), opening);
  }
}

// The sources of a map that is about to be added.
SourceRange next_sources(const SourceMap& map, const MapFields& fields) {
  return {static_cast<std::uint32_t>(map.sources.size()),
          static_cast<std::uint32_t>(fields.sources.size())};
}

// Decodes one plain map and adds it to `map`; says whether the segments came in order.
Result<DecodedMappings> add_map(const MapSection& section, MapFields& fields, Strictness strictness,
                                SourceMap& map) {
  const auto source_base = static_cast<std::uint32_t>(map.sources.size());
  const auto name_base = static_cast<std::uint32_t>(map.names.size());
  add_sources(fields, map);
  add_contents(fields, source_base, map);
  const MappingBounds bounds{fields.sources.size(), fields.names.size(), strictness};
  if (map.names.size() == 0) {
    std::swap(map.names, fields.names);  // the usual case: a plain map
  } else {
    for (std::size_t i = 0; i < fields.names.size(); ++i) map.names.add(fields.names[i]);
  }
  if (Status status = mark_ignored(fields, strictness, map); !status) return status.error();

  const std::size_t first = map.segments.size();
  auto decoded = decode_mappings(fields.mappings, bounds, map.segments);
  if (!decoded) {
    Error error = std::move(decoded).error();
    error.offset += fields.mappings_at;
    return error;
  }
  if (section.depth > 0) place_section(section, first, source_base, name_base, map.segments);
  return decoded;
}

}  // namespace

// Reads the worklist until it is empty. `whole` starts where offsets of errors count from.
Status MapReader::read_sections(PaddedView whole, Strictness strictness, SourceMap& map) {
  MapFields& fields = fields_;
  todo_.clear();
  todo_.push_back({without_guard(whole.text()), {}, std::nullopt, 0});
  bool is_sorted = true;
  while (!todo_.empty()) {
    const MapSection section = todo_.back();
    todo_.pop_back();
    const auto in_whole = [&](Error error) {
      const auto base = static_cast<std::uint64_t>(section.json.data() - whole.text().data());
      if (error.offset != kNoOffset) error.offset += base;
      return error;
    };
    if (Status status = json_.parse(whole.part(section.json), strictness, fields); !status) {
      return in_whole(status.error());
    }
    if (section.depth == 0) {
      map.file = fields.file;
      map.debug_id = fields.debug_id;
    }
    map.is_bytecode = map.is_bytecode || fields.is_bytecode;
    if (fields.is_index_map) {
      if (section.depth == kMaxSectionDepth) {
        return in_whole({Code::kBadSection, 0, "sections nest too deeply"});
      }
      push_sections(section, fields, todo_);
      continue;
    }
    if (!fields.function_maps.empty()) {
      read_function_maps(whole.part(fields.function_maps), next_sources(map, fields),
                         map.function_maps);
    }
    auto added = add_map(section, fields, strictness, map);
    if (!added) return in_whole(std::move(added).error());
    is_sorted = is_sorted && added.value().is_sorted;
  }
  if (!is_sorted) {
    std::stable_sort(map.segments.begin(), map.segments.end(),
                     [](const Segment& a, const Segment& b) { return a.generated < b.generated; });
  }
  return {};
}

void SourceMap::clear() {
  sources.clear();
  contents.clear();
  is_ignored.clear();
  names.clear();
  segments.clear();
  file.clear();
  debug_id.clear();
  function_maps.clear();
  is_bytecode = false;
}

Status MapReader::parse(PaddedView json, Strictness strictness, SourceMap& map) {
  map.clear();
  Status status = read_sections(json, strictness, map);
  if (!status) map.clear();
  return status;
}

std::string find_file_field(PaddedView json) {
  MapJson reader;
  MapFields fields;
  const Status status =
      reader.parse(json.part(without_guard(json.text())), Strictness::kTolerant, fields);
  return status ? fields.file : std::string();
}

bool looks_like_source_map(std::string_view text) {
  text = without_guard(text);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '{') return false;
  const auto has = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
  return has("\"version\"") && (has("\"mappings\"") || has("\"sections\""));
}

}  // namespace twofold::js
