// Source map to .tw: the expensive work that is done once per artifact.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/padded.h"
#include "core/base/result.h"
#include "core/js/called_names.h"
#include "core/js/function_names.h"
#include "core/js/map_reader.h"
#include "core/js/source_texts.h"
#include "core/tw/block_builder.h"
#include "core/tw/flat_builder.h"

namespace twofold::js {

struct CompiledJs {
  std::vector<std::uint8_t> tw;
  // Per file of the .tw: third-party code by the map's ignore list. Version 1 has no room for it,
  // version 2 has it too.
  std::vector<bool> is_ignored;
  std::string debug_id;  // of the map, "" when it has none
  // Of a map of bytecode, where an instruction begins that can be in a trace, ascending; empty for
  // other maps. Tells whether a trace is of this build (core/symbolicate/bytecode_build.h).
  std::vector<Position> instruction_starts;
  // When asked for, else empty. Per file of the .tw, "" where the map has none.
  std::vector<std::string> source_texts;
  // When asked for and without a script: with it functions have names of their own.
  CalledNames called_names;
};

struct CompileJsOptions {
  // The script that the map belongs to, for the names of functions; empty: positions, and the names
  // of the map's own function maps. For a map of bytecode it counts as empty: the script is what
  // the bytecode was compiled from, and its columns are not the map's.
  std::string_view script = {};
  Strictness strictness = Strictness::kTolerant;
  tw::Layout layout = tw::Layout::kFlat;
  // What version 1 has no room for and a trace can use. With source texts, each source without a
  // name is a file of its own, called "": the texts differ. Else places in such sources have no
  // file.
  bool wants_source_texts = false;
  bool wants_called_names = false;
};

// Compiles one map after another with the same buffers: a map no larger than those before costs no
// allocation but for what is returned. Not thread-safe; one per thread.
class JsCompiler {
 public:
  // Errors: those of MapReader::parse and FlatBuilder; kWrongBuild, when map and script both carry
  // a debug ID and they differ. A script that is not JavaScript costs names, never positions.
  [[nodiscard]] Result<CompiledJs> compile_js(PaddedView map, const CompileJsOptions& options);

 private:
  [[nodiscard]] std::uint32_t add_file(std::uint32_t source);
  // With a function where the map tells it.
  [[nodiscard]] tw::Token to_token(Position generated, const Segment& segment);
  // With a function in any case.
  [[nodiscard]] tw::Token to_named_token(const FunctionToken& at);
  [[nodiscard]] std::uint32_t find_mapped_function(const Segment& segment);
  [[nodiscard]] std::vector<bool> list_ignored() const;
  [[nodiscard]] std::vector<std::string> copy_source_texts();
  [[nodiscard]] Result<std::vector<std::uint8_t>> to_blocks(const CompiledJs& compiled);
  [[nodiscard]] Status check_debug_id(const BundleComments& comments) const;
  [[nodiscard]] Result<std::vector<std::uint8_t>> build(std::string_view script,
                                                        CompiledJs& compiled);
  [[nodiscard]] Result<std::vector<std::uint8_t>> build_positions();
  [[nodiscard]] Result<std::vector<std::uint8_t>> build_bytecode(std::string_view script,
                                                                 CompiledJs& compiled);
  [[nodiscard]] Result<std::vector<std::uint8_t>> build_with_names(std::string_view script);
  // The entry of the function table for a token. The table is asked once for each name.
  [[nodiscard]] std::uint32_t find_function(const FunctionToken& token);
  std::uint32_t intern_once(std::string_view name, std::uint32_t& function);

  MapReader reader_;
  SourceMap map_;
  SourceTexts source_texts_;
  ScopeScanner scanner_;
  FunctionScopes scopes_;  // of the script
  FunctionNamer namer_;
  tw::FlatBuilder builder_;
  tw::BlockBuilder block_builder_;
  bool has_nameless_files_ = false;  // of the map in hand: sources without a name are files
  std::vector<std::uint32_t> file_of_source_;
  std::uint32_t file_count_ = 0;
  std::vector<std::uint32_t> function_of_name_;      // per name of the function maps
  std::vector<std::uint32_t> function_of_inferred_;  // per name of namer_
  std::uint32_t anonymous_ = 0;                      // the entries for what has no name
  std::uint32_t global_ = 0;
};

}  // namespace twofold::js
