// Source map to .tw: the expensive work that is done once per artifact.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/padded.h"
#include "core/base/result.h"
#include "core/js/map_reader.h"
#include "core/tw/flat_builder.h"

namespace twofold::js {

struct CompiledJs {
  std::vector<std::uint8_t> tw;
  // Per file of the .tw: third-party code by the map's ignore list. Version 1 has no room for it.
  std::vector<bool> is_ignored;
  std::string debug_id;  // of the map, "" when it has none
};

struct CompileJsOptions {
  Strictness strictness = Strictness::kTolerant;
};

// Compiles one map after another with the same buffers. Not thread-safe; one per thread.
class JsCompiler {
 public:
  // Errors: those of MapReader::parse and FlatBuilder.
  [[nodiscard]] Result<CompiledJs> compile_js(PaddedView map, const CompileJsOptions& options);

 private:
  [[nodiscard]] std::uint32_t add_file(std::uint32_t source, CompiledJs& compiled);

  MapReader reader_;
  SourceMap map_;
  tw::FlatBuilder builder_;
  std::vector<std::uint32_t> file_of_source_;
};

}  // namespace twofold::js
