#include "core/symbolicate/request.h"

#include <simdjson.h>

#include <algorithm>

#include "core/base/utf.h"
#include "core/symbolicate/json.h"

namespace twofold {
namespace {

namespace ondemand = simdjson::ondemand;
using simdjson::error_code;
using JsonType = ondemand::json_type;

constexpr std::size_t kSmallestCapacityBytes = 4096;

// Where the first value of `text` ends; the size when it does not.
std::size_t find_end_of_value(std::string_view text) {
  std::size_t depth = 0;
  bool is_in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (is_in_string) {
      if (c == '\\') ++at;
      is_in_string = c != '"';
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && depth > 0) {
      --depth;
    } else if (c == '"') {
      is_in_string = true;
      continue;
    } else {
      continue;
    }
    if (!is_in_string && depth == 0) return at + 1;
  }
  return text.size();
}

}  // namespace

class RequestReader::Impl {
 public:
  Result<TraceRequest> parse(PaddedView record) {
    text_ = record.text();
    is_open_ = false;
    request_ = {};
    has_trace_ = false;
    if (const Status status = check_first_character(); !status) return status.error();
    // The parser grows to what it is given, never back; a size asked for at once saves it steps.
    if (parser_.capacity() < text_.size() || parser_.capacity() == 0) {
      const error_code code = parser_.allocate(std::max(text_.size(), kSmallestCapacityBytes));
      if (code != error_code::SUCCESS) return fault(code);
    }
    const simdjson::padded_string_view padded(text_.data(), text_.size(),
                                              text_.size() + kPaddingBytes);
    if (const error_code code = parser_.iterate(padded).get(document_);
        code != error_code::SUCCESS) {
      return fault(code);
    }
    is_open_ = true;
    const Status status = is_string_ ? read_string() : read_object();
    if (!status) return status.error();
    if (!document_.at_end()) return fault(error_code::TRAILING_CONTENT);
    return request_;
  }

 private:
  Status check_first_character() {
    const std::size_t first = text_.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return Error{Code::kBadJson, 0, "empty"};
    is_string_ = text_[first] == '"';
    if (is_string_ || text_[first] == '{') return {};
    return Error{Code::kBadJson, first, "expected an object with `trace`, or a string"};
  }

  Status read_string() {
    const error_code code = document_.get_string(true).get(request_.trace);
    return code == error_code::SUCCESS ? Status() : fault(code);
  }

  Status read_object() {
    ondemand::object root;
    if (const error_code code = document_.get_object().get(root); code != error_code::SUCCESS) {
      return fault(code);
    }
    for (auto entry : root) {
      ondemand::field field;
      std::string_view key;
      error_code code = std::move(entry).get(field);
      if (code == error_code::SUCCESS) code = field.unescaped_key(true).get(key);
      if (code != error_code::SUCCESS) return fault(code);
      if (Status status = read_field(key, field.value()); !status) return status;
    }
    if (has_trace_) return {};
    return Error{Code::kBadJson, text_.find('{'), "no `trace`"};
  }

  Status read_field(std::string_view key, ondemand::value value) {
    const std::uint64_t at = here();
    if (key == "trace") {
      has_trace_ = true;
      const error_code code = value.get_string(true).get(request_.trace);
      if (code == error_code::INCORRECT_TYPE) {
        return Error{Code::kBadJson, at, "`trace` is no string"};
      }
      return code == error_code::SUCCESS ? Status() : fault(code);
    }
    if (key == "context") return read_context(value, at);
    // Stepped over, but read as far as its type goes: `{"a":nonsense}` is no JSON.
    JsonType type{};
    if (const error_code code = value.type().get(type); code != error_code::SUCCESS) {
      return fault(code);
    }
    return {};
  }

  Status read_context(ondemand::value value, std::uint64_t at) {
    JsonType type{};
    if (const error_code code = value.type().get(type); code != error_code::SUCCESS) {
      return fault(code);
    }
    if (type == JsonType::null) return {};
    std::uint64_t lines = 0;
    const error_code code = value.get_uint64().get(lines);
    if (code != error_code::SUCCESS || lines > 0xFFFFFFFF) {
      return Error{Code::kBadJson, at, "`context` is no number of lines"};
    }
    request_.context_lines = static_cast<std::uint32_t>(lines);
    return {};
  }

  [[nodiscard]] Error fault(error_code code) const {
    if (code == error_code::UTF8_ERROR) {
      return {Code::kBadJson, find_bad_utf8(text_), "not UTF-8"};
    }
    // Found by the pass over the whole text, which does not say where: the text ends in a string.
    if (code == error_code::UNCLOSED_STRING && !is_open_) {
      return {Code::kBadJson, text_.size(), "ends inside a string"};
    }
    if (const auto trailing = find_trailing()) {
      return {Code::kBadJson, *trailing, "text behind the JSON value"};
    }
    // Seen at the last character before the first is read.
    const bool is_cut = code == error_code::INCOMPLETE_ARRAY_OR_OBJECT;
    return {Code::kBadJson, is_cut ? text_.size() : here(), simdjson::error_message(code)};
  }

  [[nodiscard]] std::optional<std::uint64_t> find_trailing() const {
    const std::size_t at = text_.find_first_not_of(" \t\r\n", find_end_of_value(text_));
    return at == std::string_view::npos ? std::nullopt : std::optional<std::uint64_t>(at);
  }

  // Where the parser stands; the end of the text once it has left it.
  [[nodiscard]] std::uint64_t here() const {
    const char* at = nullptr;
    auto& document =
        const_cast<ondemand::document&>(document_);  // `current_location` moves nothing
    if (!is_open_ || document.current_location().get(at) != error_code::SUCCESS) {
      return is_open_ ? text_.size() : 0;
    }
    return std::min<std::uint64_t>(static_cast<std::uint64_t>(at - text_.data()), text_.size());
  }

  ondemand::parser parser_;
  ondemand::document document_;
  std::string_view text_;
  TraceRequest request_;
  bool is_open_ = false;
  bool is_string_ = false;
  bool has_trace_ = false;
};

RequestReader::RequestReader() : impl_(std::make_unique<Impl>()) {}
RequestReader::~RequestReader() = default;
RequestReader::RequestReader(RequestReader&&) noexcept = default;
RequestReader& RequestReader::operator=(RequestReader&&) noexcept = default;

Result<TraceRequest> RequestReader::parse(PaddedView record) {
  return impl_->parse(record);
}

std::string to_json(const Error& error) {
  std::string out = "{\"error\":{\"code\":\"";
  out += to_string(error.code);
  out += '"';
  if (error.offset != kNoOffset) out += ",\"offset\":" + std::to_string(error.offset);
  out += ",\"detail\":";
  write_json_string(error.detail, out);
  out += "}}";
  return out;
}

}  // namespace twofold
