#include "core/js/function_names.h"

#include <algorithm>

#include "core/base/make_room.h"
#include "core/js/map_names.h"

namespace twofold::js {
namespace {

// What a module that is one function is called; see "A whole module" in NAMES.md.
constexpr std::string_view kModule = "module.exports";

std::uint64_t to_place(Position at) {
  return std::uint64_t{at.line.value()} << 32 | at.column.value();
}

}  // namespace

const FunctionNames& FunctionNamer::name(const FunctionNamesInputs& inputs) {
  inputs_ = &inputs;
  result_.names.clear();
  result_.tokens.clear();
  pieces_.clear();
  module_names_.clear();
  cursors_.assign(inputs.texts.size(), {});
  positions_.assign(inputs.bundle);
  sources_.assign(inputs.texts);
  const std::size_t scope_count = inputs.scopes.scopes.size();
  result_.names.make_room(scope_count * 2, scope_count * 32);  // the sources' too
  make_room(inputs.texts.size() == 0 ? 0 : scope_count * 4, pieces_);
  name_bundle_scopes();
  list_bundle_changes();
  merge();
  return result_;
}

void FunctionNamer::name_bundle_scopes() {
  MapNames map_names(inputs_->map, sources_);
  inferrer_.infer({inputs_->bundle, &inputs_->scopes, &positions_, &map_names}, result_.names,
                  scope_names_);
  has_module_ = false;
  for (std::size_t i = 0; i < result_.names.size() && !has_module_; ++i) {
    has_module_ = result_.names[i] == kModule;
  }
}

void FunctionNamer::list_bundle_changes() {
  changes_.clear();
  make_room(inputs_->scopes.scopes.size() * 2, changes_);
  const TextPositionsView positions = positions_.view();
  std::uint32_t line = 0;
  for_each_change(inputs_->scopes, [&](const ScopeChange& change) {
    changes_.push_back({positions.next_position(change.offset, line), change.scope});
  });
}

FunctionNamer::BundleFunction FunctionNamer::bundle_function(std::uint32_t scope) const {
  if (scope == kNoEntry) return {};
  const std::uint32_t name = scope_names_[scope];
  if (name == kNoIndex) return {kNoIndex, ScopeNature::kAnonymous, false};
  return {name, ScopeNature::kNamed, has_module_ && result_.names[name] == kModule};
}

// Puts the names of the functions of a source into pieces_; a text in doubt has none.
void FunctionNamer::read_source(std::uint32_t source, SourceCursor& cursor) {
  cursor.is_read = true;
  const std::string_view text = sources_.text(source);
  if (text.empty()) return;
  scanner_.scan_plausible(text, source_scopes_);
  if (!source_scopes_.is_plausible) return;
  inferrer_.infer({text, &source_scopes_}, result_.names, source_scope_names_);
  if (has_module_) note_whole_modules();

  const TextPositionsView positions = sources_.of(source);
  cursor.first = static_cast<std::uint32_t>(pieces_.size());
  pieces_.push_back({0, kNoIndex});
  std::uint32_t line = 0;
  for_each_change(source_scopes_, [&](const ScopeChange& change) {
    const Place at = to_place(positions.next_position(change.offset, line));
    const std::uint32_t name =
        change.scope == kNoEntry ? kNoIndex : source_scope_names_[change.scope];
    if (pieces_.back().begin == at) {
      pieces_.back().name = name;
    } else {
      pieces_.push_back({at, name});
    }
  });
  cursor.behind = static_cast<std::uint32_t>(pieces_.size());
}

void FunctionNamer::note_whole_modules() {
  for (std::uint32_t scope = 0; scope < source_scope_names_.size(); ++scope) {
    if (source_scope_names_[scope] != kNoIndex && inferrer_.assigned_name(scope) == kModule) {
      module_names_.push_back(source_scope_names_[scope]);
    }
  }
}

// To the piece that holds `at`.
void FunctionNamer::move_to(Place at, std::uint32_t source, SourceCursor& cursor) {
  if (!cursor.is_read) read_source(source, cursor);
  cursor.begin = 0;
  cursor.end = ~Place{0};
  if (cursor.first == cursor.behind) return;
  const auto first = pieces_.begin() + cursor.first;
  const auto end = pieces_.begin() + cursor.behind;
  const auto behind = std::upper_bound(
      first, end, at, [](Place place, const Piece& piece) { return place < piece.begin; });
  cursor.begin = (behind - 1)->begin;
  cursor.name = (behind - 1)->name;
  if (behind != end) cursor.end = behind->begin;
}

// By the source text where that tells. Where a function map does, nobody asks.
inline std::uint32_t FunctionNamer::segment_name(const Segment& segment,
                                                 const BundleFunction& bundle) {
  if (segment.source >= cursors_.size()) return bundle.name;
  if (inputs_->map.function_maps.tells(segment.source, segment.original)) return bundle.name;
  SourceCursor& cursor = cursors_[segment.source];
  const Place at = to_place(segment.original);
  if (at < cursor.begin || at >= cursor.end) move_to(at, segment.source, cursor);
  if (cursor.name == kUnread) return bundle.name;
  const bool is_whole_module =
      bundle.is_module &&
      std::binary_search(module_names_.begin(), module_names_.end(), cursor.name);
  return is_whole_module ? bundle.name : cursor.name;
}

// One sweep over segments and changes of scope. A segment's name is read from its source text where
// that tells. A change between two segments makes a token of its own: what the map says of the
// place is said of the segment before, which is in another function, so the bundle's name counts.
void FunctionNamer::merge() {
  const std::vector<Segment>& segments = inputs_->map.segments;
  const auto count = static_cast<std::uint32_t>(segments.size());
  result_.tokens.resize(count + changes_.size());
  FunctionToken* to = result_.tokens.data();
  BundleFunction bundle;
  std::uint32_t i = 0;
  // Written field by field in place: a token built aside and copied stalls on its own stores, 5 ns.
  const auto add = [&](Position at, std::uint32_t segment, std::uint32_t name) {
    to->generated = at;
    to->segment = segment;
    to->name = name;
    to->nature = bundle.nature;
    ++to;
  };
  const auto add_segment = [&] {
    add(segments[i].generated, i, segment_name(segments[i], bundle));
    ++i;
  };
  for (std::size_t next = 0; next < changes_.size(); ++next) {
    const Change& change = changes_[next];
    const Place place = to_place(change.at);
    while (i < count && to_place(segments[i].generated) < place) add_segment();
    bundle = bundle_function(change.scope);
    const bool is_last_here = next + 1 == changes_.size() || changes_[next + 1].at != change.at;
    const bool has_segment = i < count && segments[i].generated == change.at;
    const bool is_on_line = i > 0 && segments[i - 1].generated.line == change.at.line;
    if (is_last_here && !has_segment && is_on_line) {
      add(change.at, i - 1, bundle.name);
    }
  }
  while (i < count) add_segment();
  result_.tokens.resize(static_cast<std::size_t>(to - result_.tokens.data()));
}

FunctionNames name_functions(const FunctionNamesInputs& inputs) {
  FunctionNamer namer;
  return namer.name(inputs);
}

}  // namespace twofold::js
