#include "native/store/credentials.h"

#include <algorithm>

#include "native/os/file.h"

namespace twofold::storage {
namespace {

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::string value_or(const Variables& variables, const char* name, std::string otherwise) {
  const auto value = variables(name);
  return value && !value->empty() ? *value : otherwise;
}

}  // namespace

std::optional<Credentials> parse_credentials(std::string_view text, std::string_view profile) {
  Credentials found;
  bool is_inside = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trim(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    if (line.front() == '[') {
      is_inside = line.ends_with(']') && trim(line.substr(1, line.size() - 2)) == profile;
      continue;
    }
    const std::size_t equals = line.find('=');
    if (!is_inside || equals == std::string_view::npos) continue;
    const std::string_view key = trim(line.substr(0, equals));
    const std::string_view value = trim(line.substr(equals + 1));
    if (key == "aws_access_key_id") found.access_key = value;
    if (key == "aws_secret_access_key") found.secret_key = value;
    if (key == "aws_session_token") found.session_token = value;
  }
  if (found.access_key.empty() || found.secret_key.empty()) return std::nullopt;
  return found;
}

Result<Credentials> find_credentials(const Variables& variables) {
  Credentials own{value_or(variables, "AWS_ACCESS_KEY_ID", ""),
                  value_or(variables, "AWS_SECRET_ACCESS_KEY", ""),
                  value_or(variables, "AWS_SESSION_TOKEN", "")};
  if (!own.access_key.empty() && !own.secret_key.empty()) return own;
  const std::string path = value_or(variables, "AWS_SHARED_CREDENTIALS_FILE",
                                    value_or(variables, "HOME", "") + "/.aws/credentials");
  const std::string profile = value_or(variables, "AWS_PROFILE", "default");
  const auto text = os::read_file(path);
  if (!text) {
    return Error{Code::kUsage, kNoOffset,
                 "no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give a "
                 "credentials file (" +
                     text.error().detail + ")",
                 path};
  }
  if (auto found = parse_credentials(text.value().text(), profile)) return *found;
  return Error{Code::kUsage, kNoOffset, "profile `" + profile + "` has no keys", path};
}

}  // namespace twofold::storage
