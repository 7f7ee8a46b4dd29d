// The names of scripts that React Native gives to the pieces of a bundle: a module of a RAM bundle,
// which is loaded when first required, or a segment, which is loaded when the app asks for it.
//
//   12.js       module 12
//   seg-3.js    segment 3
//   seg-3_5.js  module 5 of segment 3, which is a RAM bundle
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace twofold::js {

struct BundleModule {
  std::uint32_t segment = 0;  // 0: the bundle itself
  std::optional<std::uint32_t> module;
};

// `file_name`: without folders. No value: it is no such name. Scripts of other tools may be called
// `12.js` too, so this is no proof.
[[nodiscard]] std::optional<BundleModule> parse_module_name(std::string_view file_name);

}  // namespace twofold::js
