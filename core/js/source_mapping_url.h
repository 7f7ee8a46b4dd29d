// The comments of a bundle that say which map it belongs to.
//
//   //# sourceMappingURL=app.js.map      also `//@ ` and `/*# ... */`
//   //# debugId=85314830-...             also `debug_id` and `chunkId`
//
// Only real comments count, not text of a string, a template or a regular expression that looks
// like one (bundled bundlers are full of those). Of several, the last one; a debug ID before a
// chunk ID. Resolving the URL is not done here.
#pragma once

#include <optional>
#include <string_view>

namespace twofold::js {

// Views into the bundle; no value for a comment that is not there.
struct BundleComments {
  std::optional<std::string_view> source_mapping_url;
  std::optional<std::string_view> debug_id;  // or the chunk ID, where there is no debug ID
  bool is_chunk_id = false;
  bool operator==(const BundleComments&) const = default;
};

// Reads the end of the bundle only, if that is conclusive (it is for the output of every common
// bundler), and all of it otherwise. No lexing at all where none of the names occurs.
[[nodiscard]] BundleComments find_bundle_comments(std::string_view bundle);

// Takes note of one comment, [`//` or `/*` to its end), if it is one of the above; later ones win.
void note_bundle_comment(std::string_view comment, BundleComments& comments);

}  // namespace twofold::js
