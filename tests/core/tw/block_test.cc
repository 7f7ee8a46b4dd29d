// Version 2 answers what version 1 does, at every position that can make a difference.
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>

#include "core/base/xxh64.h"
#include "core/js/compile_js.h"
#include "core/tw/block_builder.h"
#include "core/tw/block_view.h"
#include "core/tw/dump.h"
#include "core/tw/lookup.h"
#include "core/tw/verify.h"
#include "core/tw/view.h"
#include "tests/core/tw/build.h"
#include "tests/support/corpus.h"

using namespace twofold;
using namespace twofold::test;

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

// Puts the checksums of sections and header right.
void repair_checksums(Bytes& file) {
  using namespace tw::blocks;
  const std::size_t count = load_u32(file.data() + kSectionCountAt);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint8_t* const entry = file.data() + kHeaderSizeBytes + i * kSectionSizeBytes;
    const std::size_t offset = load_u32(entry + kSectionOffsetAt);
    const std::size_t size = load_u32(entry + kSectionSizeAt);
    store(entry + kSectionChecksumAt, xxh64(ByteView(file).subspan(offset, size)));
  }
  store(file.data() + kChecksumAt, std::uint64_t{0});
  const std::size_t end = kHeaderSizeBytes + count * kSectionSizeBytes;
  store(file.data() + kChecksumAt, xxh64(ByteView(file).first(end)));
}

// Random tokens of one kind: how far columns and lines jump, how large original numbers are.
struct Kind {
  const char* what;
  std::uint32_t most_column_step;
  std::uint32_t new_line_in;  // a new line in this many tokens; 0: one line
  std::uint32_t most_line_step;
  std::uint32_t most_original;
  std::size_t name_bytes;
};

Bytes random_flat(const Kind& kind, std::uint32_t token_count, std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto up_to = [&](std::uint32_t most) {
    return static_cast<std::uint32_t>(random() % (std::uint64_t{most} + 1));
  };
  tw::FlatBuilder builder;
  std::uint64_t line = up_to(3);
  std::uint64_t column = 0;
  for (std::uint32_t i = 0; i < token_count; ++i) {
    if (kind.new_line_in != 0 && up_to(kind.new_line_in - 1) == 0) {
      line = std::min<std::uint64_t>(line + 1 + up_to(kind.most_line_step), 0xFFFFFFFF);
      column = 0;
    }
    column = std::min<std::uint64_t>(column + up_to(kind.most_column_step), 0xFFFFFFFF);
    tw::Token token;
    token.generated = {Line(static_cast<std::uint32_t>(line)),
                       Utf16Column(static_cast<std::uint32_t>(column))};
    if (up_to(9) != 0) {
      token.original_line =
          kind.most_original == 0 ? 0xFFFFFFFF - up_to(2) : 1 + up_to(kind.most_original - 1);
      token.original_column =
          kind.most_original == 0 ? 0xFFFFFFFF - up_to(2) : up_to(kind.most_original);
      const auto name = [&](const char* what) {
        return what + std::to_string(up_to(60)) + std::string(kind.name_bytes, 'n');
      };
      if (up_to(5) != 0) token.file = builder.intern_file(name("file"));
      if (up_to(2) != 0) token.function = builder.intern_function(name("f"));
    }
    builder.add(token);
  }
  return std::move(builder.finish()).value();
}

// The hazards: huge columns, duplicates, wide records, short lines, giant literals, long names.
constexpr Kind kKinds[] = {
    {"a bundle", 14, 0, 0, 5000, 5},
    {"many duplicates", 1, 0, 0, 50, 0},
    {"short lines", 30, 6, 1, 5000, 5},
    {"a token a line", 30, 1, 1, 5000, 5},
    {"lines far apart", 300, 2, 0x3FFFFFF, 5000, 5},
    {"columns far apart", 0x00FFFFFF, 0, 0, 5000, 5},
    {"wide records", 14, 3, 2, 0xFFFFFFFE, 5},
    {"the largest numbers", 14, 0, 0, 0, 5},
    {"everything wide", 0x7FFFFFFF, 2, 0x00FFFFFF, 0xFFFFFFFE, 5},
    {"names of 200 bytes", 14, 0, 0, 5000, 200},
    {"names of 250 bytes, short lines", 14, 3, 1, 5000, 250},
    {"names that are long", 14, 0, 0, 5000, 300},
    {"names longer than a page", 14, 9, 3, 5000, 6000},
    // Buckets that no page holds, and forked ones whose names no page holds.
    {"dense, wide records", 1, 0, 0, 0xFFFFFFFE, 5},
    {"dense, names of 250 bytes", 1, 0, 0, 5000, 250},
};

}  // namespace

