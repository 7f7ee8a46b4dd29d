#include "core/js/compile_js.h"

#include "core/base/debug_id.h"
#include "core/base/utf.h"
#include "core/js/function_of_token.h"

namespace twofold::js {
namespace {

// Files get their index when first used, so sources that nothing maps to cost nothing.
constexpr std::uint32_t kNotUsedYet = tw::kNone - 1;

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
  return builder_.finish_sorted(
      map_.segments.size(), [&](std::size_t i) { return to_token(map_.segments[i], compiled); });
}

std::uint32_t JsCompiler::intern_function(const FunctionToken& token, const StringList& names) {
  if (token.name != kNoIndex) return builder_.intern_function(names[token.name]);
  return builder_.intern_function(token.nature == ScopeNature::kGlobal ? kTopLevel
                                                                       : kAnonymousFunction);
}

Result<std::vector<std::uint8_t>> JsCompiler::build_with_names(std::string_view script,
                                                               CompiledJs& compiled) {
  const FunctionScopes scopes = find_functions(script);
  const std::string_view debug_id = scopes.comments.debug_id.value_or("");
  if (!debug_id.empty() && !map_.debug_id.empty() && !same_debug_id(debug_id, map_.debug_id)) {
    return Error{
        Code::kWrongBuild, kNoOffset,
        "the map's debug ID is " + map_.debug_id + ", the script's is " + std::string(debug_id)};
  }
  const FunctionNames functions = name_functions({script, scopes, map_, source_texts_.read(map_)});
  return builder_.finish_sorted(functions.tokens.size(), [&](std::size_t i) {
    const FunctionToken& at = functions.tokens[i];
    Segment segment;
    if (at.segment != kNoIndex) segment = map_.segments[at.segment];
    segment.generated = at.generated;
    tw::Token token = to_token(segment, compiled);
    if (!token.is_unmapped()) token.function = intern_function(at, functions.names);
    return token;
  });
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
