#include "core/js/source_texts.h"

#include "core/js/json_unescape.h"

namespace twofold::js {

void SourceTexts::assign(const SourceMap& map) {
  free_ = nullptr;
  texts_.assign(map.contents.begin(), map.contents.end());
  is_escaped_.assign(texts_.size(), 1);
}

void SourceTexts::assign(std::span<const std::string_view> texts) {
  texts_.assign(texts.begin(), texts.end());
  is_escaped_.assign(texts_.size(), 0);
}

void SourceTexts::make_room() {
  std::size_t size_bytes = kUnescapeSlackBytes;
  for (const std::string_view text : texts_) size_bytes += text.size();
  if (capacity_bytes_ < size_bytes) {
    bytes_.reset();  // first, so that the two are never there at once
    bytes_.reset(new char[size_bytes]);
    capacity_bytes_ = size_bytes;
  }
  free_ = bytes_.get();
}

void SourceTexts::unescape(std::size_t source) {
  if (free_ == nullptr) make_room();
  is_escaped_[source] = 0;
  std::string_view& text = texts_[source];
  const std::size_t close = text.find_last_of('"');  // what follows it is white space
  if (text.empty() || close == 0) {
    text = {};
    return;
  }
  char* const to = unescape_json(text.substr(1, close - 1), free_);
  text = to == nullptr ? std::string_view()
                       : std::string_view(free_, static_cast<std::size_t>(to - free_));
  if (to != nullptr) free_ = to;
}

}  // namespace twofold::js
