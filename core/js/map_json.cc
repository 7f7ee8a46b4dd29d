#include "core/js/map_json.h"

#include <simdjson.h>

#include <algorithm>
#include <optional>

#include "core/base/make_room.h"
#include "core/base/utf.h"

namespace twofold::js {
namespace {

namespace ondemand = simdjson::ondemand;
using simdjson::error_code;
using JsonType = ondemand::json_type;

constexpr std::uint64_t kMaxSectionOffset = 0x0FFFFFFF;  // sums of 8 nested ones stay below 2^32

}  // namespace

// Member by member: each keeps its memory for the next map.
void MapFields::clear() {
  is_index_map = false;
  mappings = {};
  mappings_at = 0;
  sources.clear();
  source_root.clear();
  contents.clear();
  names.clear();
  ignored.clear();
  sections.clear();
  file.clear();
  debug_id.clear();
  function_maps = {};
  is_bytecode = false;
}

class MapJson::Impl {
 public:
  Status parse(PaddedView object, Strictness strictness, MapFields& fields) {
    text_ = object.text();
    strictness_ = strictness;
    fields_ = &fields;
    seen_ = {};
    fields.clear();
    make_room();
    if (Status status = check_first_character(); !status) return status;
    const simdjson::padded_string_view padded(text_.data(), text_.size(),
                                              text_.size() + kPaddingBytes);
    is_open_ = false;
    error_code code = parser_.iterate(padded).get(document_);
    if (code != error_code::SUCCESS) return json_fault(code);
    is_open_ = true;
    ondemand::object root;
    code = document_.get_object().get(root);
    if (code != error_code::SUCCESS) return json_fault(code);
    Status status = for_each_field(
        root, [&](std::string_view key, ondemand::value value) { return parse_field(key, value); });
    if (!status) return status;
    if (!document_.at_end()) return Error{Code::kBadJson, here(), "text behind the JSON value"};
    return check_presence();
  }

 private:
  // As much as maps of that size mostly need: a name per 300 to 900 bytes, a source per 4,000 up.
  // What is too much is never touched.
  void make_room() {
    fields_->names.make_room(text_.size() / 256, text_.size() / 32);
    fields_->sources.make_room(text_.size() / 4096, text_.size() / 64);
    twofold::make_room(text_.size() / 4096, fields_->contents);
  }

  struct Seen {
    bool version = false;
    bool sources = false;
    bool mappings = false;
    bool new_ignore_list = false;
  };

  // Tells text that is no map at all from a map that is broken, which the parser reports as the
  // same.
  Status check_first_character() const {
    const std::size_t first = text_.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return Error{Code::kBadJson, 0, "empty"};
    if (text_[first] == '{') return {};
    constexpr std::string_view kFirstOfOtherValues = "[\"tfn-0123456789";
    if (kFirstOfOtherValues.find(text_[first]) == std::string_view::npos) {
      return Error{Code::kBadJson, first, "not JSON"};
    }
    return Error{Code::kBadMap, first, "not a JSON object"};
  }

  // ---- walking JSON
  // -------------------------------------------------------------------------------

  template <class Visit>
  Status for_each_field(ondemand::object& object, Visit visit) {
    for (auto entry : object) {
      ondemand::field field;
      std::string_view key;
      error_code code = std::move(entry).get(field);
      if (code == error_code::SUCCESS) code = field.unescaped_key(true).get(key);
      if (code != error_code::SUCCESS) return json_fault(code);
      if (Status status = visit(key, field.value()); !status) return status;
    }
    return {};
  }

  // A list; in tolerance null counts as an absent one.
  template <class Visit>
  Status for_each_element(ondemand::value& value, const char* field, Visit visit) {
    if (strictness_ == Strictness::kTolerant) {
      JsonType type{};
      if (Status status = read_type(value, type); !status) return status;
      if (type == JsonType::null) return skip(value);
    }
    ondemand::array array;
    error_code code = value.get_array().get(array);
    if (code == error_code::INCORRECT_TYPE) return wrong_type(field, "a list");
    if (code != error_code::SUCCESS) return json_fault(code);
    for (auto item : array) {
      ondemand::value element;
      code = std::move(item).get(
          element);  // NOLINT(performance-move-const-arg): not so in debug builds
      if (code != error_code::SUCCESS) return json_fault(code);
      if (Status status = visit(element); !status) return status;
    }
    return {};
  }

