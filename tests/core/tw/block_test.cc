// Version 2 answers what version 1 does, at every position that can make a difference.
#include <catch2/catch.hpp>
#include <cstdio>
#include <string>

#include "core/js/compile_js.h"
#include "core/tw/block_builder.h"
#include "core/tw/block_view.h"
#include "core/tw/lookup.h"
#include "tests/core/tw/build.h"
#include "tests/support/corpus.h"

using namespace twofold;

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes to_blocks(const Bytes& flat, const tw::BlockExtras& extras = {}) {
  tw::BlockBuilder builder;
  auto built = builder.build(tw::FlatView::open(flat).value(), extras);
  if (!built) FAIL(to_string(built.error()));
  return std::move(built).value();
}

bool is_same(const std::optional<tw::Location>& a, const std::optional<tw::Location>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return a->file == b->file && a->function == b->function && a->line == b->line &&
         a->column == b->column && a->file_index == b->file_index &&
         a->function_index == b->function_index;
}

// The first position where they differ, "" for none. All tokens' positions, those beside them, and
// ends of lines.
std::string find_difference(const Bytes& flat_bytes, const Bytes& block_bytes) {
  const auto flat = tw::FlatView::open(flat_bytes).value();
  const auto opened = tw::BlockView::open(block_bytes);
  if (!opened) return to_string(opened.error());
  const tw::BlockView& blocks = opened.value();
  const auto differs = [&](Position at) {
    return !is_same(tw::find_location(flat, at), blocks.find(tw::to_key(at)));
  };
  const auto text = [](Position at) {
    return std::to_string(at.line.value()) + ":" + std::to_string(at.column.value());
  };
  for (std::uint32_t i = 0; i < flat.token_count(); ++i) {
    const Position at = flat.token(i).generated;
    for (const std::int64_t offset : {-1, 0, 1, 2, 255, 65536}) {
      const std::int64_t column = std::int64_t{at.column.value()} + offset;
      if (column < 0 || column > 0xFFFFFFFF) continue;
      const Position near{at.line, Utf16Column(static_cast<std::uint32_t>(column))};
      if (differs(near)) return text(near);
    }
    const Position line_begin{at.line, Utf16Column(0)};
    const Position line_end{at.line, Utf16Column(0xFFFFFFFF)};
    const Position next_line{Line(at.line.value() + 1), Utf16Column(3)};
    for (const Position edge : {line_begin, line_end, next_line}) {
      if (differs(edge)) return text(edge);
    }
  }
  return {};
}

}  // namespace

TEST_CASE("Blocks.EqualVersion1OnEveryMapOfTheCorpus") {
  const auto corpus = test::find_corpus("Blocks.EqualVersion1OnEveryMapOfTheCorpus");
  if (!corpus) return;
  std::size_t map_count = 0;
  for (const auto& path : test::list_maps(*corpus / "A-js")) {
    CAPTURE(path.string());
    const PaddedBuffer map{std::string_view(test::read_file(path))};
    js::JsCompiler compiler;
    const auto compiled = compiler.compile_js(map, {});
    if (!compiled) continue;
    const Bytes blocks = to_blocks(compiled.value().tw);
    CHECK(find_difference(compiled.value().tw, blocks) == "");
    const auto count = tw::FlatView::open(compiled.value().tw).value().token_count();
    std::printf("%8u tokens %9zu bytes %6.2f each  %s\n", count, blocks.size(),
                static_cast<double>(blocks.size()) / count, path.filename().string().c_str());
    ++map_count;
  }
  CHECK(map_count > 100);
}
