#include "core/js/source_mapping_url.h"

#include "core/js/lexer.h"
#include "core/js/scopes.h"

namespace twofold::js {
namespace {

constexpr std::string_view kUrlKey = "sourceMappingURL";
constexpr std::string_view kIdKeys[] = {"debugId", "debug_id", "chunkId"};

bool is_space(char byte) {
  return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

std::string_view without_leading_space(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && is_space(text[at])) ++at;
  return text.substr(at);
}

// The value of `key = value` at the start of `text`, up to a space; empty if it is not that.
std::string_view value_of(std::string_view text, std::string_view key) {
  if (text.substr(0, key.size()) != key) return {};
  text = without_leading_space(text.substr(key.size()));
  if (text.empty() || text[0] != '=') return {};
  text = without_leading_space(text.substr(1));
  std::size_t size = 0;
  while (size < text.size() && !is_space(text[size])) ++size;
  return text.substr(0, size);
}

}  // namespace

void note_bundle_comment(std::string_view comment, BundleComments& comments) {
  if (comment.size() < 3 || (comment[2] != '#' && comment[2] != '@')) return;
  if (comment[1] == '*' && comment.size() >= 5 && comment.substr(comment.size() - 2) == "*/") {
    comment.remove_suffix(2);
  }
  const std::string_view text = without_leading_space(comment.substr(3));
  if (const std::string_view url = value_of(text, kUrlKey); !url.empty()) {
    comments.source_mapping_url = url;
  }
  for (const std::string_view key : kIdKeys) {
    const bool is_chunk_id = key == "chunkId";
    const std::string_view id = value_of(text, key);
    if (id.empty() || (is_chunk_id && comments.debug_id && !comments.is_chunk_id)) continue;
    comments.debug_id = id;
    comments.is_chunk_id = is_chunk_id;
  }
}

BundleComments find_bundle_comments(std::string_view bundle) {
  return find_functions(bundle).comments;
}

}  // namespace twofold::js