  // Steps over a value that is not ours. Asking for its raw text makes the parser walk it, so that
  // a break inside is found.
  Status skip(ondemand::value& value) {
    std::string_view raw;
    return take_text(value, raw);
  }

  // A value for somebody else to parse.
  Status take_text(ondemand::value& value, std::string_view& out) {
    const error_code code = value.raw_json().get(out);
    return code == error_code::SUCCESS ? Status() : Status(json_fault(code));
  }

  Status read_type(ondemand::value& value, JsonType& type) {
    const error_code code = value.type().get(type);
    return code == error_code::SUCCESS ? Status() : Status(json_fault(code));
  }

  // ---- faults ----

  std::uint64_t offset_of(const char* at) const {
    return std::min<std::uint64_t>(static_cast<std::uint64_t>(at - text_.data()), text_.size());
  }

  // Where the parser stands. Before the text is open the document is that of the map before, or
  // none.
  std::uint64_t here() {
    const char* at = nullptr;
    if (!is_open_) return 0;
    if (document_.current_location().get(at) != error_code::SUCCESS) return text_.size();
    return offset_of(at);
  }

  // Of the first character below U+0020 inside a string: what the parser found, but does not say
  // where.
  std::uint64_t find_control_character() const {
    bool in_string = false;
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if (in_string && text_[i] == '\\') {
        ++i;
      } else if (text_[i] == '"') {
        in_string = !in_string;
      } else if (in_string && static_cast<unsigned char>(text_[i]) < 0x20) {
        return i;
      }
    }
    return text_.size();
  }

  Error wrong_type(const char* field, const char* want) {
    return {Code::kBadMap, here(), std::string("`") + field + "` is not " + want};
  }

  Error json_fault(error_code code) {
    switch (code) {
      case error_code::UTF8_ERROR:
        return {Code::kBadJson, find_bad_utf8(text_), "not UTF-8"};
      case error_code::UNCLOSED_STRING:
        return {Code::kBadJson, text_.size(), "the text ends inside a string"};
      case error_code::UNESCAPED_CHARS:
        return {Code::kBadJson, find_control_character(), "a control character inside a string"};
      case error_code::INCOMPLETE_ARRAY_OR_OBJECT:
        return {Code::kBadJson, text_.size(), "the text does not end with the brace it began with"};
      case error_code::CAPACITY:
      case error_code::MEMALLOC:
        return {Code::kTooLarge, 0, "JSON of 4 GiB or more"};
      default:
        return {Code::kBadJson, here(), simdjson::error_message(code)};
    }
  }

  // ---- fields ----

  Status parse_field(std::string_view key, ondemand::value& value) {
    if (key == "mappings") return parse_mappings(value);
    if (key == "sources") return parse_sources(value);
    if (key == "sourcesContent") return note_contents(value);
    if (key == "names") return parse_names(value);
    if (key == "version") return parse_version(value);
    if (key == "sections") return parse_sections(value);
    if (key == "sourceRoot") return parse_text(value, "sourceRoot", fields_->source_root);
    if (key == "file") return parse_text(value, "file", fields_->file);
    if (key == "debugId" || key == "debug_id") return parse_debug_id(key == "debugId", value);
    if (key == "ignoreList") return parse_ignore_list(value, "ignoreList");
    if (key == "x_google_ignoreList") return parse_ignore_list(value, "x_google_ignoreList");
    if (key == "x_facebook_sources") return take_text(value, fields_->function_maps);
    if (key == "x_hermes_function_offsets") fields_->is_bytecode = true;
    return skip(value);
  }

  Status check_presence() const {
    const auto missing = [](const char* field) {
      return Error{Code::kBadMap, 0, std::string("`") + field + "` is missing"};
    };
    if (!seen_.version) return missing("version");
    if (fields_->is_index_map) {
      if (!seen_.mappings) return {};
      return Error{Code::kBadMap, 0, "both `sections` and `mappings`"};
    }
    if (!seen_.mappings) return missing("mappings");
    if (!seen_.sources) return missing("sources");
    return {};
  }

  Status parse_version(ondemand::value& value) {
    JsonType type{};
    if (Status status = read_type(value, type); !status) return status;
    std::uint64_t version = 0;
    if (type != JsonType::number || value.get_uint64().get(version) != error_code::SUCCESS) {
      return wrong_type("version", "the number 3");
    }
    if (version != 3) {
      return Error{Code::kUnsupportedVersion, here(),
                   "source map version " + std::to_string(version)};
    }
    seen_.version = true;
    return {};
  }

