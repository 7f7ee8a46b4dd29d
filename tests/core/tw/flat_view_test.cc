#include "core/tw/flat_view.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <memory>
#include <string>

#include "core/tw/dump.h"
#include "core/tw/lookup.h"
#include "core/tw/verify.h"
#include "tests/core/tw/build.h"

using namespace twofold;
using namespace twofold::test;

namespace {

// Everything that can be asked of a file. What it answers does not matter here; that it returns
// does.
void use(const tw::FlatView& view) {
  for (std::uint32_t line = 0; line < 4; ++line) {
    for (std::uint32_t column = 0; column < 24; ++column) {
      (void)tw::find_location(view, at(line, column));
    }
    (void)tw::find_location(view, at(line, 0xFFFFFFFF));
  }
  (void)tw::find_location(view, at(0xFFFFFFFF, 0xFFFFFFFF));
  (void)tw::verify(view).ok();
  (void)tw::dump(tw::View(view)).size();
}

// The bytes in a block of exactly their size, so that ASan sees one byte too many.
struct Exact {
  explicit Exact(const std::vector<std::uint8_t>& bytes, std::size_t size)
      : data(new std::uint8_t[size]), size_bytes(size) {
    if (size > 0) std::memcpy(data.get(), bytes.data(), size);
  }
  ByteView view() const { return {data.get(), size_bytes}; }
  std::unique_ptr<std::uint8_t[]> data;
  std::size_t size_bytes;
};

void put_u32(std::vector<std::uint8_t>& bytes, std::size_t offset, std::uint32_t value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

}  // namespace

TEST_CASE("FlatViewOpen.ReadsBackWhatWasWritten") {
  const auto bytes = sample_flat();
  const tw::FlatView view = open_flat(bytes);
  CHECK(view.token_count() == 6);
  CHECK(view.files().count() == 2);
  CHECK(view.functions().count() == 2);
  CHECK(view.files().find(0) == "src/a.js");
  CHECK(view.files().find(1) == "src/b.ts");
  CHECK_FALSE(view.files().find(2));
  CHECK_FALSE(view.files().find(tw::kNone));
  CHECK(view.functions().find(1) == "helper");
  CHECK(view.token(1).generated == at(0, 5));
  CHECK(view.token(3).is_unmapped());
  CHECK(view.key(4) == tw::to_key(at(2, 4)));
  CHECK(tw::verify(view).ok());
}

TEST_CASE("FlatViewOpen.DefaultStringTableIsEmpty") {
  const tw::StringTableView none;
  CHECK(none.count() == 0);
  CHECK_FALSE(none.find(0));
}

TEST_CASE("FlatViewOpen.EveryTruncationIsRefused") {
  const auto bytes = sample_flat();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CAPTURE(size);
    const Exact cut(bytes, size);
    const auto opened = tw::FlatView::open(cut.view());
    REQUIRE_FALSE(opened.ok());
    CHECK(opened.error().code == (size < 4 ? Code::kBadMagic : Code::kTruncated));
    CHECK(opened.error().offset <= size);
  }
}

TEST_CASE("FlatViewOpen.BytesBehindTheEndAreRefused") {
  auto bytes = sample_flat();
  const std::size_t size = bytes.size();
  bytes.push_back(0);
  const auto opened = tw::FlatView::open(bytes);
  REQUIRE_FALSE(opened.ok());
  CHECK(opened.error().code == Code::kBadTable);
  CHECK(opened.error().offset == size);
}

TEST_CASE("FlatViewOpen.EveryFlippedHeaderBitIsRefused") {
  const auto bytes = sample_flat();
  for (std::size_t bit = 0; bit < tw::flat::kHeaderSizeBytes * 8; ++bit) {
    CAPTURE(bit);
    auto flipped = bytes;
    flipped[bit / 8] = static_cast<std::uint8_t>(flipped[bit / 8] ^ (1u << (bit % 8)));
    const Exact exact(flipped, flipped.size());
    const auto opened = tw::FlatView::open(exact.view());
    if (opened.ok()) use(opened.value());
    CHECK_FALSE(opened.ok());
  }
}

