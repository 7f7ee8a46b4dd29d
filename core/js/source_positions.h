// The line indexes of a map's source texts, each made when it is first needed.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/js/text_positions.h"

namespace twofold::js {

// Borrows the texts. Not thread-safe.
class SourcePositions {
 public:
  explicit SourcePositions(std::span<const std::string_view> texts)
      : texts_(texts), positions_(texts.size()) {}

  // "" for a source beyond them.
  [[nodiscard]] std::string_view text(std::size_t source) const {
    return source < texts_.size() ? texts_[source] : std::string_view();
  }
  // Precondition: there is a text.
  [[nodiscard]] const TextPositions& of(std::size_t source) {
    std::unique_ptr<TextPositions>& made = positions_[source];
    if (made == nullptr) made = std::make_unique<TextPositions>(texts_[source]);
    return *made;
  }

 private:
  std::span<const std::string_view> texts_;
  std::vector<std::unique_ptr<TextPositions>> positions_;
};

}  // namespace twofold::js
