#include "core/symbolicate/paths.h"

#include <optional>
#include <vector>

namespace twofold {
namespace {

bool is_slash(char c) {
  return c == '/' || c == '\\';
}

// Takes the last component off `path`; `.` and empty ones are stepped over. No value at the start.
std::optional<std::string_view> take_last(std::string_view& path) {
  while (!path.empty()) {
    const std::string_view last = base_name(path);
    path.remove_suffix(last.size());
    if (!path.empty()) path.remove_suffix(1);
    if (!last.empty() && last != ".") return last;
  }
  return std::nullopt;
}

}  // namespace

std::string_view without_query_and_fragment(std::string_view url) {
  return url.substr(0, url.find_first_of("?#"));
}

std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string_view folder_of(std::string_view path) {
  return path.substr(0, path.size() - base_name(path).size());
}

std::size_t count_common_tail(std::string_view a, std::string_view b) {
  std::size_t common = 0;
  for (;; ++common) {
    const auto from_a = take_last(a);
    const auto from_b = take_last(b);
    if (!from_a || !from_b || *from_a != *from_b) return common;
  }
}

std::string resolve_beside(std::string_view base, std::string_view url) {
  const std::size_t colon = url.find(':');
  const bool has_scheme = colon != std::string_view::npos && url.find_first_of("/\\?#") > colon;
  if (has_scheme || (!url.empty() && is_slash(url.front()))) return std::string(url);
  std::string path(folder_of(base));
  for (std::size_t at = 0; at < url.size();) {
    const std::size_t end = std::min(url.find_first_of("/\\", at), url.size());
    const std::string_view part = url.substr(at, end - at);
    at = end + 1;
    const std::string_view parent =
        base_name(std::string_view(path).substr(0, path.empty() ? 0 : path.size() - 1));
    if (part == "." || part.empty()) continue;
    if (part == ".." && !parent.empty() && parent != ".." && parent != ".") {
      path.resize(path.size() - 1 - parent.size());
      continue;
    }
    path += part;
    if (end < url.size()) path += '/';
  }
  return path;
}

bool same_path(std::string_view a, std::string_view b) {
  if (a.empty() != b.empty()) return false;
  if (!a.empty() && is_slash(a.front()) != is_slash(b.front())) return false;
  for (;;) {
    const auto from_a = take_last(a);
    const auto from_b = take_last(b);
    if (from_a != from_b) return false;
    if (!from_a) return true;
  }
}

}  // namespace twofold
