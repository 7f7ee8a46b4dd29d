#include "core/js/source_mapping_url.h"

#include <algorithm>
#include <cstring>

#include "core/js/lexer.h"
#include "core/js/scopes.h"

namespace twofold::js {
namespace {

enum class Key { kNone, kUrl, kDebugId, kChunkId };
struct KeySpelling {
  Key key;
  std::string_view text;
};
constexpr KeySpelling kKeys[] = {{Key::kUrl, "sourceMappingURL"},
                                 {Key::kDebugId, "debugId"},
                                 {Key::kDebugId, "debug_id"},
                                 {Key::kChunkId, "chunkId"}};

bool is_space(char byte) {
  return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

// A line comment ends at the line break, so none is skipped in it.
std::string_view without_leading_space(std::string_view text, bool is_line) {
  std::size_t at = 0;
  while (at < text.size() && is_space(text[at]) &&
         !(is_line && text[at] < ' ' && text[at] != '\t')) {
    ++at;
  }
  return text.substr(at);
}

struct Entry {
  Key key = Key::kNone;
  std::string_view rest;  // the value and whatever follows it
};

// `comment` begins with `//#` or the like and may go on behind its end: O(spaces in it).
Entry parse_key(std::string_view comment) {
  const bool is_line = comment[1] == '/';
  const std::string_view text = without_leading_space(comment.substr(3), is_line);
  for (const KeySpelling& spelling : kKeys) {
    if (text.substr(0, spelling.text.size()) != spelling.text) continue;
    std::string_view rest = without_leading_space(text.substr(spelling.text.size()), is_line);
    if (rest.empty() || rest[0] != '=') return {};
    rest = without_leading_space(rest.substr(1), is_line);
    const bool is_empty = rest.empty() || is_space(rest[0]) || rest.substr(0, 2) == "*/";
    return is_empty ? Entry{} : Entry{spelling.key, rest};
  }
  return {};
}

// `comment` is the comment without what ends it.
void note(std::string_view comment, BundleComments& comments) {
  const Entry entry = parse_key(comment);
  const auto* const end = std::find_if(entry.rest.begin(), entry.rest.end(), is_space);
  const std::string_view value =
      entry.rest.substr(0, static_cast<std::size_t>(end - entry.rest.begin()));
  if (entry.key == Key::kUrl) comments.source_mapping_url = value;
  const bool has_debug_id = comments.debug_id && !comments.is_chunk_id;
  if (entry.key == Key::kDebugId || (entry.key == Key::kChunkId && !has_debug_id)) {
    comments.debug_id = value;
    comments.is_chunk_id = entry.key == Key::kChunkId;
  }
}

// What looks like one of the comments, wherever it stands. Offsets of the `//`; npos: there is
// none.
struct Candidates {
  std::size_t url = std::string_view::npos;
  std::size_t debug_id = std::string_view::npos;
  std::size_t chunk_id = std::string_view::npos;

  std::size_t& of(Key key) {
    return key == Key::kUrl ? url : key == Key::kDebugId ? debug_id : chunk_id;
  }
};

std::string_view line_at(std::string_view text, std::size_t at) {
  const char* const end = skip_to_line_break(text.data() + at, text.data() + text.size());
  return text.substr(at, static_cast<std::size_t>(end - text.data()) - at);
}

// The last of each key whose mark, `#` or `@`, is in [from, to). Keys that are found already stay.
void find_in_part(std::string_view text, std::size_t from, std::size_t to, Candidates& found) {
  Candidates here;
  for (const char mark : {'#', '@'}) {
    std::size_t at = from;
    while (at < to) {
      const void* const hit = std::memchr(text.data() + at, mark, to - at);
      if (hit == nullptr) break;
      at = static_cast<std::size_t>(static_cast<const char*>(hit) - text.data());
      if (at >= 2 && text[at - 2] == '/' && (text[at - 1] == '/' || text[at - 1] == '*')) {
        const Key key = parse_key(text.substr(at - 2)).key;
        if (key != Key::kNone) {
          std::size_t& last = here.of(key);
          last = last == text.npos ? at - 2 : std::max(last, at - 2);
        }
      }
      ++at;
    }
  }
  for (const Key key : {Key::kUrl, Key::kDebugId, Key::kChunkId}) {
    if (found.of(key) == text.npos) found.of(key) = here.of(key);
  }
}

// Reads backwards, as what is looked for is at the end; usually one part is enough.
Candidates find_candidates(std::string_view text) {
  constexpr std::size_t kPartBytes = 16384;
  Candidates found;
  for (std::size_t to = text.size(); to > 0;) {
    const std::size_t from = to > kPartBytes ? to - kPartBytes : 0;
    find_in_part(text, from, to, found);
    if (found.url != text.npos && found.debug_id != text.npos) break;
    to = from;
  }
  return found;
}

// Whether in any valid program a comment begins at `at`. It stands alone at the start of a line, so
// it is in no regular expression; no backtick and no `*/` follows, so no template and no comment
// that began before can end; the line before does not continue a string into this one.
bool is_certain(std::string_view text, std::size_t at) {
  if (text[at + 1] != '/') return false;
  std::size_t before = at;
  while (before > 0 && (text[before - 1] == ' ' || text[before - 1] == '\t')) --before;
  if (before > 0 && text[before - 1] != '\n') return false;
  while (before > 0 && (text[before - 1] == '\n' || text[before - 1] == '\r')) --before;
  if (before > 0 && text[before - 1] == '\\') return false;
  const std::string_view rest = text.substr(at);
  return rest.find('`') == rest.npos && rest.find("*/") == rest.npos;
}

}  // namespace

void note_bundle_comment(std::string_view comment, BundleComments& comments) {
  if (comment.size() < 3 || (comment[2] != '#' && comment[2] != '@')) return;
  if (comment[1] == '*' && comment.size() >= 5 && comment.substr(comment.size() - 2) == "*/") {
    comment.remove_suffix(2);
  }
  note(comment, comments);
}

BundleComments find_bundle_comments(std::string_view bundle) {
  const Candidates candidates = find_candidates(bundle);
  BundleComments comments;
  for (const std::size_t at : {candidates.chunk_id, candidates.debug_id, candidates.url}) {
    if (at == bundle.npos) continue;
    if (!is_certain(bundle, at)) return find_functions(bundle).comments;
    note(line_at(bundle, at), comments);
  }
  return comments;
}

}  // namespace twofold::js
