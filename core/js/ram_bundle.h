// RAM bundles: React Native's bundles whose modules are loaded when first required, so that an app
// starts without reading all of its code.
//
// An indexed one is one binary file, little-endian: the magic number, the count of modules, the
// size of the startup code; per module id its offset (from the start of the startup code) and its
// size, which counts a zero byte at the end; both 0 for an id without code. Then startup code and
// modules.
//
// A file RAM bundle is a folder: the bundle is the startup code as plain JavaScript, and beside it
// `js-modules` holds `<id>.js` per module and `UNBUNDLE`, a file of just the magic number.
//
// Neither says anything of original code: that is in the composed map (metro_json.h). This reads
// what there is to say about the file itself.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/bytes.h"
#include "core/base/result.h"

namespace twofold::js {

inline constexpr std::uint32_t kRamBundleMagic = 0xFB0BD1E5;

struct RamBundle {
  std::uint32_t module_count = 0;  // with code
  std::string_view startup_code;   // inside the bytes that were read
};

// Errors: kBadMagic; kTruncated, when the table, the startup code or a module is not in the file.
[[nodiscard]] Result<RamBundle> read_ram_bundle(ByteView file);

}  // namespace twofold::js
