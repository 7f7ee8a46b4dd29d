#include "native/http/tokens.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <algorithm>
#include <memory>

#include "core/base/ascii.h"
#include "native/config/yaml.h"

namespace twofold::http {
namespace {

constexpr std::string_view kHashed = "sha256:";
constexpr std::size_t kShortestTokenBytes = 16;

std::optional<Tokens::Hash> parse_hash(std::string_view hex) {
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
  };
  Tokens::Hash hash{};
  if (hex.size() != hash.size() * 2) return std::nullopt;
  for (std::size_t i = 0; i < hash.size(); ++i) {
    const int high = digit(hex[2 * i]);
    const int low = digit(hex[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    hash[i] = static_cast<std::uint8_t>(high * 16 + low);
  }
  return hash;
}

using Kind = config::YamlNode::Kind;

}  // namespace

bool is_project_name(std::string_view name) {
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

Tokens::Hash hash_token(std::string_view token) {
  // Looked up once: finding an algorithm by name takes longer than hashing a token.
  static const EVP_MD* const sha256 = EVP_sha256();
  thread_local const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(
      EVP_MD_CTX_new(), EVP_MD_CTX_free);
  Tokens::Hash hash{};
  unsigned size_bytes = 0;
  const bool is_done = context != nullptr &&
                       EVP_DigestInit_ex2(context.get(), sha256, nullptr) == 1 &&
                       EVP_DigestUpdate(context.get(), token.data(), token.size()) == 1 &&
                       EVP_DigestFinal_ex(context.get(), hash.data(), &size_bytes) == 1;
  if (!is_done) hash.fill(0xFF);  // the hash of nothing that anybody knows
  return hash;
}

Result<Tokens> Tokens::parse(std::string_view yaml) {
  auto parsed = config::parse_yaml(yaml);
  if (!parsed) return parsed.error();
  const config::YamlNode& root = parsed.value();
  if (root.kind != Kind::kMap || root.fields.size() != 1 || root.fields[0].first != "projects" ||
      root.fields[0].second.kind != Kind::kMap) {
    return config::at_line(root.line == 0 ? 1 : root.line, "expected `projects` and nothing else");
  }
  Tokens tokens;
  for (const auto& [project, rights] : root.fields[0].second.fields) {
    if (!is_project_name(project)) {
      return config::at_line(rights.line, "a project is called 1 to 64 of [A-Za-z0-9_-]");
    }
    if (rights.kind != Kind::kMap) return config::at_line(rights.line, "expected `read`, `upload`");
    for (const auto& [name, list] : rights.fields) {
      if ((name != "read" && name != "upload") || list.kind != Kind::kList) {
        return config::at_line(list.line, "expected a list of tokens below `read` or `upload`");
      }
      for (const config::YamlNode& token : list.items) {
        const Status status =
            token.kind == Kind::kScalar
                ? tokens.add(project, name == "read" ? Right::kRead : Right::kUpload, token.scalar)
                : Status(Error{Code::kUsage, kNoOffset, "a token is text"});
        if (!status) return config::at_line(token.line, status.error().detail);
      }
    }
  }
  if (tokens.is_anonymous()) return config::at_line(1, "no token at all");
  return tokens;
}

Status Tokens::add(std::string_view project, Right right, std::string_view token) {
  Hash hash{};
  if (token.starts_with(kHashed)) {
    const auto parsed = parse_hash(token.substr(kHashed.size()));
    if (!parsed) return Error{Code::kUsage, kNoOffset, "sha256: and 64 hexadecimal digits"};
    hash = *parsed;
  } else {
    if (token.size() < kShortestTokenBytes) {
      return Error{Code::kUsage, kNoOffset, "a token has at least 16 characters"};
    }
    hash = hash_token(token);
  }
  for (Entry& entry : entries_) {
    if (entry.hash != hash) continue;
    if (entry.project != project) {
      return Error{Code::kUsage, kNoOffset, "the token of another project as well"};
    }
    entry.rights = static_cast<std::uint8_t>(entry.rights | static_cast<std::uint8_t>(right));
    return {};
  }
  entries_.push_back({hash, std::string(project), static_cast<std::uint8_t>(right)});
  return {};
}

std::optional<Tokens::Grant> Tokens::find(std::string_view authorization) const {
  if (is_anonymous()) return Grant{"default", true, true};
  constexpr std::string_view kBearer = "bearer ";
  if (authorization.size() <= kBearer.size() ||
      !equal_ignoring_case(authorization.substr(0, kBearer.size()), kBearer)) {
    return std::nullopt;
  }
  const Hash hash = hash_token(authorization.substr(kBearer.size()));
  const Entry* found = nullptr;
  for (const Entry& entry : entries_) {
    if (CRYPTO_memcmp(entry.hash.data(), hash.data(), hash.size()) == 0) found = &entry;
  }
  if (found == nullptr) return std::nullopt;
  return Grant{found->project, (found->rights & static_cast<std::uint8_t>(Right::kRead)) != 0,
               (found->rights & static_cast<std::uint8_t>(Right::kUpload)) != 0};
}

}  // namespace twofold::http
