// Fields of JSON test data, for tests that trust it: a missing field is a broken test and reads as
// empty.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace twofold::test {

using Json = simdjson::dom::element;

[[nodiscard]] inline bool is_null(const Json& object, std::string_view key) {
  Json value;
  return object[key].get(value) != simdjson::SUCCESS || value.is_null();
}
[[nodiscard]] inline std::string text_of(const Json& value) {
  std::string_view text;
  return value.get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}
[[nodiscard]] inline std::string text_of(const Json& object, std::string_view key) {
  Json value;
  return object[key].get(value) == simdjson::SUCCESS ? text_of(value) : std::string();
}
[[nodiscard]] inline std::uint32_t number_of(const Json& object, std::string_view key) {
  std::uint64_t number = 0;
  if (object[key].get(number) != simdjson::SUCCESS) return 0;
  return static_cast<std::uint32_t>(number);
}
[[nodiscard]] inline bool is_true(const Json& object, std::string_view key) {
  bool value = false;
  return object[key].get(value) == simdjson::SUCCESS && value;
}
// An empty list when there is none.
[[nodiscard]] inline std::vector<Json> list_of(const Json& object, std::string_view key) {
  std::vector<Json> items;
  simdjson::dom::array list;
  if (object[key].get(list) != simdjson::SUCCESS) return items;
  for (const Json item : list) items.push_back(item);
  return items;
}

}  // namespace twofold::test
