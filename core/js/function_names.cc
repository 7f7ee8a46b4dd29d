#include "core/js/function_names.h"

#include "core/js/map_names.h"
#include "core/js/names.h"
#include "core/js/source_positions.h"
#include "core/js/text_positions.h"

namespace twofold::js {
namespace {

class FunctionNamer {
 public:
  explicit FunctionNamer(const FunctionNamesInputs& inputs)
      : inputs_(inputs), positions_(inputs.bundle), sources_(inputs.contents) {}

  FunctionNames run() {
    name_bundle_scopes();
    name_source_places();
    merge();
    return std::move(result_);
  }

 private:
  static constexpr std::uint32_t kUnread = kNoIndex - 1;  // the source text does not tell

  // A change of the bundle's innermost scope. Of several at one place the last one counts.
  struct Change {
    Position at;
    std::uint32_t scope;
  };

  void name_bundle_scopes();
  void name_source_places();
  void name_places_of(std::uint32_t source, std::span<const std::uint32_t> segments);
  std::vector<Change> changes() const;
  bool is_whole_module(std::uint32_t bundle_name, std::uint32_t assigned_name) const;
  std::uint32_t segment_name(std::uint32_t segment, std::uint32_t bundle_name) const;
  void merge();
  void add(Position at, std::uint32_t segment, std::uint32_t scope, std::uint32_t name);

  const FunctionNamesInputs& inputs_;
  TextPositions positions_;
  SourcePositions sources_;
  FunctionNames result_;
  std::vector<std::uint32_t> scope_names_;  // per scope of the bundle
  std::vector<std::uint32_t>
      source_names_;  // per segment: by the source text, or kUnread; empty: no texts
  std::vector<std::uint32_t> assigned_names_;  // per segment: ScopeNames::assigned of its source
};

// Adds the names of all scopes to `to`; gives the index of each, kNoIndex for none.
std::vector<std::uint32_t> add_names(const StringList& names, StringList& to) {
  std::vector<std::uint32_t> indexes;
  indexes.reserve(names.size());
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) {
      indexes.push_back(kNoIndex);
      continue;
    }
    indexes.push_back(static_cast<std::uint32_t>(to.size()));
    to.add(names[i]);
  }
  return indexes;
}

void FunctionNamer::name_bundle_scopes() {
  MapNames map_names(inputs_.map, sources_);
  const ScopeNames names = infer_names({inputs_.bundle, inputs_.scopes, &positions_, &map_names});
  scope_names_ = add_names(names.names, result_.names);
}

void FunctionNamer::name_source_places() {
  if (inputs_.contents.empty()) return;
  const std::vector<Segment>& segments = inputs_.map.segments;
  source_names_.assign(segments.size(), kUnread);
  assigned_names_.assign(segments.size(), kNoIndex);
  // Segments by source: counted, then dealt out.
  std::vector<std::uint32_t> ends(inputs_.contents.size() + 1, 0);
  const auto has_text = [this](const Segment& segment) {
    return !sources_.text(segment.source).empty();
  };
  for (const Segment& segment : segments) {
    if (has_text(segment)) ++ends[segment.source + 1];
  }
  for (std::size_t i = 1; i < ends.size(); ++i) ends[i] += ends[i - 1];
  std::vector<std::uint32_t> by_source(ends.back());
  for (std::uint32_t i = 0; i < segments.size(); ++i) {
    if (has_text(segments[i])) by_source[ends[segments[i].source]++] = i;
  }
  std::uint32_t begin = 0;
  for (std::uint32_t source = 0; source < inputs_.contents.size(); ++source) {
    const std::uint32_t end = ends[source];
    if (begin != end) {
      name_places_of(source, std::span(by_source).subspan(begin, end - begin));
    }
    begin = end;
  }
}

