// Fuzzes source map text: reader in both forms, compiler, and the slow twin beside them.
//
// Beyond "does not crash": what the specification form accepts the tolerant form accepts; an error
// points into the input; a compiled map opens, verifies and answers as the slow twin does.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/js/compile_js.h"
#include "core/js/data_url.h"
#include "core/js/source_texts.h"
#include "core/tw/verify.h"
#include "tests/reference/compare.h"
#include "tests/reference/slow_map.h"

using namespace twofold;

namespace {

// The twin takes quadratic time on purpose; beyond this it would only slow the fuzzer down.
constexpr std::size_t kMaxTwinSegments = 2000;

void require(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", what.c_str());
  std::abort();
}

void check_error(const Error& error, std::size_t size) {
  require(error.offset == kNoOffset || error.offset <= size, "offset outside: " + to_string(error));
  require(!error.detail.empty(), "an error without a reason");
}

void check_compiled(const js::CompiledJs& compiled, std::string_view text) {
  const auto view = tw::FlatView::open(compiled.tw);
  require(view.ok(), "compiled, but does not open");
  const Status status = tw::verify(view.value());
  require(status.ok(),
          "compiled, but " + (status.ok() ? std::string() : to_string(status.error())));
  require(compiled.is_ignored.size() == view.value().files().count(), "an ignore flag per file");
  if (view.value().token_count() > kMaxTwinSegments) return;
  // Text that the strict tree parser refuses (a broken value that nobody reads) has no twin.
  const auto slow = reference::slow_read_map(text);
  if (!slow || slow->size() > kMaxTwinSegments) return;
  const std::string difference = reference::find_difference(view.value(), *slow);
  require(difference.empty(), difference);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const PaddedBuffer buffer(ByteView(data, size));
  js::MapReader reader;
  js::SourceMap map;
  const bool is_standard = reader.parse(buffer, js::Strictness::kSpecification, map).ok();
  const Status tolerant = reader.parse(buffer, js::Strictness::kTolerant, map);
  require(tolerant.ok() || !is_standard, "accepted by the letter, refused in tolerance");
  if (!tolerant.ok()) check_error(tolerant.error(), size);
  require(map.is_ignored.size() == map.sources.size(), "an ignore flag per source");
  js::SourceTexts texts;
  texts.assign(map);
  require(texts.size() <= map.sources.size(), "a text of no source");
  for (std::size_t source = 0; source < texts.size(); ++source) (void)texts.text(source);

  js::JsCompiler compiler;
  const auto compiled = compiler.compile_js(buffer, {});
  require(compiled.ok() == tolerant.ok(), "reader and compiler disagree");
  if (compiled.ok()) check_compiled(compiled.value(), buffer.text());

  (void)js::looks_like_source_map(buffer.text());
  (void)js::decode_data_url(buffer.text()).ok();
  return 0;
}
