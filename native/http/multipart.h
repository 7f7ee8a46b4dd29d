// multipart/form-data as RFC 7578 and browsers have it: several files in one upload.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace twofold::http {

struct Part {
  std::string name;      // of the form's field
  std::string filename;  // "" unless the part says so
  std::string content_encoding;
  std::string_view content;  // in the body
};

inline constexpr std::size_t kMostParts = 1000;

// `boundary`: of the Content-Type, without the dashes in front. Errors: kUsage for a boundary that
// is none, kTruncated without a closing one, kTooLarge for more than kMostParts; the offset is that
// of the part in `body`. O(body).
[[nodiscard]] Result<std::vector<Part>> parse_multipart(std::string_view body,
                                                        std::string_view boundary);

}  // namespace twofold::http