  // A string; null counts as absent.
  Status parse_text(ondemand::value& value, const char* field, std::string& out) {
    JsonType type{};
    if (Status status = read_type(value, type); !status) return status;
    out.clear();
    if (type == JsonType::null) return skip(value);
    std::string_view text;
    const error_code code = value.get_string(true).get(text);
    if (code == error_code::INCORRECT_TYPE) return wrong_type(field, "a string");
    if (code != error_code::SUCCESS) return json_fault(code);
    out = text;
    return {};
  }

  // What is no string is no id; it does not make the map unreadable.
  Status parse_debug_id(bool is_preferred, ondemand::value& value) {
    JsonType type{};
    if (Status status = read_type(value, type); !status) return status;
    if (type != JsonType::string) return skip(value);
    std::string_view id;
    if (error_code code = value.get_string(true).get(id); code != error_code::SUCCESS) {
      return json_fault(code);
    }
    if (is_preferred || fields_->debug_id.empty()) fields_->debug_id = id;
    return {};
  }

  Status parse_mappings(ondemand::value& value) {
    JsonType type{};
    if (Status status = read_type(value, type); !status) return status;
    if (type != JsonType::string) return wrong_type("mappings", "a string");
    seen_.mappings = true;
    const std::string_view token =
        value.raw_json_token();  // runs up to the next structural character
    fields_->mappings_at = offset_of(token.data()) + 1;
    std::string_view text;
    const std::size_t close = token.find_last_of('"');
    if (close != 0 && token.find('\\') == std::string_view::npos) {
      text = token.substr(1, close - 1);  // the usual case: used where it stands
    } else if (error_code code = value.get_string(true).get(text); code != error_code::SUCCESS) {
      return json_fault(code);
    }
    fields_->mappings = text;
    return {};
  }

  Status parse_sources(ondemand::value& value) {
    seen_.sources = true;
    fields_->sources.clear();  // a repeated key replaces the first one, as JSON.parse has it
    return for_each_element(value, "sources", [&](ondemand::value& element) -> Status {
      JsonType type{};
      if (Status status = read_type(element, type); !status) return status;
      if (type == JsonType::null) {
        fields_->sources.add("");
        return skip(element);
      }
      std::string_view text;
      const error_code code = element.get_string(true).get(text);
      if (code == error_code::INCORRECT_TYPE) return wrong_type("sources[]", "a string or null");
      if (code != error_code::SUCCESS) return json_fault(code);
      fields_->sources.add(text);
      return {};
    });
  }

  // Strings or null; never a look inside the strings, which are three quarters of a map.
  Status note_contents(ondemand::value& value) {
    fields_->contents.clear();
    JsonType list_type{};  // null is common, and no fault in either form
    if (Status status = read_type(value, list_type); !status) return status;
    if (list_type == JsonType::null) return skip(value);
    return for_each_element(value, "sourcesContent", [&](ondemand::value& element) -> Status {
      JsonType type{};
      if (Status status = read_type(element, type); !status) return status;
      if (type != JsonType::string && type != JsonType::null) {
        return wrong_type("sourcesContent[]", "a string or null");
      }
      const bool has_text = type == JsonType::string;
      fields_->contents.push_back(has_text ? element.raw_json_token() : std::string_view());
      return {};
    });
  }

  Status parse_names(ondemand::value& value) {
    fields_->names.clear();
    return for_each_element(value, "names", [&](ondemand::value& element) -> Status {
      std::string_view text;
      error_code code = element.get_string(true).get(text);
      if (code == error_code::INCORRECT_TYPE && strictness_ == Strictness::kTolerant) {
        JsonType type{};
        if (Status status = read_type(element, type); !status) return status;
        if (type == JsonType::number) {
          text = element.raw_json_token();  // 1e3 stays 1e3: a label, not a value
          text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
          fields_->names.add(text);
          return skip(element);
        }
      }
      if (code == error_code::INCORRECT_TYPE) return wrong_type("names[]", "a string");
      if (code != error_code::SUCCESS) return json_fault(code);
      fields_->names.add(text);
      return {};
    });
  }

  // `ignoreList` wins over Chrome's first spelling of it, wherever the two stand.
  Status parse_ignore_list(ondemand::value& value, const char* field) {
    const bool is_new = std::string_view(field) == "ignoreList";
    if (!is_new && seen_.new_ignore_list) return skip(value);
    seen_.new_ignore_list = is_new;
    fields_->ignored.clear();
    return for_each_element(value, field, [&](ondemand::value& element) -> Status {
      JsonType type{};
      if (Status status = read_type(element, type); !status) return status;
      std::int64_t index = 0;
      if (type == JsonType::number && element.get_int64().get(index) == error_code::SUCCESS) {
        fields_->ignored.push_back(index);
        return {};
      }
      if (strictness_ == Strictness::kSpecification) return wrong_type(field, "a list of indexes");
      return skip(element);
    });
  }

