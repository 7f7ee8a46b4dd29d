#include "core/tw/flat_builder.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "core/tw/dump.h"
#include "core/tw/verify.h"
#include "tests/core/tw/build.h"

using namespace twofold;
using namespace twofold::test;

namespace {

void append_u32(std::vector<std::uint8_t>& bytes, const std::vector<std::uint32_t>& values) {
  for (const std::uint32_t value : values) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
      bytes.push_back(static_cast<std::uint8_t>(value >> shift));
    }
  }
}

std::uint32_t token_count(const std::vector<Row>& rows) {
  const auto bytes = build_flat(rows);
  return open_flat(bytes).token_count();
}

}  // namespace

// The bytes by hand, from FORMAT.md: what other implementations of version 1 read and write.
TEST_CASE("FlatBuilder.WritesTheDocumentedBytes") {
  std::vector<std::uint8_t> expected{'T', 'W', 'S', 'M'};
  append_u32(expected, {1, 3, 2, 1, 0});
  append_u32(expected, {0, 0, 1, 1, 0, 0});
  append_u32(expected, {0, 7, 0, 0, 0xFFFFFFFF, 0xFFFFFFFF});
  append_u32(expected, {3, 2, 12, 34, 1, 0xFFFFFFFF});
  append_u32(expected, {0, 4, 7});
  for (const char c : std::string("a.jsb.c")) expected.push_back(static_cast<std::uint8_t>(c));
  append_u32(expected, {0, 4});  // unaligned: 7 bytes of file names stand before it
  for (const char c : std::string("main")) expected.push_back(static_cast<std::uint8_t>(c));

  CHECK(build_flat({{0, 0, "a.js", 1, 1, "main"}, {0, 7}, {3, 2, "b.c", 12, 34}}) == expected);
}

TEST_CASE("FlatBuilder.EmptyFileIsHeaderAndTwoEmptyTables") {
  const auto bytes = build_flat({});
  CHECK(bytes.size() == tw::flat::kHeaderSizeBytes + 8);
  CHECK(tw::verify(open_flat(bytes)).ok());
}

TEST_CASE("FlatBuilder.DropsWhatChangesNoAnswer") {
  struct Case {
    const char* why;
    std::vector<Row> rows;
    std::uint32_t kept;
  };
  const Case cases[] = {
      {"a repeat of the token before it", {{0, 0, "a", 1, 1}, {0, 5, "a", 1, 1}}, 1},
      {"a repeat on another line is needed", {{0, 0, "a", 1, 1}, {1, 5, "a", 1, 1}}, 2},
      {"another column is another answer", {{0, 0, "a", 1, 1}, {0, 5, "a", 1, 2}}, 2},
      {"another file is another answer", {{0, 0, "a", 1, 1}, {0, 5, "b", 1, 1}}, 2},
      {"another function is another answer", {{0, 0, "a", 1, 1, "f"}, {0, 5, "a", 1, 1, "g"}}, 2},
      {"a line starts unmapped anyway", {{0, 3}, {0, 5, "a", 1, 1}}, 1},
      {"unmapped twice", {{0, 0, "a", 1, 1}, {0, 5}, {0, 9}}, 2},
      {"unmapped first of every line", {{0, 0, "a", 1, 1}, {1, 0}, {2, 0}}, 1},
      {"the middle of three at one place",
       {{0, 0, "a", 1, 1}, {0, 0, "a", 2, 1}, {0, 0, "a", 3, 1}},
       2},
      {"first equals last", {{0, 0, "a", 1, 1}, {0, 0, "a", 2, 1}, {0, 0, "a", 1, 1}}, 1},
      {"first repeats, last differs", {{0, 0, "a", 1, 1}, {0, 5, "a", 1, 1}, {0, 5, "a", 2, 1}}, 3},
      {"first differs, last repeats", {{0, 0, "a", 1, 1}, {0, 5, "a", 2, 1}, {0, 5, "a", 1, 1}}, 3},
      {"repeat of the last of a pair",
       {{0, 0, "a", 1, 1}, {0, 0, "a", 2, 1}, {0, 5, "a", 2, 1}},
       2},
      {"a pair of unmapped and mapped", {{0, 0}, {0, 0, "a", 1, 1}}, 2},
  };
  for (const Case& c : cases) {
    CAPTURE(c.why);
    CHECK(token_count(c.rows) == c.kept);
  }
}

TEST_CASE("FlatBuilder.OrderOfLinesDoesNotMatter") {
  std::vector<Row> rows;
  for (std::uint32_t i = 0; i < 500; ++i) rows.push_back({i / 50, i % 50, "a", i + 1, 1});
  const auto sorted = build_flat(rows);
  std::reverse(rows.begin(), rows.end());
  CHECK(build_flat(rows) == sorted);
}

TEST_CASE("FlatBuilder.IsEmptyAgainAfterFinish") {
  tw::FlatBuilder builder;
  const auto build_once = [&] {
    tw::Token token;
    token.generated = at(4, 2);
    token.original_line = 1;
    token.original_column = 1;
    token.file = builder.intern_file("x.js");
    token.function = builder.intern_function("f");
    builder.add(token);
    token.generated = at(1, 0);  // goes back: the builder has to sort
    builder.add(token);
    return builder.finish().value();
  };
  const auto first = build_once();
  CHECK(build_once() == first);
  CHECK(builder.finish().value() == build_flat({}));
}

TEST_CASE("StringTableBuilder.SameTextSameIndex") {
  tw::StringTableBuilder table;
  CHECK(table.intern("") == 0);
  CHECK(table.intern("a") == 1);
  CHECK(table.intern(std::string_view("a\0b", 3)) == 2);
  CHECK(table.intern("a") == 1);
  CHECK(table.intern("") == 0);
  for (std::uint32_t i = 0; i < 5000; ++i) REQUIRE(table.intern("n" + std::to_string(i)) == 3 + i);
  for (std::uint32_t i = 0; i < 5000; ++i) REQUIRE(table.intern("n" + std::to_string(i)) == 3 + i);
  CHECK(table.count() == 5003);
  table.clear();
  CHECK(table.count() == 0);
  CHECK(table.intern("n17") == 0);
}

// Names made to meet in one slot. With unbounded probing 20,000 of them took 200 million
// comparisons.
TEST_CASE("StringTableBuilder.CollidingNamesTakeLinearTime") {
  const auto slot_of =
      [](std::string_view text) {  // the builder's own hash, or nothing would collide
        std::uint64_t value = 0xCBF29CE484222325u;
        for (const char c : text) value = (value ^ static_cast<std::uint8_t>(c)) * 0x100000001B3u;
        return (value ^ (value >> 32)) & 0xFFF;
      };
  std::vector<std::string> names;
  for (std::uint32_t i = 0; names.size() < 1000; ++i) {
    std::string name = "n" + std::to_string(i);
    if (slot_of(name) == 7) names.push_back(std::move(name));
  }
  tw::StringTableBuilder table;
  for (std::uint32_t i = 0; i < names.size(); ++i) CHECK(table.intern(names[i]) == i);
  CHECK(table.intern(names[10]) == 10);
  CHECK(table.intern(names[999]) == 1000);  // out of reach: stored once more
}
