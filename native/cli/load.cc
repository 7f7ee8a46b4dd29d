#include "native/cli/load.h"

#include "core/js/data_url.h"
#include "core/js/source_mapping_url.h"
#include "core/symbolicate/paths.h"
#include "native/os/file.h"

namespace twofold::cli {
namespace {

// The map of a script that was named without one.
Result<Input> find_map(const Input& script) {
  const auto url = js::find_bundle_comments(script.content.text()).source_mapping_url;
  if (url && js::is_data_url(*url)) {
    auto map = js::decode_data_url(*url);
    if (!map) return with_input(std::move(map).error(), script.path + " (sourceMappingURL)");
    return Input{script.path + " (inline map)", std::move(map).value(), ArtifactKind::kSourceMap};
  }
  std::vector<std::string> candidates;
  if (url) {
    const std::string_view path = without_query_and_fragment(*url);
    candidates.push_back(resolve_beside(script.path, js::decode_percent(path)));
  }
  candidates.push_back(script.path + ".map");
  for (const std::string& candidate : candidates) {
    if (os::path_kind(candidate) == os::PathKind::kFile) return read_input(candidate);
  }
  return Error{Code::kNotFound, kNoOffset, "its source map is not beside it; name the map too",
               script.path};
}

Error wrong_kind(const Input& input) {
  return {Code::kUnsupported, kNoOffset,
          std::string(to_string(input.kind)) + "; expected a source map or its script", input.path};
}

}  // namespace

Result<Input> read_input(const std::string& path) {
  auto content = os::read_file(path);
  if (!content) return std::move(content).error();
  Input input{path, std::move(content).value(), ArtifactKind::kNone};
  input.kind = detect_kind(input.content.text());
  return input;
}

Result<js::CompiledJs> compile_inputs(const std::vector<std::string>& paths,
                                      js::Strictness strictness, tw::Layout layout) {
  std::optional<Input> map;
  std::optional<Input> script;
  for (const std::string& path : paths) {
    auto read = read_input(path);
    if (!read) return std::move(read).error();
    Input input = std::move(read).value();
    const bool is_map = input.kind == ArtifactKind::kSourceMap;
    if (!is_map && input.kind != ArtifactKind::kScript) return wrong_kind(input);
    std::optional<Input>& place = is_map ? map : script;
    if (place) {
      return Error{Code::kUsage, kNoOffset, "a second file of the same kind", input.path};
    }
    place = std::move(input);
  }
  if (!map) {
    auto found = find_map(*script);
    if (!found) return std::move(found).error();
    map = std::move(found).value();
  }
  js::JsCompiler compiler;
  auto compiled = compiler.compile_js(
      map->content, {.script = script ? script->content.text() : std::string_view(),
                     .strictness = strictness,
                     .layout = layout});
  if (!compiled) return with_input(std::move(compiled).error(), map->path);
  return compiled;
}

Result<LoadedTw> load_tw(const std::string& path) {
  if (os::path_kind(path) == os::PathKind::kFile) {
    auto file = os::MappedFile::open(path);
    if (!file) return std::move(file).error();
    if (detect_kind(as_text(file.value().bytes())) == ArtifactKind::kTw) {
      return LoadedTw(std::move(file).value());
    }
  }
  auto compiled = compile_inputs({path}, js::Strictness::kTolerant);
  if (!compiled) return std::move(compiled).error();
  return LoadedTw(std::move(compiled.value().tw));
}

}  // namespace twofold::cli
