// Many short strings in one arena: two allocations for all of them instead of one each (babylon.js
// has 27,000 names).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/make_room.h"

namespace twofold {

class StringList {
 public:
  void add(std::string_view text) {
    text_ += text;
    ends_.push_back(text_.size());
  }
  // Room for that much without another allocation.
  void make_room(std::size_t count, std::size_t text_bytes) {
    twofold::make_room(count, ends_);
    twofold::make_room(text_bytes, text_);
  }
  void clear() {
    text_.clear();
    ends_.clear();
  }
  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  [[nodiscard]] std::size_t text_bytes() const { return text_.size(); }
  // Precondition: index < size(). Valid until the next `add`.
  [[nodiscard]] std::string_view operator[](std::size_t index) const {
    const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
    return std::string_view(text_).substr(begin, ends_[index] - begin);
  }

 private:
  std::string text_;
  std::vector<std::size_t> ends_;
};

}  // namespace twofold