TEST_CASE("Blocks.EqualVersion1OnHazards") {
  for (const Kind& kind : kKinds) {
    for (const std::uint32_t count : {0u, 1u, 2u, 63u, 64u, 65u, 1000u, 7000u}) {
      for (const std::uint32_t seed : {1u, 2u}) {
        CAPTURE(kind.what, count, seed);
        const Bytes flat = random_flat(kind, count, seed);
        const Bytes blocks = to_blocks(flat);
        CHECK(find_difference(flat, blocks) == "");
        const Status status = tw::verify(tw::BlockView::open(blocks).value());
        CHECK((status ? "" : to_string(status.error())) == "");
      }
    }
  }
}

// With checksums that are right: only what the table says is wrong.
TEST_CASE("Blocks.ATableThatLeadsElsewhereDoesNotVerify") {
  const Bytes good = to_blocks(random_flat(kKinds[0], 9000, 1));
  const auto fault_of = [&](tw::SectionKind kind, std::size_t entry, std::uint32_t added) {
    Bytes blocks = good;
    const tw::SectionView section = tw::BlockView::open(good).value().section(kind);
    std::uint8_t* const at = blocks.data() + section.offset + entry * 4;
    store(at, load_u32(at) + added);
    repair_checksums(blocks);
    const auto opened = tw::BlockView::open(blocks);
    REQUIRE(opened);
    const Status status = tw::verify(opened.value());
    return status ? std::string() : status.error().detail;
  };
  CHECK(fault_of(tw::SectionKind::kBuckets, 5, 0) == "");
  CHECK(fault_of(tw::SectionKind::kBuckets, 5, 1) != "");
  CHECK(fault_of(tw::SectionKind::kBuckets, 5, tw::blocks::kIsEmpty) == "a block");
  // Behind the header of 8 bytes: where the only run begins, and where it ends.
  CHECK(fault_of(tw::SectionKind::kRuns, 3, 1u << 16) != "");
  CHECK(fault_of(tw::SectionKind::kRuns, 3, 0u - (1u << 16)) != "");
}

TEST_CASE("Blocks.AreTheSameBytesEveryTime") {
  const Bytes flat = random_flat(kKinds[0], 3000, 1);
  tw::BlockBuilder builder;
  const auto view = tw::FlatView::open(flat).value();
  const auto first = builder.build(view, {});
  const Bytes other = sample_flat();
  CHECK(builder.build(tw::FlatView::open(other).value(), {}));
  CHECK(builder.build(view, {}).value() == first.value());
}

TEST_CASE("Blocks.RefuseWhatDoesNotVerify") {
  const Bytes good = sample_flat();
  const auto fails_with = [&](std::size_t token, std::size_t field, std::uint32_t value) {
    Bytes bytes = good;
    const std::size_t at = tw::flat::kHeaderSizeBytes + token * tw::flat::kTokenSizeBytes + field;
    std::memcpy(bytes.data() + at, &value, sizeof value);
    tw::BlockBuilder builder;
    const auto built = builder.build(tw::FlatView::open(bytes).value(), {});
    return built ? std::string("built")
                 : std::string(to_string(built.error().code)) + ": " + built.error().detail;
  };
  CHECK(fails_with(1, tw::flat::kGeneratedColumnAt, 100) == "bad_table: tokens are not sorted");
  CHECK(fails_with(0, tw::flat::kGeneratedColumnAt, 5) ==
        "bad_table: three tokens at one position");
  CHECK(fails_with(0, tw::flat::kFileAt, 2) == "bad_table: no such file");
  CHECK(fails_with(0, tw::flat::kFunctionAt, 2) == "bad_table: no such function");
}

// A function that was inlined into one that was inlined: three frames from one position.
TEST_CASE("Blocks.GiveInlineChainsFromTheInside") {
  const Bytes flat = build_flat({{0, 0, "a.cc", 10, 1, "outer"},
                                 {0, 8, "b.h", 20, 2, "inner"},
                                 {0, 12, "a.cc", 12, 1, "outer"}});
  const tw::Caller callers[] = {{.function = 0, .file = 0, .line = 11, .column = 3, .parent = 0},
                                {.function = 1, .file = 1, .line = 30, .column = 0, .parent = 1}};
  const std::uint32_t token_callers[] = {0, 2, 0};
  tw::BlockExtras extras;
  extras.language = tw::Language::kNative;
  extras.callers = callers;
  extras.token_callers = token_callers;
  const Bytes blocks = to_blocks(flat, extras);
  const auto view = tw::BlockView::open(blocks).value();
  REQUIRE(tw::verify(view));
  CHECK(view.language() == tw::Language::kNative);

  std::vector<std::string> frames;
  for (auto frame = view.find(9); frame; frame = view.find_caller(frame->caller)) {
    frames.push_back(std::string(*frame->function) + " " + std::string(*frame->file) + ":" +
                     std::to_string(frame->line.value()));
  }
  CHECK(frames == std::vector<std::string>{"inner b.h:20", "inner b.h:30", "outer a.cc:11"});
  CHECK(view.find(12)->caller == 0);
  CHECK_FALSE(view.find_caller(0).has_value());
  CHECK_FALSE(view.find_caller(3).has_value());

  const tw::Caller loop[] = {{.parent = 1}};
  extras.callers = loop;
  extras.token_callers = {};
  tw::BlockBuilder builder;
  CHECK_FALSE(builder.build(tw::FlatView::open(flat).value(), extras));
}

