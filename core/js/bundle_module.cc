#include "core/js/bundle_module.h"

#include <charconv>

namespace twofold::js {
namespace {

// Takes a number off the front of `text`: digits only, 32 bits.
bool take_number(std::string_view& text, std::uint32_t& number) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return true;
}

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

}  // namespace

std::optional<BundleModule> parse_module_name(std::string_view file_name) {
  constexpr std::string_view kExtension = ".js";
  if (!file_name.ends_with(kExtension)) return std::nullopt;
  file_name.remove_suffix(kExtension.size());
  BundleModule found;
  std::uint32_t number = 0;
  if (take(file_name, "seg-")) {
    if (!take_number(file_name, found.segment)) return std::nullopt;
    if (file_name.empty()) return found;
    if (!take(file_name, "_")) return std::nullopt;
  }
  if (!take_number(file_name, number) || !file_name.empty()) return std::nullopt;
  found.module = number;
  return found;
}

}  // namespace twofold::js
