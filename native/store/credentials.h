// Keys of an S3-compatible store, from where the AWS tools look for them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace twofold::storage {

struct Credentials {
  std::string access_key;
  std::string secret_key;
  std::string session_token;  // "" for keys that do not expire

  friend bool operator==(const Credentials&, const Credentials&) = default;
};

using Variables = std::function<std::optional<std::string>(const char* name)>;

// AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, with AWS_SESSION_TOKEN if it is set; without them
// the profile AWS_PROFILE (else `default`) of the shared file, AWS_SHARED_CREDENTIALS_FILE or
// ~/.aws/credentials. Errors: kUsage when neither has keys; it says what is missing.
[[nodiscard]] Result<Credentials> find_credentials(const Variables& variables);

// One profile of a shared credentials file (INI: [profile], `key = value`, # and ; comments).
// nullopt: no such profile, or it has no keys.
[[nodiscard]] std::optional<Credentials> parse_credentials(std::string_view text,
                                                           std::string_view profile);

}  // namespace twofold::storage
