#include "core/js/compile_js.h"

namespace twofold::js {
namespace {

// The original place of a segment in the units of a .tw: 1-based, 0 for "nothing is here".
tw::Token to_token(const Segment& segment, std::uint32_t file) {
  tw::Token token;
  token.generated = segment.generated;
  if (segment.source == kNoIndex) return token;
  token.original_line = segment.original.line.value() + 1;
  token.original_column = segment.original.column.value() + 1;
  token.file = file;
  return token;
}

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

Result<CompiledJs> JsCompiler::compile_js(PaddedView map, const CompileJsOptions& options) {
  if (Status status = reader_.parse(map, options.strictness, map_); !status) return status.error();

  CompiledJs compiled;
  compiled.debug_id = map_.debug_id;
  file_of_source_.assign(map_.sources.size(), kNotUsedYet);
  auto tw = builder_.finish_sorted(map_.segments.size(), [&](std::size_t i) {
    const Segment& segment = map_.segments[i];
    std::uint32_t file = tw::kNone;
    if (segment.source != kNoIndex) {
      std::uint32_t& known = file_of_source_[segment.source];
      if (known == kNotUsedYet) known = add_file(segment.source, compiled);
      file = known;
    }
    return to_token(segment, file);
  });
  if (!tw) return std::move(tw).error();
  compiled.tw = std::move(tw).value();
  return compiled;
}

}  // namespace twofold::js
