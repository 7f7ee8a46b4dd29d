// Bearer tokens: who may do what, in which project.
//
//   projects:
//     shop:
//       read: [a-long-random-text]
//       upload: ["sha256:9f86d081884c7d65..."]    # the hash alone: the file keeps no secret
//
// A token is never compared as text. Its SHA-256 is compared with every hash there is, each in
// constant time and all of them, so that the time tells neither how much of a token is right nor
// where in the file it stands.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace twofold::http {

enum class Right : std::uint8_t { kRead = 1, kUpload = 2 };

class Tokens {
 public:
  using Hash = std::array<std::uint8_t, 32>;

  // No tokens: everybody has every right in the project `default`.
  Tokens() = default;

  // Errors: kUsage with the line; also for a file without any token, which would open what
  // somebody meant to close, and for a token of two projects.
  [[nodiscard]] static Result<Tokens> parse(std::string_view yaml);

  [[nodiscard]] bool is_anonymous() const { return entries_.empty(); }

  struct Grant {
    std::string_view project;  // of these tokens
    bool can_read = false;
    bool can_upload = false;
  };
  // By an Authorization header. No value: not a token of ours. Any thread.
  [[nodiscard]] std::optional<Grant> find(std::string_view authorization) const;

 private:
  struct Entry {
    Hash hash;
    std::string project;
    std::uint8_t rights;
  };
  [[nodiscard]] Status add(std::string_view project, Right right, std::string_view token);

  std::vector<Entry> entries_;
};

// 1 to 64 of [A-Za-z0-9_-].
[[nodiscard]] bool is_project_name(std::string_view name);

[[nodiscard]] Tokens::Hash hash_token(std::string_view token);

}  // namespace twofold::http
