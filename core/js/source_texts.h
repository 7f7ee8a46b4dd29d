// The texts of a map's sources (sourcesContent), unescaped.
//
// Three quarters of a map are these texts, and most of its readers do not need them: the map reader
// notes where they stand, and this turns each into text when somebody asks for it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/js/source_map.h"

namespace twofold::js {

// Keeps its memory for the next map. Not thread-safe.
class SourceTexts {
 public:
  SourceTexts() = default;
  // Texts that are texts already.
  explicit SourceTexts(std::span<const std::string_view> texts) { assign(texts); }

  // The texts of another map, whose JSON must be alive. Nothing is read yet.
  void assign(const SourceMap& map);
  void assign(std::span<const std::string_view> texts);

  // How many sources may have a text.
  [[nodiscard]] std::size_t size() const { return texts_.size(); }
  // The text of a source; "" where it has none, and for a source beyond them. An escaped lone
  // surrogate becomes U+FFFD, which is one UTF-16 unit as well; a text with a broken escape is as
  // good as none. Valid until the next `assign`. The first time: one pass over the text.
  [[nodiscard]] std::string_view text(std::size_t source) {
    if (source >= texts_.size()) return {};
    if (is_escaped_[source] != 0) unescape(source);
    return texts_[source];
  }

 private:
  void make_room();
  void unescape(std::size_t source);

  std::vector<std::string_view> texts_;
  std::vector<std::uint8_t> is_escaped_;  // per source: its text is still the JSON string
  // Room for all texts, so that none moves. Not initialised: what nobody reads costs no page.
  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_bytes_ = 0;
  char* free_ = nullptr;  // null: nothing was read yet
};

}  // namespace twofold::js
