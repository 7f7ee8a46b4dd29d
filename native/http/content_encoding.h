// Unpacks bodies: gzip and zstd. A body that would grow beyond what it may is refused while it
// grows: neither its announced size nor its end is waited for.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/padded.h"
#include "core/base/result.h"

namespace twofold::http {

struct InflateLimits {
  std::uint64_t most_bytes = 200 << 20;
  // Times the packed size that the unpacked one may have, beyond the first MiB. JSON of real maps
  // takes up to 30.
  std::uint64_t most_ratio = 200;
};

// "" and identity, gzip and x-gzip, zstd; in any case.
[[nodiscard]] bool is_known_encoding(std::string_view encoding);

// Several members or frames behind each other are one body. Errors: kUnsupported for an encoding,
// kTooLarge for a bomb, kTruncated for a body that breaks off, kBadMagic for damage.
[[nodiscard]] Result<PaddedBuffer> decode_body(std::string_view encoding, PaddedBuffer body,
                                               const InflateLimits& limits);

}  // namespace twofold::http
