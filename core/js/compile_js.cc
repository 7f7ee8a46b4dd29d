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

}  // namespace

Result<CompiledJs> JsCompiler::compile_js(PaddedView map, const CompileJsOptions& options) {
  if (Status status = reader_.parse(map, options.strictness, map_); !status) return status.error();

  CompiledJs compiled;
  compiled.debug_id = map_.debug_id;
  file_of_source_.assign(map_.sources.size(), tw::kNone);
  builder_.reserve(map_.segments.size());
  for (const Segment& segment : map_.segments) {
    std::uint32_t file = tw::kNone;
    // A null source has a place but no file. Files get their index when first used, so sources that
    // nothing maps to cost nothing.
    if (segment.source != kNoIndex && !map_.sources[segment.source].empty()) {
      std::uint32_t& known = file_of_source_[segment.source];
      if (known == tw::kNone) {
        known = builder_.intern_file(map_.sources[segment.source]);
        if (compiled.is_ignored.size() <= known) compiled.is_ignored.resize(known + 1, false);
        if (map_.is_ignored[segment.source]) compiled.is_ignored[known] = true;
      }
      file = known;
    }
    builder_.add(to_token(segment, file));
  }
  auto tw = builder_.finish();
  if (!tw) return std::move(tw).error();
  compiled.tw = std::move(tw).value();
  return compiled;
}

}  // namespace twofold::js