TEST_CASE("FlatViewOpen.AnyFlippedBitIsSafe") {
  const auto bytes = sample_flat();
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    auto flipped = bytes;
    flipped[bit / 8] = static_cast<std::uint8_t>(flipped[bit / 8] ^ (1u << (bit % 8)));
    const Exact exact(flipped, flipped.size());
    const auto opened = tw::FlatView::open(exact.view());
    if (opened.ok()) use(opened.value());
  }
  SUCCEED();
}

TEST_CASE("FlatViewOpen.HugeCountsAreRefusedWithoutWork") {
  for (const std::size_t field :
       {tw::flat::kTokenCountAt, tw::flat::kFileCountAt, tw::flat::kFunctionCountAt}) {
    for (const std::uint32_t count : {0xFFFFFFFFu, 0x80000000u, 0x0AAAAAABu, 0x40000000u}) {
      CAPTURE(field, count);
      auto bytes = sample_flat();
      put_u32(bytes, field, count);
      const auto opened = tw::FlatView::open(bytes);
      REQUIRE_FALSE(opened.ok());
      CHECK(opened.error().code == Code::kTruncated);
    }
  }
}

TEST_CASE("FlatViewOpen.NamesTheFault") {
  struct Case {
    std::size_t offset;
    std::uint32_t value;
    Code code;
  };
  const Case cases[] = {
      {tw::flat::kMagicAt, 0, Code::kBadMagic},
      {tw::flat::kVersionAt, 2, Code::kUnsupportedVersion},
      {tw::flat::kVersionAt, 0, Code::kUnsupportedVersion},
      {tw::flat::kReservedAt, 1, Code::kBadTable},
  };
  for (const Case& c : cases) {
    CAPTURE(c.offset, c.value);
    auto bytes = sample_flat();
    put_u32(bytes, c.offset, c.value);
    const auto opened = tw::FlatView::open(bytes);
    REQUIRE_FALSE(opened.ok());
    CHECK(opened.error().code == c.code);
    CHECK(opened.error().offset == c.offset);
  }
}

TEST_CASE("FlatViewOpen.DamagedStringReadsAsAbsent") {
  auto bytes = sample_flat();
  const std::size_t offsets_at = tw::flat::kHeaderSizeBytes + 6 * tw::flat::kTokenSizeBytes;
  put_u32(bytes, offsets_at + 4, 0xFFFFFFFF);  // end of file 0 and start of file 1
  const tw::FlatView view = open_flat(bytes);
  CHECK_FALSE(view.files().find(0));
  CHECK_FALSE(view.files().find(1));
  const auto found = tw::find_location(view, at(0, 0));
  REQUIRE(found);
  CHECK_FALSE(found->file);
  CHECK(found->file_index == tw::kNone);
  CHECK_FALSE(tw::verify(view).ok());
}

// Tokens in falling order break the search's assumption; any index it returns must still exist.
TEST_CASE("FindFloor.UnsortedTokensAreSafe") {
  std::vector<std::uint8_t> bytes = build_flat({});
  constexpr std::uint32_t kCount = 6;
  // Every assignment of 3 keys to 6 tokens.
  for (std::uint32_t code = 0; code < 729; ++code) {
    std::vector<std::uint8_t> file(bytes.begin(), bytes.begin() + tw::flat::kHeaderSizeBytes);
    std::uint32_t rest = code;
    for (std::uint32_t i = 0; i < kCount; ++i, rest /= 3) {
      const std::uint32_t words[] = {0, rest % 3, 1, 1, tw::kNone, tw::kNone};
      const auto* raw = reinterpret_cast<const std::uint8_t*>(words);
      file.insert(file.end(), raw, raw + sizeof words);
    }
    file.insert(file.end(), 8, 0);
    put_u32(file, tw::flat::kTokenCountAt, kCount);
    const Exact exact(file, file.size());
    const auto view = tw::FlatView::open(exact.view());
    REQUIRE(view.ok());
    for (std::uint32_t column = 0; column < 4; ++column) {
      const std::uint32_t index = tw::find_floor(view.value(), at(0, column));
      REQUIRE((index == tw::kNone || index < kCount));
    }
  }
}
