// Which function each piece of a bundle belongs to: the map's segments, each with the name of its
// function, and segments of our own where a function begins or ends between two of them.
//
// Two readings are joined. The bundle's own functions and what the map says of their names are
// always there. Where the map carries the source text and that is plain JavaScript, the function
// around the original place is read from there; it knows the functions that a minifier has inlined,
// renamed or stripped of their names. NAMES.md says which one counts when.
//
// Does not know what engines printed at run time: aliases and receivers are the caller's business.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/string_list.h"
#include "core/js/names.h"
#include "core/js/scope_scanner.h"
#include "core/js/source_map.h"
#include "core/js/source_positions.h"
#include "core/js/source_texts.h"
#include "core/js/text_positions.h"

namespace twofold::js {

// What the bundle's innermost function is, whatever the original was.
enum class ScopeNature : std::uint8_t { kGlobal, kAnonymous, kNamed };

struct FunctionToken {
  Position generated;
  std::uint32_t segment = 0;      // of the map: what is at this place
  std::uint32_t name = kNoIndex;  // of FunctionNamer::names; kNoIndex: top level or anonymous
  ScopeNature nature = ScopeNature::kGlobal;
};

struct FunctionNamesInputs {
  std::string_view bundle;
  const FunctionScopes& scopes;  // of the bundle
  const SourceMap& map;
  SourceTexts& texts;  // of the map's sources; may be none
};

// Keeps its memory for the next bundle. Not thread-safe.
class FunctionNamer {
 public:
  // Another bundle. What `inputs` refers to must stay until its last token. All tokens together:
  // about the time of reading the bundle, and of every source text that is mapped to, once.
  void open(const FunctionNamesInputs& inputs);
  // Makes `token` the next one; false, and it stays as it was: there is no other. Sorted by
  // generated place. Every segment has a token; those of one place keep their order.
  [[nodiscard]] bool next(FunctionToken& token) {
    if (!is_at_segment()) return next_behind_change(token);
    token = take_segment();
    return true;
  }
  // The same in two steps, for a loop that keeps tokens in registers: whether the next token is
  // that of a segment, then that token. Never true for the last token of all.
  [[nodiscard]] bool is_at_segment() const {
    return segment_ + 1 < segment_count_ &&
           to_place(map_->segments[segment_].generated) < change_due_;
  }
  [[nodiscard]] FunctionToken take_segment() {
    const Segment& segment = map_->segments[segment_];
    return {segment.generated, segment_++, segment_name(segment), bundle_.nature};
  }
  // How many tokens there are at most.
  [[nodiscard]] std::size_t max_token_count() const {
    return segment_count_ == 0 ? 0 : segment_count_ + changes_.size();
  }
  // Of the tokens so far, without duplicates in a row only. Grows with `next`.
  [[nodiscard]] const StringList& names() const { return names_; }

 private:
  static constexpr std::uint32_t kUnread = kNoIndex - 1;  // the source text does not tell

  // A change of the bundle's innermost scope. Of several at one place the last one counts.
  struct Change {
    Position at;
    std::uint32_t scope;
  };
  // What the bundle says of the scope in hand.
  struct BundleFunction {
    std::uint32_t name = kNoIndex;
    ScopeNature nature = ScopeNature::kGlobal;
    bool is_module = false;  // called `module.exports`
  };
  // A place, line above column: one comparison.
  using Place = std::uint64_t;
  static Place to_place(Position at) {
    return std::uint64_t{at.line.value()} << 32 | at.column.value();
  }
  static constexpr Place kNever = ~Place{0};
  // From `begin` on, up to the next piece, the innermost function of a source has this name.
  struct Piece {
    Place begin;
    std::uint32_t name;
  };
  // The pieces of a source, [first, behind) of pieces_, and the one that was asked for last:
  // segments of one source mostly stay in a function.
  struct SourceCursor {
    Place begin = 0;  // [begin, end) is called `name`
    Place end = 0;
    std::uint32_t name = kUnread;
    std::uint32_t first = 0;
    std::uint32_t behind = 0;
    bool is_read = false;
  };

  void list_bundle_changes();
  BundleFunction bundle_function(std::uint32_t scope) const;
  bool next_behind_change(FunctionToken& token);
  bool take_change(FunctionToken& token);
  void read_source(std::uint32_t source, SourceCursor& cursor);
  void note_whole_modules();
  void move_to(Place at, std::uint32_t source, SourceCursor& cursor);
  bool is_whole_module(std::uint32_t source_name) const;

  // By the source text where that tells. Where a function map does, nobody asks.
  std::uint32_t segment_name(const Segment& segment) {
    if (segment.source >= cursors_.size()) return bundle_.name;
    if (map_->function_maps.tells(segment.source, segment.original)) return bundle_.name;
    SourceCursor& cursor = cursors_[segment.source];
    const Place at = to_place(segment.original);
    if (at < cursor.begin || at >= cursor.end) move_to(at, segment.source, cursor);
    if (cursor.name == kUnread) return bundle_.name;
    return bundle_.is_module && is_whole_module(cursor.name) ? bundle_.name : cursor.name;
  }

  const FunctionScopes* scopes_ = nullptr;
  const SourceMap* map_ = nullptr;
  StringList names_;
  NameInferrer inferrer_;
  TextPositions positions_;  // of the bundle
  SourcePositions sources_;
  std::vector<std::uint32_t> scope_names_;  // per scope of the bundle
  std::vector<Change> changes_;
  bool has_module_ = false;  // the bundle has a function called `module.exports`

  // Where `next` is.
  std::uint32_t segment_ = 0;
  std::uint32_t segment_count_ = 0;
  std::size_t change_ = 0;
  Place change_due_ = kNever;  // the place of that change
  BundleFunction bundle_;

  std::vector<SourceCursor> cursors_;  // per source that may have a text
  std::vector<Piece> pieces_;
  ScopeScanner scanner_;
  FunctionScopes source_scopes_;                   // of the source in hand
  std::vector<std::uint32_t> source_scope_names_;  // and their names
  // Names of source functions that without them would be `module.exports`, ascending.
  std::vector<std::uint32_t> module_names_;
};

// All tokens of one bundle.
struct FunctionNames {
  StringList names;
  std::vector<FunctionToken> tokens;
};
[[nodiscard]] FunctionNames name_functions(const FunctionNamesInputs& inputs);

}  // namespace twofold::js
