#include "core/js/function_names.h"

#include <algorithm>
#include <span>

#include "core/base/make_room.h"
#include "core/js/map_names.h"

namespace twofold::js {
namespace {

// What a module that is one function is called; see "A whole module" in NAMES.md.
constexpr std::string_view kModule = "module.exports";

}  // namespace

void FunctionNamer::open(const FunctionNamesInputs& inputs) {
  scopes_ = &inputs.scopes;
  map_ = &inputs.map;
  names_.clear();
  pieces_.clear();
  module_names_.clear();
  cursors_.assign(inputs.texts.size(), {});
  positions_.assign(inputs.bundle);
  sources_.assign(inputs.texts);
  const std::size_t scope_count = scopes_->scopes.size();
  names_.make_room(scope_count * 2, scope_count * 32);  // the sources' too
  make_room(inputs.texts.size() == 0 ? 0 : scope_count * 4, pieces_);

  MapNames map_names(*map_, sources_);
  inferrer_.infer({inputs.bundle, scopes_, &positions_, &map_names}, names_, scope_names_);
  has_module_ = false;
  for (std::size_t i = 0; i < names_.size() && !has_module_; ++i)
    has_module_ = names_[i] == kModule;
  list_bundle_changes();

  segment_ = 0;
  segment_count_ = static_cast<std::uint32_t>(map_->segments.size());
  change_ = 0;
  change_due_ = changes_.empty() ? kNever : to_place(changes_[0].at);
  bundle_ = {};
}

void FunctionNamer::list_bundle_changes() {
  changes_.clear();
  make_room(scopes_->scopes.size() * 2, changes_);
  const TextPositionsView positions = positions_.view();
  std::uint32_t line = 0;
  for_each_change(*scopes_, [&](const ScopeChange& change) {
    changes_.push_back({positions.next_position(change.offset, line), change.scope});
  });
}

FunctionNamer::BundleFunction FunctionNamer::bundle_function(std::uint32_t scope) const {
  if (scope == kNoEntry) return {};
  const std::uint32_t name = scope_names_[scope];
  if (name == kNoIndex) return {kNoIndex, ScopeNature::kAnonymous, false};
  return {name, ScopeNature::kNamed, has_module_ && names_[name] == kModule};
}

// Puts the names of the functions of a source into pieces_; a text in doubt has none.
void FunctionNamer::read_source(std::uint32_t source, SourceCursor& cursor) {
  cursor.is_read = true;
  const std::string_view text = sources_.text(source);
  if (text.empty()) return;
  scanner_.scan_plausible(text, source_scopes_);
  if (!source_scopes_.is_plausible) return;
  inferrer_.infer({text, &source_scopes_}, names_, source_scope_names_);
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
  cursor.end = kNever;
  if (cursor.first == cursor.behind) return;
  const auto pieces = std::span(pieces_).subspan(cursor.first, cursor.behind - cursor.first);
  const auto behind =
      std::upper_bound(pieces.begin(), pieces.end(), at,
                       [](Place place, const Piece& piece) { return place < piece.begin; });
  cursor.begin = (behind - 1)->begin;
  cursor.name = (behind - 1)->name;
  if (behind != pieces.end()) cursor.end = behind->begin;
}

bool FunctionNamer::is_whole_module(std::uint32_t source_name) const {
  return std::binary_search(module_names_.begin(), module_names_.end(), source_name);
}

// The changes up to the next segment, then that one.
bool FunctionNamer::next_behind_change(FunctionToken& token) {
  while (change_ < changes_.size()) {
    const bool is_end = segment_ == segment_count_;
    if (!is_end && to_place(map_->segments[segment_].generated) < change_due_) break;
    if (take_change(token)) return true;
  }
  if (segment_ == segment_count_) return false;
  token = take_segment();
  return true;
}

// A change between two segments makes a token of its own: what the map says of the place is said of
// the segment before, which is in another function, so the bundle's name counts.
bool FunctionNamer::take_change(FunctionToken& token) {
  const std::vector<Segment>& segments = map_->segments;
  const Change& change = changes_[change_++];
  const bool is_last = change_ == changes_.size();
  change_due_ = is_last ? kNever : to_place(changes_[change_].at);
  bundle_ = bundle_function(change.scope);
  const bool is_last_here = is_last || changes_[change_].at != change.at;
  const bool has_segment = segment_ < segment_count_ && segments[segment_].generated == change.at;
  const bool is_on_line = segment_ > 0 && segments[segment_ - 1].generated.line == change.at.line;
  if (!is_last_here || has_segment || !is_on_line) return false;
  token = {change.at, segment_ - 1, bundle_.name, bundle_.nature};
  return true;
}

FunctionNames name_functions(const FunctionNamesInputs& inputs) {
  FunctionNamer namer;
  namer.open(inputs);
  FunctionNames result;
  result.tokens.reserve(namer.max_token_count());
  FunctionToken token;
  while (namer.next(token)) result.tokens.push_back(token);
  result.names = namer.names();
  return result;
}

}  // namespace twofold::js
