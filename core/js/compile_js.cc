#include "core/js/compile_js.h"

#include <algorithm>

#include "core/base/debug_id.h"
#include "core/base/utf.h"
#include "core/js/function_of_token.h"
#include "core/js/source_mapping_url.h"

namespace twofold::js {
namespace {

// Files and functions get their index when first used, so what nothing maps to costs nothing.
constexpr std::uint32_t kNotUsedYet = tw::kNone - 1;

}  // namespace

// The file of a source; a null source has places but no file.
std::uint32_t JsCompiler::add_file(std::uint32_t source) {
  const std::string_view name = map_.sources[source];
  if (name.empty() && !has_nameless_files_) return tw::kNone;
  const std::uint32_t file =
      name.empty() ? builder_.add_nameless_file() : builder_.intern_file(name);
  file_count_ = std::max(file_count_, file + 1);
  return file;
}

// The original place of a segment in the units of a .tw: 1-based, 0 for "nothing is here".
inline tw::Token JsCompiler::to_token(Position generated, const Segment& segment) {
  tw::Token token;
  token.generated = generated;
  if (segment.source == kNoIndex) return token;
  token.original_line = segment.original.line.value() + 1;
  token.original_column = segment.original.column.value() + 1;
  std::uint32_t& file = file_of_source_[segment.source];
  if (file == kNotUsedYet) file = add_file(segment.source);
  token.file = file;
  if (!map_.function_maps.empty()) token.function = find_mapped_function(segment);
  return token;
}

// The entry of the function table that the map's own function maps give, or kNone.
std::uint32_t JsCompiler::find_mapped_function(const Segment& segment) {
  const auto name = map_.function_maps.find(segment.source, segment.original);
  if (!name) return tw::kNone;
  std::uint32_t& function = function_of_name_[*name];
  if (function == kNotUsedYet) {
    const std::string_view text = map_.function_maps.names()[*name];
    function = builder_.intern_function(text.empty() ? kAnonymousFunction : text);
  }
  return function;
}

Result<std::vector<std::uint8_t>> JsCompiler::build_positions() {
  return builder_.finish_sorted(map_.segments.size(), [&](std::size_t i) {
    return to_token(map_.segments[i].generated, map_.segments[i]);
  });
}

inline std::uint32_t JsCompiler::find_function(const FunctionToken& token) {
  if (token.name == kNoIndex) {
    return intern_once(token.nature == ScopeNature::kGlobal ? kTopLevel : kAnonymousFunction,
                       token.nature == ScopeNature::kGlobal ? global_ : anonymous_);
  }
  if (token.name >= function_of_inferred_.size()) {  // a source text was read meanwhile
    function_of_inferred_.resize(namer_.names().size(), kNotUsedYet);
  }
  std::uint32_t& function = function_of_inferred_[token.name];
  return function != kNotUsedYet ? function : intern_once(namer_.names()[token.name], function);
}

std::uint32_t JsCompiler::intern_once(std::string_view name, std::uint32_t& function) {
  if (function == kNotUsedYet) function = builder_.intern_function(name);
  return function;
}

// A token between two segments is in another function than the segment before it, which is all that
// a function map knows; there the bundle counts.
[[gnu::always_inline]] inline tw::Token JsCompiler::to_named_token(const FunctionToken& at) {
  const Segment& segment = map_.segments[at.segment];
  tw::Token token = to_token(at.generated, segment);
  const bool is_told = token.function != tw::kNone && segment.generated == at.generated;
  if (!token.is_unmapped() && !is_told) token.function = find_function(at);
  return token;
}

Status JsCompiler::check_debug_id(const BundleComments& comments) const {
  const std::string_view debug_id = comments.debug_id.value_or("");
  if (debug_id.empty() || map_.debug_id.empty() || same_debug_id(debug_id, map_.debug_id)) {
    return {};
  }
  return Error{
      Code::kWrongBuild, kNoOffset,
      "the map's debug ID is " + map_.debug_id + ", the script's is " + std::string(debug_id)};
}

// Bytecode is looked up by offsets, which nothing in the script can be compared with but its ID.
Result<std::vector<std::uint8_t>> JsCompiler::build_bytecode(std::string_view script,
                                                             CompiledJs& compiled) {
  if (Status status = check_debug_id(find_bundle_comments(script)); !status) return status.error();
  compiled.instruction_starts.reserve(map_.segments.size());
  for (const Segment& segment : map_.segments) {
    compiled.instruction_starts.push_back(segment.generated);
  }
  return build_positions();
}

Result<std::vector<std::uint8_t>> JsCompiler::build(std::string_view script, CompiledJs& compiled) {
  if (map_.is_bytecode) return build_bytecode(script, compiled);
  return script.empty() ? build_positions() : build_with_names(script);
}

Result<std::vector<std::uint8_t>> JsCompiler::build_with_names(std::string_view script) {
  scanner_.scan(script, scopes_);
  if (Status status = check_debug_id(scopes_.comments); !status) return status.error();
  namer_.open({script, scopes_, map_, source_texts_});
  function_of_inferred_.assign(namer_.names().size(), kNotUsedYet);
  global_ = anonymous_ = kNotUsedYet;
  FunctionToken last;
  // How many tokens there are shows at the end. Until the count is full the last one is repeated,
  // which the builder drops.
  return builder_.finish_sorted(namer_.max_token_count(), [&](std::size_t /*i*/) {
    if (namer_.is_at_segment()) [[likely]]
      return to_named_token(namer_.take_segment());
    static_cast<void>(namer_.next(last));
    return to_named_token(last);
  });
}

std::vector<bool> JsCompiler::list_ignored() const {
  std::vector<bool> is_ignored(file_count_, false);
  for (std::size_t source = 0; source < file_of_source_.size(); ++source) {
    const std::uint32_t file = file_of_source_[source];
    if (map_.is_ignored[source] && file < file_count_) is_ignored[file] = true;
  }
  return is_ignored;
}

// By file; of several sources with one name the first that has a text.
std::vector<std::string> JsCompiler::copy_source_texts() {
  std::vector<std::string> by_file;
  for (std::size_t source = 0; source < source_texts_.size(); ++source) {
    const std::uint32_t file = file_of_source_[source];
    if (file >= file_count_) continue;
    if (by_file.size() <= file) by_file.resize(file + 1);
    if (by_file[file].empty()) by_file[file] = source_texts_.text(source);
  }
  return by_file;
}

// From version 1, whose rules of what to drop and how to number then hold for both.
Result<std::vector<std::uint8_t>> JsCompiler::to_blocks(const CompiledJs& compiled) {
  const auto flat = tw::FlatView::open(compiled.tw);
  if (!flat) return flat.error();
  std::vector<tw::Identity> identities{{tw::IdentityKind::kBuilder, "twofold " TWOFOLD_VERSION}};
  if (!map_.debug_id.empty()) identities.push_back({tw::IdentityKind::kDebugId, map_.debug_id});
  tw::BlockExtras extras;
  extras.language = tw::Language::kJavaScript;
  extras.identities = identities;
  extras.is_ignored = compiled.is_ignored;
  return block_builder_.build(flat.value(), extras);
}

Result<CompiledJs> JsCompiler::compile_js(PaddedView map, const CompileJsOptions& options) {
  if (Status status = reader_.parse(map, options.strictness, map_); !status) return status.error();

  CompiledJs compiled;
  compiled.debug_id = map_.debug_id;
  has_nameless_files_ = options.wants_source_texts;
  source_texts_.assign(map_);
  file_count_ = 0;
  file_of_source_.assign(map_.sources.size(), kNotUsedYet);
  function_of_name_.assign(map_.function_maps.names().size(), kNotUsedYet);
  auto tw = build(without_bom(options.script), compiled);
  if (!tw) return std::move(tw).error();
  compiled.tw = std::move(tw).value();
  compiled.is_ignored = list_ignored();
  if (options.layout == tw::Layout::kBlocks) {
    auto blocks = to_blocks(compiled);
    if (!blocks) return std::move(blocks).error();
    compiled.tw = std::move(blocks).value();
  }
  if (options.wants_source_texts) compiled.source_texts = copy_source_texts();
  if (options.wants_called_names && options.script.empty()) {
    compiled.called_names = CalledNames(map_);
  }
  return compiled;
}

}  // namespace twofold::js
