// Names for contents.
#pragma once

#include <string>

#include "core/base/bytes.h"

namespace twofold::storage {

// Hex of 128 bits that tell contents apart (XXH3): accidents, not attacks.
[[nodiscard]] std::string hash_hex(ByteView bytes);

}  // namespace twofold::storage
