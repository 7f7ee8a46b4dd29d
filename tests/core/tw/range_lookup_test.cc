// What is answered from ranges is what the whole file answers, with few and small reads.
#include "core/tw/range_lookup.h"

#include <catch2/catch.hpp>
#include <random>
#include <string>

#include "core/tw/block_builder.h"
#include "core/tw/block_view.h"
#include "tests/core/tw/build.h"

using namespace twofold;
using namespace twofold::test;

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes build_blocks(std::uint32_t token_count, std::uint32_t tokens_per_line, std::size_t name_bytes,
                   std::uint32_t line_step = 1) {
  std::mt19937 random(1);
  tw::FlatBuilder builder;
  std::uint32_t column = 0;
  for (std::uint32_t i = 0; i < token_count; ++i) {
    if (tokens_per_line != 0 && i % tokens_per_line == 0) column = 0;
    tw::Token token;
    column += 1 + static_cast<std::uint32_t>(random() % 15);
    token.generated = {Line(tokens_per_line == 0 ? 7 : i / tokens_per_line * line_step),
                       Utf16Column(column)};
    if (random() % 10 != 0) {
      token.original_line = 1 + static_cast<std::uint32_t>(random() % 3000);
      token.original_column = 1 + static_cast<std::uint32_t>(random() % 90);
      token.file =
          builder.intern_file("file" + std::to_string(i / 3000) + std::string(name_bytes, 'x'));
      token.function = builder.intern_function("f" + std::to_string(random() % 300));
    }
    builder.add(token);
  }
  const auto flat = std::move(builder.finish()).value();
  tw::BlockBuilder blocks;
  return std::move(blocks.build(tw::FlatView::open(flat).value(), {})).value();
}

struct Cost {
  std::size_t rounds = 0;
  std::size_t reads = 0;
  std::uint64_t bytes = 0;
};

// Reads until nothing is needed; each piece is a copy that is gone afterwards.
Cost run(tw::RangeLookup& lookup, const Bytes& file) {
  Cost cost;
  while (!lookup.needed().empty()) {
    REQUIRE(cost.rounds++ < 12);
    std::vector<Bytes> copies;
    for (const tw::ByteRange& range : lookup.needed()) {
      REQUIRE(range.offset + range.size <= file.size());
      const auto begin = file.begin() + static_cast<std::ptrdiff_t>(range.offset);
      copies.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(range.size));
      ++cost.reads;
      cost.bytes += range.size;
    }
    const std::vector<ByteView> pieces(copies.begin(), copies.end());
    REQUIRE(lookup.take(pieces));
  }
  return cost;
}

// The place of a token near the middle of a random bucket, and others beside it.
std::vector<std::uint64_t> some_keys(const tw::BlockView& view, std::size_t count) {
  std::mt19937 random(2);
  std::vector<std::uint64_t> keys{0, ~std::uint64_t{0}};
  while (keys.size() < count) {
    const tw::Run run = view.runs().run(static_cast<std::uint32_t>(random() % view.runs().count()));
    const std::uint64_t key = run.key(run.begin + random() % (run.end - run.begin));
    keys.push_back(key);
    keys.push_back(key - 1);
    keys.push_back(key + random() % 9000);
    keys.push_back(key + (std::uint64_t{random() % 40} << 32));
  }
  return keys;
}

bool is_same(const std::optional<tw::Location>& a, const std::optional<tw::Location>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return a->file == b->file && a->function == b->function && a->line == b->line &&
         a->column == b->column && a->file_index == b->file_index &&
         a->function_index == b->function_index;
}

struct Shape {
  const char* what;
  std::uint32_t tokens;
  std::uint32_t tokens_per_line;
  std::size_t name_bytes;
  std::size_t most_reads;  // for one place
  std::uint32_t line_step = 1;
};
constexpr Shape kShapes[] = {
    {"one token", 1, 0, 5, 1},
    {"two pages", 1500, 0, 5, 2},
    {"a bundle", 200'000, 0, 5, 4},
    {"many lines", 200'000, 8, 5, 4},
    {"long names", 20'000, 0, 2000, 6},
    {"lines far apart", 24'000, 8, 5, 4, 1000},
    {"many lines far apart", 80'000, 8, 5, 6, 1000},
};

}  // namespace

TEST_CASE("RangeLookup.EqualsTheWholeFile") {
  for (const Shape& shape : kShapes) {
    CAPTURE(shape.what);
    const Bytes file =
        build_blocks(shape.tokens, shape.tokens_per_line, shape.name_bytes, shape.line_step);
    const auto view = tw::BlockView::open(file).value();
    const auto keys = some_keys(view, 300);
    tw::RangeLookup together(file.size(), keys);
    run(together, file);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      CAPTURE(keys[i]);
      CHECK(is_same(together.answer(i), view.find(keys[i])));
    }
    for (std::size_t i = 0; i < keys.size(); i += 7) {
      CAPTURE(keys[i]);
      tw::RangeLookup alone(file.size(), {keys[i]});
      const Cost cost = run(alone, file);
      CHECK(is_same(alone.answer(0), view.find(keys[i])));
      CHECK(cost.reads <= shape.most_reads);
      CHECK(cost.bytes <= 65'536);
    }
  }
}

TEST_CASE("RangeLookup.ManyPlacesShareTheirReads") {
  const Bytes file = build_blocks(200'000, 0, 5);
  const auto view = tw::BlockView::open(file).value();
  std::vector<std::uint64_t> keys;
  const tw::Run first = view.runs().run(0);
  for (std::uint64_t i = 0; i < 50; ++i) keys.push_back(first.key(first.end / 2 + i));
  tw::RangeLookup lookup(file.size(), keys);
  const Cost cost = run(lookup, file);
  CHECK(cost.rounds <= 4);
  CHECK(cost.reads <= 4);
}

TEST_CASE("RangeLookup.SaysWhatIsWrong") {
  const Bytes file = build_blocks(1500, 0, 5);
  tw::RangeLookup short_read(file.size(), {0});
  const Bytes half(100);
  const ByteView piece(half);
  const Status status = short_read.take({&piece, 1});
  REQUIRE_FALSE(status);
  CHECK(status.error().code == Code::kTruncated);
  CHECK(short_read.needed().empty());
  CHECK_FALSE(short_read.answer(0).has_value());

  Bytes damaged(file.begin(), file.begin() + 4096);
  damaged[40] ^= 1;
  tw::RangeLookup lookup(file.size(), {0});
  const ByteView head(damaged);
  const Status refused = lookup.take({&head, 1});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kBadTable);

  tw::RangeLookup nothing(file.size(), {});
  CHECK(nothing.needed().empty());
}

// A file that lies ends all the same: nothing is asked for outside of it, nor for ever.
TEST_CASE("RangeLookup.EndsOnDamagedFiles") {
  const Bytes good = build_blocks(3000, 6, 400);
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    Bytes bad = good;
    for (int flips = 0; flips < 3; ++flips) {
      const std::size_t at = 240 + random() % (bad.size() - 240);
      bad[at] = static_cast<std::uint8_t>(random());
    }
    tw::RangeLookup lookup(bad.size(), {0, 5, std::uint64_t{40} << 32 | 3, ~std::uint64_t{0}});
    run(lookup, bad);
  }
}
