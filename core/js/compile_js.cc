#include "core/js/compile_js.h"

#include "core/base/debug_id.h"
#include "core/base/utf.h"
#include "core/js/function_of_token.h"

namespace twofold::js {
namespace {

// Files get their index when first used, so sources that nothing maps to cost nothing.
constexpr std::uint32_t kNotUsedYet = tw::kNone - 1;

// Puts the functions of the script into the tokens of the map: both lists are walked in order of position,
// and where a function begins or ends between two segments, a token is added that says the same place in
// another function.
std::vector<tw::Token> merge(std::vector<tw::Token> tokens, std::span<const FunctionStart> starts,
                             std::span<const std::uint32_t> functions) {
  std::vector<tw::Token> merged;
  merged.reserve(tokens.size() + starts.size());
  std::size_t next = 0;
  std::uint32_t function = tw::kNone;
  const auto start_functions = [&](auto is_before) {
    for (; next < starts.size() && is_before(starts[next].at); ++next) {
      function = functions[next];
      if (merged.empty()) continue;
      tw::Token between = merged.back();
      if (between.is_unmapped() || between.generated.line != starts[next].at.line) continue;
      between.generated = starts[next].at;
      between.function = function;
      merged.push_back(between);
    }
  };
  for (tw::Token& token : tokens) {
    start_functions([&](Position at) { return at < token.generated; });
    if (next < starts.size() && starts[next].at == token.generated) function = functions[next++];
    if (!token.is_unmapped()) token.function = function;
    merged.push_back(token);
  }
  start_functions([](Position) { return true; });
  return merged;
}

}  // namespace

// The file of a source; a null source has places but no file.
std::uint32_t JsCompiler::add_file(std::uint32_t source, CompiledJs& compiled) {
  if (map_.sources[source].empty()) return tw::kNone;
  const std::uint32_t file = builder_.intern_file(map_.sources[source]);
  if (compiled.is_ignored.size() <= file) compiled.is_ignored.resize(file + 1, false);
  if (map_.is_ignored[source]) compiled.is_ignored[file] = true;
  return file;
}

// The original place of a segment in the units of a .tw: 1-based, 0 for "nothing is here".
tw::Token JsCompiler::to_token(const Segment& segment, CompiledJs& compiled) {
  tw::Token token;
  token.generated = segment.generated;
  if (segment.source == kNoIndex) return token;
  token.original_line = segment.original.line.value() + 1;
  token.original_column = segment.original.column.value() + 1;
  std::uint32_t& file = file_of_source_[segment.source];
  if (file == kNotUsedYet) file = add_file(segment.source, compiled);
  token.file = file;
  return token;
}

Result<std::vector<std::uint8_t>> JsCompiler::build_positions(CompiledJs& compiled) {
  return builder_.finish_sorted(map_.segments.size(), [&](std::size_t i) {
    return to_token(map_.segments[i], compiled);
  });
}

std::vector<std::uint32_t> JsCompiler::intern_names(std::span<const FunctionStart> starts,
                                                    const ScopeNames& names) {
  std::vector<std::uint32_t> functions;
  functions.reserve(starts.size());
  for (const FunctionStart& start : starts) {
    if (start.scope == kNoEntry) {
      functions.push_back(builder_.intern_function(kTopLevel));
    } else {
      const std::string_view name = names[start.scope];
      functions.push_back(builder_.intern_function(name.empty() ? kAnonymousFunction : name));
    }
  }
  return functions;
}

Result<std::vector<std::uint8_t>> JsCompiler::build_with_names(std::string_view script,
                                                               CompiledJs& compiled) {
  const FunctionScopes scopes = find_functions(script);
  const std::string_view debug_id = scopes.comments.debug_id.value_or("");
  if (!debug_id.empty() && !map_.debug_id.empty() && !same_debug_id(debug_id, map_.debug_id)) {
    return Error{Code::kWrongBuild, kNoOffset,
                 "the map's debug ID is " + map_.debug_id + ", the script's is " +
                     std::string(debug_id)};
  }
  const TextPositions positions(script);
  MapNames map_names(map_, {});
  const ScopeNames names = infer_names({script, scopes, positions, map_names});
  const std::vector<FunctionStart> starts = list_function_starts(scopes, positions);
  const std::vector<std::uint32_t> functions = intern_names(starts, names);

  std::vector<tw::Token> tokens;
  tokens.reserve(map_.segments.size());
  for (const Segment& segment : map_.segments) tokens.push_back(to_token(segment, compiled));
  tokens = merge(std::move(tokens), starts, functions);
  return builder_.finish_sorted(tokens.size(), [&](std::size_t i) { return tokens[i]; });
}

Result<CompiledJs> JsCompiler::compile_js(PaddedView map, const CompileJsOptions& options) {
  if (Status status = reader_.parse(map, options.strictness, map_); !status) return status.error();

  CompiledJs compiled;
  compiled.debug_id = map_.debug_id;
  file_of_source_.assign(map_.sources.size(), kNotUsedYet);
  const std::string_view script = without_bom(options.script);
  auto tw = script.empty() ? build_positions(compiled) : build_with_names(script, compiled);
  if (!tw) return std::move(tw).error();
  compiled.tw = std::move(tw).value();
  return compiled;
}

}  // namespace twofold::js
