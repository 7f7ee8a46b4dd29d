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
  std::uint32_t name = kNoIndex;  // of FunctionNames::names; kNoIndex: top level or anonymous
  ScopeNature nature = ScopeNature::kGlobal;
};

// Tokens are sorted by generated place. Every segment has one; those of one place keep their order.
struct FunctionNames {
  StringList names;  // without duplicates in a row only
  std::vector<FunctionToken> tokens;
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
  // Valid until the next call. About the time of reading the bundle, and of every source text that
  // is mapped to, once.
  [[nodiscard]] const FunctionNames& name(const FunctionNamesInputs& inputs);

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
  // A place in a source text, line above column: pieces are found by one comparison.
  using Place = std::uint64_t;
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

  void name_bundle_scopes();
  void list_bundle_changes();
  BundleFunction bundle_function(std::uint32_t scope) const;
  void read_source(std::uint32_t source, SourceCursor& cursor);
  void note_whole_modules();
  void move_to(Place at, std::uint32_t source, SourceCursor& cursor);
  std::uint32_t segment_name(const Segment& segment, const BundleFunction& bundle);
  void merge();

  const FunctionNamesInputs* inputs_ = nullptr;
  TextPositions positions_;  // of the bundle
  SourcePositions sources_;
  NameInferrer inferrer_;
  std::vector<std::uint32_t> scope_names_;  // per scope of the bundle
  std::vector<Change> changes_;
  bool has_module_ = false;  // the bundle has a function called `module.exports`

  std::vector<SourceCursor> cursors_;  // per source that may have a text
  std::vector<Piece> pieces_;
  ScopeScanner scanner_;
  FunctionScopes source_scopes_;                   // of the source in hand
  std::vector<std::uint32_t> source_scope_names_;  // and their names
  // Names of source functions that without them would be `module.exports`, ascending.
  std::vector<std::uint32_t> module_names_;
  FunctionNames result_;
};

// The same once.
[[nodiscard]] FunctionNames name_functions(const FunctionNamesInputs& inputs);

}  // namespace twofold::js