  // ---- sections ----

  Status parse_sections(ondemand::value& value) {
    JsonType type{};
    if (Status status = read_type(value, type); !status) return status;
    fields_->sections.clear();
    fields_->is_index_map = type != JsonType::null || strictness_ == Strictness::kSpecification;
    return for_each_element(value, "sections", [&](ondemand::value& element) -> Status {
      ondemand::object section;
      const error_code code = element.get_object().get(section);
      if (code == error_code::INCORRECT_TYPE) return wrong_type("sections[]", "an object");
      if (code != error_code::SUCCESS) return json_fault(code);
      return parse_section(section);
    });
  }

  struct SectionParts {
    std::optional<std::uint64_t> line;
    std::optional<std::uint64_t> column;
    std::optional<std::string_view> map;
    bool has_url = false;
  };

  Status parse_section(ondemand::object& section) {
    SectionParts parts;
    Status status = for_each_field(section, [&](std::string_view key, ondemand::value value) {
      if (key == "offset") return parse_offset(value, parts);
      if (key == "map") return parse_section_map(value, parts);
      parts.has_url = parts.has_url || key == "url";
      return skip(value);
    });
    if (!status) return status;
    if (!parts.map && parts.has_url) {
      return Error{Code::kUnsupported, here(), "a section has a `url`; put the map itself in"};
    }
    if (!parts.line || !parts.column || !parts.map) {
      return Error{Code::kBadMap, here(),
                   "a section needs `offset.line`, `offset.column` and `map`"};
    }
    const std::uint64_t at = offset_of(parts.map->data());
    if (*parts.line > kMaxSectionOffset || *parts.column > kMaxSectionOffset) {
      return Error{Code::kBadSection, at, "a section offset out of range"};
    }
    const Position offset{Line(static_cast<std::uint32_t>(*parts.line)),
                          Utf16Column(static_cast<std::uint32_t>(*parts.column))};
    if (!fields_->sections.empty() && offset <= fields_->sections.back().offset) {
      return Error{Code::kBadSection, at, "sections overlap or are out of order"};
    }
    fields_->sections.push_back({*parts.map, offset});
    return {};
  }

  Status parse_section_map(ondemand::value& value, SectionParts& parts) {
    ondemand::object map;
    error_code code = value.get_object().get(map);
    if (code == error_code::INCORRECT_TYPE) return wrong_type("sections[].map", "an object");
    std::string_view raw;
    if (code == error_code::SUCCESS) code = map.raw_json().get(raw);
    if (code != error_code::SUCCESS) return json_fault(code);
    parts.map = raw;
    return {};
  }

  Status parse_offset(ondemand::value& value, SectionParts& parts) {
    ondemand::object offset;
    const error_code code = value.get_object().get(offset);
    if (code == error_code::INCORRECT_TYPE) return wrong_type("sections[].offset", "an object");
    if (code != error_code::SUCCESS) return json_fault(code);
    return for_each_field(offset, [&](std::string_view key, ondemand::value number) -> Status {
      if (key != "line" && key != "column") return skip(number);
      std::uint64_t parsed = 0;
      if (number.get_uint64().get(parsed) != error_code::SUCCESS) {
        return wrong_type(key == "line" ? "offset.line" : "offset.column", "a number from 0");
      }
      (key == "line" ? parts.line : parts.column) = parsed;
      return {};
    });
  }

  ondemand::parser parser_;
  ondemand::document document_;
  bool is_open_ = false;  // document_ belongs to text_
  std::string_view text_;
  Strictness strictness_ = Strictness::kTolerant;
  MapFields* fields_ = nullptr;
  Seen seen_;
};

static_assert(kPaddingBytes >= simdjson::SIMDJSON_PADDING);

MapJson::MapJson() : impl_(std::make_unique<Impl>()) {}
MapJson::~MapJson() = default;
MapJson::MapJson(MapJson&&) noexcept = default;
MapJson& MapJson::operator=(MapJson&&) noexcept = default;

Status MapJson::parse(PaddedView object, Strictness strictness, MapFields& fields) {
  return impl_->parse(object, strictness, fields);
}

}  // namespace twofold::js
