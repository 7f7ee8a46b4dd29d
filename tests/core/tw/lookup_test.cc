#include "core/tw/lookup.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/core/tw/build.h"
#include "tests/reference/compare.h"
#include "tests/reference/slow_lookup.h"
#include "tests/support/random.h"

using namespace twofold;
using namespace twofold::test;

namespace {

// What a lookup says, as text: `file:line:column`, or `-`.
std::string answer(const tw::FlatView& view, Position position) {
  const auto found = tw::find_location(view, position);
  if (!found) return "-";
  return std::string(found->file.value_or("?")) + ":" + std::to_string(found->line.value()) + ":" +
         std::to_string(found->column.value());
}

}  // namespace

TEST_CASE("FindLocation.SampleFile") {
  const auto bytes = sample_flat();
  const tw::FlatView view = open_flat(bytes);
  struct Case {
    std::uint32_t line;
    std::uint32_t column;
    const char* expected;
  };
  const Case cases[] = {
      {0, 0, "src/a.js:1:1"},
      {0, 4, "src/a.js:1:1"},
      {0, 5, "src/a.js:2:1"},  // exact hit on a duplicate: the first
      {0, 6, "src/b.ts:7:3"},  // behind it: the last
      {0, 19, "src/b.ts:7:3"},
      {0, 20, "-"},
      {0, 0xFFFFFFFF, "-"},
      {1, 0, "-"},
      {1, 0xFFFFFFFF, "-"},
      {2, 0, "-"},
      {2, 3, "-"},
      {2, 4, "src/b.ts:9:1"},
      {2, 8, "src/b.ts:9:1"},
      {2, 9, "?:4:2"},
      {2, 0xFFFFFFFF, "?:4:2"},
      {3, 0, "-"},
      {0xFFFFFFFF, 0, "-"},
      {0xFFFFFFFF, 0xFFFFFFFF, "-"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.line, c.column);
    CHECK(answer(view, at(c.line, c.column)) == c.expected);
  }
}

TEST_CASE("FindFloor.ReturnsPreviousTokenOnSameLine") {
  const auto bytes = build_flat({{0, 3, "a", 1, 1}, {1, 8, "a", 2, 1}});
  const tw::FlatView view = open_flat(bytes);
  CHECK(tw::find_floor(view, at(0, 2)) == tw::kNone);
  CHECK(tw::find_floor(view, at(0, 3)) == 0);
  CHECK(tw::find_floor(view, at(0, 100000)) == 0);
  CHECK(tw::find_floor(view, at(1, 0)) == tw::kNone);  // never the token of the line before
  CHECK(tw::find_floor(view, at(1, 8)) == 1);
}

TEST_CASE("FindFloor.EmptyFileAnswersNothing") {
  const auto bytes = build_flat({});
  CHECK(tw::find_floor(open_flat(bytes), at(0, 0)) == tw::kNone);
  CHECK_FALSE(tw::find_location(open_flat(bytes), at(0, 0)));
}

TEST_CASE("FindFloor.ThreeTokensAtOnePosition") {
  const auto bytes = build_flat({{1, 5, "a", 1, 1}, {1, 5, "a", 2, 1}, {1, 5, "a", 3, 1}});
  const tw::FlatView view = open_flat(bytes);
  CHECK(view.token_count() == 2);
  CHECK(answer(view, at(1, 5)) == "a:1:1");
  CHECK(answer(view, at(1, 6)) == "a:3:1");
}

TEST_CASE("FindFloor.ColumnsAbove16And31Bits") {
  const auto bytes = build_flat({{0, 65535, "a", 1, 1},
                                 {0, 65536, "a", 2, 70000},
                                 {0, 0xFFFFFFFE, "a", 3, 1},
                                 {0x80000000, 1, "a", 4, 1}});
  const tw::FlatView view = open_flat(bytes);
  CHECK(answer(view, at(0, 65534)) == "-");
  CHECK(answer(view, at(0, 65535)) == "a:1:1");
  CHECK(answer(view, at(0, 0x80000000)) == "a:2:70000");
  CHECK(answer(view, at(0, 0xFFFFFFFF)) == "a:3:1");
  CHECK(answer(view, at(0x80000000, 0)) == "-");
  CHECK(answer(view, at(0x80000000, 2)) == "a:4:1");
}

TEST_CASE("SlowTwin.BothFormsAgree") {
  Random random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<reference::SlowSegment> segments(random.below(30));
    for (auto& segment : segments) {
      segment.line = random.below(3);
      segment.column = random.below(12);
      segment.is_mapped = random.below(4) != 0;
    }
    const auto positions = reference::interesting_positions(segments);
    const auto swept = reference::slow_locate_all(segments, positions);
    for (std::size_t i = 0; i < positions.size(); ++i) {
      REQUIRE(swept[i] == reference::slow_locate(segments, positions[i].line, positions[i].column));
    }
  }
}

namespace {

// Builds the segments, which have a place only, into a file and compares every interesting answer.
// Where they lead to is drawn from a few places, files with and without a name among them.
void require_equals_twin(std::vector<reference::SlowSegment> segments, Random& random) {
  tw::FlatBuilder builder;
  for (auto& segment : segments) {
    segment.is_mapped = random.below(5) != 0;
    tw::Token token;
    token.generated = at(segment.line, segment.column);
    if (segment.is_mapped) {
      segment.source = std::string(random.below(3), 'f');  // "" is a source without a name
      segment.original_line = random.below(3);
      segment.original_column = random.below(2);
      token.original_line = segment.original_line + 1;
      token.original_column = segment.original_column + 1;
      if (!segment.source.empty()) token.file = builder.intern_file(segment.source);
    }
    builder.add(token);
  }
  const auto built = builder.finish();
  REQUIRE(built.ok());
  const tw::FlatView view = open_flat(built.value());
  REQUIRE(reference::find_difference(view, segments) == "");
}

}  // namespace

// Lists that are short on positions, so that duplicates, repeats and gaps meet all the time.
TEST_CASE("FindLocation.EqualsSlowTwinOnRandomTokens") {
  Random random(2024);
  for (int round = 0; round < 4000; ++round) {
    const std::uint32_t columns = 1 + random.below(40);
    const std::uint32_t lines = 1 + random.below(4);
    std::vector<reference::SlowSegment> segments(random.below(60));
    for (auto& segment : segments) {
      segment.line = random.below(lines);
      segment.column = random.below(columns);
    }
    require_equals_twin(std::move(segments), random);
  }
}

// One line, where the search begins at a guess: tokens spread evenly, crowded at either end or in
// heaps, with gaps of any size between them.
TEST_CASE("FindLocation.EqualsSlowTwinOnUnevenLines") {
  Random random(2025);
  for (int round = 0; round < 400; ++round) {
    std::vector<reference::SlowSegment> segments(1 + random.below(500));
    const std::uint32_t heap = 1 + random.below(50);
    const std::uint32_t largest_gap = 1u << random.below(22);
    const std::uint32_t start = random.below(2) != 0 ? 0 : 0x80000000;
    std::uint32_t column = start;
    for (std::size_t i = 0; i < segments.size(); ++i) {
      segments[i].line = 7;
      segments[i].column = column;
      column += random.below(heap) == 0 ? random.below(largest_gap) : random.below(3);
    }
    if (random.below(4) == 0) segments.back().column = 0xFFFFFFFF;
    if (random.below(4) == 0) segments.front().column = 0;
    require_equals_twin(std::move(segments), random);
  }
}
