// XXH64, a 64-bit checksum that runs at the speed of memory (the XXH64 algorithm of the xxHash
// specification, seed 0). Finds accidents: torn writes, bad disks, cut downloads. Not for secrets.
#pragma once

#include <cstdint>

#include "core/base/bytes.h"

namespace twofold {

[[nodiscard]] std::uint64_t xxh64(ByteView bytes);

}  // namespace twofold
