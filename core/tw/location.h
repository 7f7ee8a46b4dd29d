// The answer to one position, with views into the file it came from.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/units.h"
#include "core/tw/layout.h"

namespace twofold::tw {

struct Location {
  std::optional<std::string_view> file;      // no value: the map does not name the source
  std::optional<std::string_view> function;  // no value: the file does not tell
  OneBasedLine line;                         // never 0
  OneBasedColumn column;                     // UTF-16; 0: unknown
  std::uint32_t file_index = kNone;          // kNone without a file
  std::uint32_t function_index = kNone;      // kNone without a function
  std::uint32_t caller = 0;                  // 0: not inlined; else for View::find_caller
};

}  // namespace twofold::tw
