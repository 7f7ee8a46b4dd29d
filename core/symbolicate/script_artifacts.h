// Which artifact serves a script of a trace, by the rules of README.md beside this file; and its
// .tw, built when the first frame needs it and kept for the others.
//
// Content is asked for only where a name makes it worth looking. Not thread-safe; the views that it
// hands out live as long as it does.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/js/metro_json.h"
#include "core/symbolicate/artifact_files.h"
#include "core/symbolicate/artifact_kind.h"
#include "core/symbolicate/artifact_source.h"

namespace twofold {

class ScriptArtifacts : public ArtifactSource {
 public:
  // Source texts are most of a map: kept only for traces with context.
  enum class Sources : std::uint8_t { kDropped, kKept };

  // `files` must outlive this object.
  explicit ScriptArtifacts(ArtifactFiles& files, Sources sources = Sources::kDropped);

  [[nodiscard]] Served find(std::string_view url) override;
  [[nodiscard]] const std::vector<ArtifactFault>& faults() const override { return faults_; }

  // Gives an artifact away that `find` served, so that it outlives this object and the files:
  // whoever keeps it owns its bytes. Nothing may be asked for afterwards.
  [[nodiscard]] std::unique_ptr<ScriptArtifact> release(const ScriptArtifact* served);

 private:
  using FileIndex = std::size_t;
  // Files that fit a name equally well.
  using Fits = std::vector<FileIndex>;

  Served find_uncached(std::string_view url);
  // `bundle`: the text of the script that a map is for, "" for any other file.
  Served serve_only(const Fits& fits, std::string_view name, std::string_view bundle);
  Served serve_file(FileIndex file);
  Served serve_script(FileIndex script);
  Served serve_from_url(FileIndex script, std::string_view map_url, std::string_view bundle);
  Served serve_map_file(FileIndex map, std::string_view bundle);
  Served serve_map(std::string_view name, PaddedView map, std::string_view bundle);
  Served serve_tw(FileIndex file);
  Served serve_module(std::string_view name);
  Served serve_segment(FileIndex map, const js::BundleSegment& segment);
  Served fail_without_map(std::string_view name);

  [[nodiscard]] Fits best_fits(std::string_view url, ArtifactKind kind, std::string_view suffix);
  [[nodiscard]] Fits fits_by_file_field(std::string_view url);
  [[nodiscard]] std::optional<FileIndex> find_map_beside(FileIndex script, std::string_view path);
  [[nodiscard]] std::optional<FileIndex> find_only(const Fits& fits);
  [[nodiscard]] bool same_content(const Fits& fits);
  Served fail_ambiguous(const Fits& fits, std::string_view name);
  const std::vector<js::BundleSegment>& segments(FileIndex map);

  ArtifactKind kind(FileIndex file);
  std::string_view file_field(FileIndex map);
  Served fail(std::string_view artifact, Reason reason, std::string detail);

  ArtifactFiles& files_;
  Sources sources_;
  js::JsCompiler compiler_;
  std::vector<std::optional<ArtifactKind>> kinds_;
  std::unordered_map<FileIndex, std::string> file_fields_;
  std::unordered_map<std::string, Served> by_url_;
  std::unordered_map<FileIndex, Served> by_file_;
  std::unordered_map<FileIndex, std::vector<js::BundleSegment>> segments_;
  std::unordered_map<const js::BundleSegment*, Served> by_segment_;
  std::vector<std::unique_ptr<ScriptArtifact>> artifacts_;
  std::vector<ArtifactFault> faults_;
};

}  // namespace twofold
