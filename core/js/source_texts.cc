#include "core/js/source_texts.h"

#include <simdjson.h>

namespace twofold::js {

std::span<const std::string_view> SourceTexts::read(const SourceMap& map) {
  std::size_t size_bytes = simdjson::SIMDJSON_PADDING;  // the parser writes whole vectors
  for (const std::string_view quoted : map.contents) size_bytes += quoted.size();
  if (bytes_.size() < size_bytes) bytes_.resize(size_bytes);
  texts_.clear();
  texts_.reserve(map.contents.size());

  simdjson::ondemand::parser parser;  // reads nothing, but holds what knows the machine's vectors
  if (map.contents.empty() || parser.allocate(1) != simdjson::SUCCESS) return {};
  std::uint8_t* to = bytes_.data();
  for (const std::string_view quoted : map.contents) {
    std::string_view text;
    if (!quoted.empty()) {
      const auto* const first = reinterpret_cast<const std::uint8_t*>(quoted.data()) + 1;
      const simdjson::ondemand::raw_json_string raw(first);
      // A text with a broken escape is as good as none.
      if (parser.unescape(raw, to, true).get(text) != simdjson::SUCCESS) text = {};
    }
    texts_.push_back(text);
  }
  return texts_;
}

}  // namespace twofold::js