void FunctionNamer::name_places_of(std::uint32_t source, std::span<const std::uint32_t> segments) {
  const std::string_view text = sources_.text(source);
  const FunctionScopes scopes = find_functions(text);
  if (!scopes.is_plausible) return;
  const TextPositions& positions = sources_.of(source);
  const std::vector<ScopeChange> changes = list_changes(scopes);
  const ScopeNames inferred = infer_names({text, scopes});
  const std::vector<std::uint32_t> names = add_names(inferred.names, result_.names);
  const std::vector<std::uint32_t> assigned = add_names(inferred.assigned, result_.names);
  InnermostScope innermost(changes);
  for (const std::uint32_t i : segments) {
    const std::uint32_t offset = positions.offset(inputs_.map.segments[i].original);
    const std::uint32_t scope = innermost.find(offset);
    source_names_[i] = scope == kNoEntry ? kNoIndex : names[scope];
    assigned_names_[i] = scope == kNoEntry ? kNoIndex : assigned[scope];
  }
}

std::vector<FunctionNamer::Change> FunctionNamer::changes() const {
  std::vector<Change> changes;
  for (const ScopeChange& change : list_changes(inputs_.scopes)) {
    changes.push_back({positions_.position(change.offset), change.scope});
  }
  return changes;
}

void FunctionNamer::add(Position at, std::uint32_t segment, std::uint32_t scope,
                        std::uint32_t name) {
  FunctionToken token;
  token.generated = at;
  token.segment = segment;
  token.name = name;
  if (scope != kNoEntry) {
    token.nature = scope_names_[scope] == kNoIndex ? ScopeNature::kAnonymous : ScopeNature::kNamed;
  }
  result_.tokens.push_back(token);
}

// A module that is one function, of which the bundle only says so: see "A whole module" in
// NAMES.md.
bool FunctionNamer::is_whole_module(std::uint32_t bundle_name, std::uint32_t assigned_name) const {
  constexpr std::string_view kModule = "module.exports";
  return bundle_name != kNoIndex && assigned_name != kNoIndex &&
         result_.names[bundle_name] == kModule && result_.names[assigned_name] == kModule;
}

// By the source text where that tells.
std::uint32_t FunctionNamer::segment_name(std::uint32_t segment, std::uint32_t bundle_name) const {
  if (source_names_.empty() || source_names_[segment] == kUnread) return bundle_name;
  return is_whole_module(bundle_name, assigned_names_[segment]) ? bundle_name
                                                                : source_names_[segment];
}

// One sweep over segments and changes of scope. A segment's name is read from its source text where
// that tells. A change between two segments makes a token of its own: what the map says of the
// place is said of the segment before, which is in another function, so the bundle's name counts.
void FunctionNamer::merge() {
  const std::vector<Segment>& segments = inputs_.map.segments;
  const std::vector<Change> changes = this->changes();
  const auto bundle_name = [this](std::uint32_t scope) {
    return scope == kNoEntry ? kNoIndex : scope_names_[scope];
  };
  result_.tokens.reserve(segments.size() + changes.size());
  std::uint32_t scope = kNoEntry;
  std::size_t next_change = 0;
  for (std::uint32_t i = 0; i <= segments.size(); ++i) {
    const bool is_end = i == segments.size();
    while (next_change < changes.size() &&
           (is_end || changes[next_change].at <= segments[i].generated)) {
      const Change& change = changes[next_change++];
      scope = change.scope;
      const bool is_last_here =
          next_change == changes.size() || changes[next_change].at != change.at;
      const bool has_segment = !is_end && segments[i].generated == change.at;
      const bool is_on_line = i > 0 && segments[i - 1].generated.line == change.at.line;
      if (is_last_here && !has_segment && is_on_line) {
        add(change.at, i - 1, scope, bundle_name(scope));
      }
    }
    if (is_end) break;
    add(segments[i].generated, i, scope, segment_name(i, bundle_name(scope)));
  }
}

}  // namespace

FunctionNames name_functions(const FunctionNamesInputs& inputs) {
  return FunctionNamer(inputs).run();
}

}  // namespace twofold::js