TEST_CASE("Blocks.CarryWhatVersion1HasNoRoomFor") {
  const tw::Identity identities[] = {{tw::IdentityKind::kDebugId, "0123-4567"},
                                     {tw::IdentityKind::kBuilder, "somebody"}};
  const std::uint8_t packed[] = {1, 1, 0, 0xFE, 0xFF, 'x'};  // raw deflate, stored: `x`
  const tw::SourcePiece sources[] = {{}, {packed, 1}};
  tw::BlockExtras extras;
  extras.identities = identities;
  extras.is_ignored = {false, true};
  extras.sources = sources;
  const Bytes blocks = to_blocks(sample_flat(), extras);
  const auto view = tw::View::open(blocks).value();
  REQUIRE(tw::verify(view));
  CHECK(view.version() == 2);
  CHECK(view.debug_id() == "0123-4567");
  CHECK(view.as_blocks()->identity(tw::IdentityKind::kBuildId) == "");
  CHECK_FALSE(view.is_ignored(0));
  CHECK(view.is_ignored(1));
  CHECK_FALSE(view.is_ignored(2));
  CHECK_FALSE(view.as_blocks()->source(0).has_value());
  REQUIRE(view.as_blocks()->source(1).has_value());
  CHECK(view.as_blocks()->source(1)->size_bytes == 1);
  CHECK(view.as_blocks()->source(1)->packed.size() == sizeof packed);
  CHECK_FALSE(view.as_blocks()->source(2).has_value());
  CHECK(view.file(1) == "src/b.ts");
  CHECK(view.function(0) == "main");
}

// Looked up without being verified: any answer, no crash; and `verify` tells.
TEST_CASE("Blocks.EveryTruncationAndEveryFlippedByteIsTold") {
  tw::BlockExtras extras;
  const tw::Identity identities[] = {{tw::IdentityKind::kDebugId, "0123-4567"}};
  const tw::Caller callers[] = {{.function = 0, .file = 0, .line = 1, .column = 1, .parent = 0}};
  const std::uint8_t packed[] = {3, 0};
  const tw::SourcePiece sources[] = {{packed, 0}};
  extras.identities = identities;
  extras.callers = callers;
  extras.sources = sources;
  const Bytes good = to_blocks(random_flat(kKinds[2], 400, 1), extras);
  REQUIRE(tw::verify(tw::BlockView::open(good).value()));
  const auto use = [](const tw::BlockView& view) {
    std::size_t touched = 0;
    for (std::uint64_t line = 0; line < 40; ++line) {
      for (std::uint64_t column = 0; column < 200; column += 17) {
        auto frame = view.find(line << 32 | column);
        for (int depth = 0; frame && depth < 10; ++depth) {
          for (const auto& text : {frame->file, frame->function}) {
            for (const char c : text.value_or("")) touched += static_cast<unsigned char>(c);
          }
          frame = view.find_caller(frame->caller);
        }
      }
    }
    return touched + tw::dump(tw::View(view)).size();
  };
  for (std::size_t size = 0; size < good.size(); ++size) {
    const Bytes cut(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size));
    CHECK_FALSE(tw::BlockView::open(cut));
  }
  std::size_t padding_count = 0;
  for (std::size_t at = 0; at < good.size(); ++at) {
    Bytes bad = good;
    bad[at] = static_cast<std::uint8_t>(bad[at] ^ (1u << (at % 8)));
    const auto opened = tw::BlockView::open(bad);
    if (!opened) continue;
    CHECK(use(opened.value()) > 0);
    if (tw::verify(opened.value())) ++padding_count;
  }
  CHECK(padding_count < 40);  // bytes between sections: room for keys of pages that were not needed
}

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
    if (count > 5000) {
      std::printf("%8u tokens %9zu bytes %6.2f each  %s\n", count, blocks.size(),
                  static_cast<double>(blocks.size()) / count, path.filename().string().c_str());
    }
    ++map_count;
  }
  CHECK(map_count > 100);
}
