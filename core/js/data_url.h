// Decodes `data:` URLs (RFC 2397), as sourceMappingURL comments hold them.
#pragma once

#include <string_view>

#include "core/base/padded.h"
#include "core/base/result.h"

namespace twofold::js {

[[nodiscard]] bool is_data_url(std::string_view url);

// The payload of a data: URL, any media type and charset; base64 with or without padding, or
// percent-encoded. The scheme and `base64` in any case.
// Errors: kBadUrl with the offset in `url` of what does not decode.
[[nodiscard]] Result<PaddedBuffer> decode_data_url(std::string_view url);

// `%41` to `A`. A stray `%` stays as it is (as browsers do).
[[nodiscard]] std::string decode_percent(std::string_view text);

}  // namespace twofold::js
