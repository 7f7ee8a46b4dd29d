// Texts made to hurt a scanner of JavaScript: one piece over and over, in part closed again behind
// the middle, so that what nests is deep and what is not valid cannot be told early. Each is looked
// for a time that grows faster than the text.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace twofold::test {

struct HostileText {
  const char* open;
  const char* middle = "";
  const char* close = "";  // empty: nothing is closed

  // As many of each as fit, about `size_bytes` in all.
  [[nodiscard]] std::string write(std::size_t size_bytes) const;
};

[[nodiscard]] std::span<const HostileText> hostile_texts();

}  // namespace twofold::test
