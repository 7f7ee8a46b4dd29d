#include "core/symbolicate/script_artifacts.h"

#include <algorithm>

#include "core/js/bundle_module.h"
#include "core/js/data_url.h"
#include "core/js/source_mapping_url.h"
#include "core/symbolicate/paths.h"

namespace twofold {

ScriptArtifacts::ScriptArtifacts(ArtifactFiles& files, Sources sources)
    : files_(files), sources_(sources), kinds_(files.count()) {}

Served ScriptArtifacts::find(std::string_view url) {
  const auto known = by_url_.find(std::string(url));
  if (known != by_url_.end()) return known->second;
  const Served served = find_uncached(url);
  by_url_.emplace(url, served);
  return served;
}

Served ScriptArtifacts::find_uncached(std::string_view url) {
  // As printed first: a file may be called `app.js?v=1`. Then what a server would look for.
  std::vector<std::string> names{std::string(url)};
  const std::string_view stripped = without_query_and_fragment(url);
  if (stripped != url) names.emplace_back(stripped);
  if (std::string decoded = js::decode_percent(stripped); decoded != stripped) {
    names.push_back(std::move(decoded));
  }
  for (const std::string& name : names) {
    if (const Fits fits = best_fits(name, ArtifactKind::kScript, ""); !fits.empty()) {
      return serve_only(fits, name, "");
    }
  }
  for (const std::string& name : names) {
    if (const Fits fits = best_fits(name, ArtifactKind::kSourceMap, ".map"); !fits.empty()) {
      return serve_only(fits, name, "");
    }
    if (const Fits fits = best_fits(name, ArtifactKind::kTw, ".tw"); !fits.empty()) {
      return serve_only(fits, name, "");
    }
  }
  for (const std::string& name : names) {
    if (const Fits fits = fits_by_file_field(name); !fits.empty())
      return serve_only(fits, name, "");
  }
  const Served served = serve_module(names.back());
  return served.reason != Reason::kNoArtifact ? served : fail_without_map(names.back());
}

// Files of one kind called `url` + `suffix`, those with the longest common path tail.
ScriptArtifacts::Fits ScriptArtifacts::best_fits(std::string_view url, ArtifactKind kind_wanted,
                                                 std::string_view suffix) {
  Fits best;
  std::size_t best_tail = 1;
  for (FileIndex file = 0; file < files_.count(); ++file) {
    std::string_view name = files_.name(file);
    if (!name.ends_with(suffix)) continue;
    name.remove_suffix(suffix.size());
    const std::size_t tail = count_common_tail(name, url);
    if (tail < best_tail || kind(file) != kind_wanted) continue;
    if (tail > best_tail) best.clear();
    best_tail = tail;
    best.push_back(file);
  }
  return best;
}

ScriptArtifacts::Fits ScriptArtifacts::fits_by_file_field(std::string_view url) {
  Fits best;
  std::size_t best_tail = 1;
  for (FileIndex file = 0; file < files_.count(); ++file) {
    if (kind(file) != ArtifactKind::kSourceMap) continue;
    const std::size_t tail = count_common_tail(file_field(file), url);
    if (tail < best_tail) continue;
    if (tail > best_tail) best.clear();
    best_tail = tail;
    best.push_back(file);
  }
  return best;
}

bool ScriptArtifacts::same_content(const Fits& fits) {
  const auto first = files_.read(fits.front());
  if (!first) return false;
  return std::all_of(fits.begin() + 1, fits.end(), [&](FileIndex file) {
    const auto other = files_.read(file);
    return other && other.value().text() == first.value().text();
  });
}

// The file that fits. Several are fine if they are copies; guessing among different ones would be
// an answer from another build.
std::optional<ScriptArtifacts::FileIndex> ScriptArtifacts::find_only(const Fits& fits) {
  if (fits.empty() || (fits.size() > 1 && !same_content(fits))) return std::nullopt;
  return fits.front();
}

Served ScriptArtifacts::fail_ambiguous(const Fits& fits, std::string_view name) {
  return fail(name, Reason::kAmbiguousArtifact,
              std::string(files_.name(fits[0])) + " and " + std::string(files_.name(fits[1])) +
                  " fit equally well");
}

Served ScriptArtifacts::serve_only(const Fits& fits, std::string_view name,
                                   std::string_view bundle) {
  const auto file = find_only(fits);
  if (!file) return fail_ambiguous(fits, name);
  if (!bundle.empty()) return serve_map_file(*file, bundle);
  const auto known = by_file_.find(*file);
  if (known != by_file_.end()) return known->second;
  const Served served = serve_file(*file);
  by_file_.emplace(*file, served);
  return served;
}

Served ScriptArtifacts::serve_file(FileIndex file) {
  switch (kind(file)) {
    case ArtifactKind::kScript:
      return serve_script(file);
    case ArtifactKind::kSourceMap:
      return serve_map_file(file, "");
    case ArtifactKind::kTw:
      return serve_tw(file);
    default:
      return {};
  }
}

Served ScriptArtifacts::serve_script(FileIndex script) {
  const std::string_view name = files_.name(script);
  const auto bundle = files_.read(script);
  if (!bundle) return fail(name, Reason::kBadArtifact, to_string(bundle.error()));

  const std::string_view text = bundle.value().text();
  if (const auto url = js::find_bundle_comments(text).source_mapping_url) {
    const Served served = serve_from_url(script, *url, text);
    if (served.artifact != nullptr || served.reason != Reason::kNoArtifact) return served;
  }
  if (const auto map = find_map_beside(script, std::string(name) + ".map")) {
    return serve_map_file(*map, text);
  }
  if (const Fits fits = fits_by_file_field(name); !fits.empty())
    return serve_only(fits, name, text);
  if (const Fits fits = best_fits(name, ArtifactKind::kTw, ".tw"); !fits.empty()) {
    return serve_only(fits, name, "");
  }
  if (const Served served = serve_module(name); served.reason != Reason::kNoArtifact) return served;
  return fail(name, Reason::kBadArtifact, "its source map is not among the artifacts");
}

// A module or segment of a React Native bundle, by the map that says it has it.
Served ScriptArtifacts::serve_module(std::string_view name) {
  const auto wanted = js::parse_module_name(base_name(name));
  if (!wanted) return {};
  Fits fits;
  const js::BundleSegment* found = nullptr;
  for (FileIndex file = 0; file < files_.count(); ++file) {
    if (kind(file) != ArtifactKind::kSourceMap) continue;
    for (const js::BundleSegment& segment : segments(file)) {
      if (segment.id != wanted->segment) continue;
      if (wanted->module && !segment.find_module(*wanted->module)) continue;
      if (fits.empty()) found = &segment;
      fits.push_back(file);
    }
  }
  if (found == nullptr) return {};
  if (!find_only(fits)) return fail_ambiguous(fits, name);
  Served served = serve_segment(fits.front(), *found);
  if (wanted->module) served.first_line = *found->find_module(*wanted->module);
  return served;
}

Served ScriptArtifacts::serve_segment(FileIndex map, const js::BundleSegment& segment) {
  const auto content = files_.read(map);  // read before: its segments are known
  if (segment.id == 0 || !content) return serve_only({map}, files_.name(map), "");
  const auto known = by_segment_.find(&segment);
  if (known != by_segment_.end()) return known->second;
  const std::string name =
      std::string(files_.name(map)) + " (segment " + std::to_string(segment.id) + ")";
  const Served served = serve_map(name, content.value().part(segment.map), "");
  by_segment_.emplace(&segment, served);
  return served;
}

const std::vector<js::BundleSegment>& ScriptArtifacts::segments(FileIndex map) {
  const auto known = segments_.find(map);
  if (known != segments_.end()) return known->second;
  const auto content = files_.read(map);
  return segments_
      .emplace(map, content ? js::read_segments(content.value()) : std::vector<js::BundleSegment>())
      .first->second;
}

// Nothing serves `name`. If something of that name is there that cannot serve alone, says so.
Served ScriptArtifacts::fail_without_map(std::string_view name) {
  for (const ArtifactKind binary : {ArtifactKind::kRamBundle, ArtifactKind::kHermesBytecode}) {
    if (best_fits(name, binary, "").empty()) continue;
    return fail(name, Reason::kBadArtifact,
                std::string(to_string(binary)) + "; its source map is not among the artifacts");
  }
  return {};
}

// kNoArtifact: the URL names nothing that is there.
Served ScriptArtifacts::serve_from_url(FileIndex script, std::string_view map_url,
                                       std::string_view bundle) {
  if (js::is_data_url(map_url)) {
    auto map = js::decode_data_url(map_url);
    if (!map) {
      return fail(files_.name(script), Reason::kBadArtifact,
                  "sourceMappingURL: " + to_string(map.error()));
    }
    return serve_map(files_.name(script), map.value(), bundle);
  }
  const std::string_view path = without_query_and_fragment(map_url);
  for (const std::string& url :
       {std::string(map_url), std::string(path), js::decode_percent(path)}) {
    const std::string resolved = resolve_beside(files_.name(script), url);
    if (const auto map = find_map_beside(script, resolved)) return serve_map_file(*map, bundle);
  }
  return {};
}

// The map at `path`; where none is exactly there, the one map of that file name that shares the
// longest tail with it (artifacts are given one by one from different folders, or the path is a
// URL).
std::optional<ScriptArtifacts::FileIndex> ScriptArtifacts::find_map_beside(FileIndex script,
                                                                           std::string_view path) {
  for (FileIndex file = 0; file < files_.count(); ++file) {
    if (file != script && same_path(files_.name(file), path) &&
        kind(file) == ArtifactKind::kSourceMap) {
      return file;
    }
  }
  return find_only(best_fits(path, ArtifactKind::kSourceMap, ""));
}

Served ScriptArtifacts::serve_map_file(FileIndex map, std::string_view bundle) {
  const std::string_view name = files_.name(map);
  const auto content = files_.read(map);
  if (!content) return fail(name, Reason::kBadArtifact, to_string(content.error()));
  return serve_map(name, content.value(), bundle);
}

Served ScriptArtifacts::serve_map(std::string_view name, PaddedView map, std::string_view bundle) {
  auto compiled = compiler_.compile_js(map, {.script = bundle,
                                             .wants_source_texts = sources_ == Sources::kKept,
                                             .wants_called_names = true});
  if (!compiled) {
    const Reason reason =
        compiled.error().code == Code::kWrongBuild ? Reason::kWrongBuild : Reason::kBadArtifact;
    return fail(name, reason, to_string(compiled.error()));
  }
  js::CompiledJs built = std::move(compiled).value();
  auto view = tw::View::open(built.tw);
  if (!view) return fail(name, Reason::kBadArtifact, to_string(view.error()));
  artifacts_.push_back(std::make_unique<ScriptArtifact>(ScriptArtifact{
      view.value(), std::move(built.is_ignored), std::move(built.tw), std::string(name),
      std::move(built.instruction_starts), std::move(built.called_names),
      ArtifactSources(std::move(built.source_texts))}));
  return {artifacts_.back().get(), Reason::kNone};
}

Served ScriptArtifacts::serve_tw(FileIndex file) {
  const auto content = files_.read(file);
  if (!content) return fail(files_.name(file), Reason::kBadArtifact, to_string(content.error()));
  auto view = tw::View::open(as_byte_view(content.value().text()));
  if (!view) return fail(files_.name(file), Reason::kBadArtifact, to_string(view.error()));
  artifacts_.push_back(std::make_unique<ScriptArtifact>(
      ScriptArtifact{view.value(), {}, {}, std::string(files_.name(file)), {}, {}, {}}));
  return {artifacts_.back().get(), Reason::kNone};
}

std::unique_ptr<ScriptArtifact> ScriptArtifacts::release(const ScriptArtifact* served) {
  for (std::unique_ptr<ScriptArtifact>& artifact : artifacts_) {
    if (artifact.get() != served) continue;
    if (artifact->built_bytes.empty()) {
      const ByteView bytes = artifact->view.bytes();
      artifact->built_bytes.assign(bytes.begin(), bytes.end());
      artifact->view = tw::View::open(artifact->built_bytes).value();
    }
    return std::move(artifact);
  }
  return nullptr;
}

ArtifactKind ScriptArtifacts::kind(FileIndex file) {
  if (!kinds_[file]) {
    const auto content = files_.read(file);
    kinds_[file] = content ? detect_kind(content.value().text()) : ArtifactKind::kNone;
    if (!content) {
      fail(files_.name(file), Reason::kBadArtifact, to_string(content.error()));
    }
  }
  return *kinds_[file];
}

std::string_view ScriptArtifacts::file_field(FileIndex map) {
  const auto known = file_fields_.find(map);
  if (known != file_fields_.end()) return known->second;
  const auto content = files_.read(map);
  std::string field = content ? js::find_file_field(content.value()) : std::string();
  return file_fields_.emplace(map, std::move(field)).first->second;
}

Served ScriptArtifacts::fail(std::string_view artifact, Reason reason, std::string detail) {
  const auto said = std::find_if(faults_.begin(), faults_.end(), [&](const ArtifactFault& fault) {
    return fault.artifact == artifact && fault.detail == detail;
  });
  const auto index = static_cast<std::size_t>(said - faults_.begin());
  if (said == faults_.end()) faults_.push_back({std::string(artifact), reason, std::move(detail)});
  return {nullptr, reason, Line(0), index};
}

}  // namespace twofold
