// Case-insensitive comparison of ASCII text: URL schemes, hex digits, debug ids.
#pragma once

#include <string_view>

namespace twofold {

[[nodiscard]] constexpr char to_lower_ascii(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
[[nodiscard]] constexpr bool equal_ignoring_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (to_lower_ascii(a[i]) != to_lower_ascii(b[i])) return false;
  }
  return true;
}
[[nodiscard]] constexpr bool starts_with_ignoring_case(std::string_view text,
                                                       std::string_view head) {
  return text.size() >= head.size() && equal_ignoring_case(text.substr(0, head.size()), head);
}
[[nodiscard]] constexpr bool ends_with_ignoring_case(std::string_view text, std::string_view tail) {
  return text.size() >= tail.size() &&
         equal_ignoring_case(text.substr(text.size() - tail.size()), tail);
}

}  // namespace twofold
