#include "core/tw/verify.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <string_view>

#include "core/tw/dump.h"
#include "tests/core/tw/build.h"

using namespace twofold;
using namespace twofold::test;
using std::string_view_literals::operator""sv;

namespace {
constexpr std::size_t token_at(std::size_t index, std::size_t field) {
  return tw::flat::kHeaderSizeBytes + index * tw::flat::kTokenSizeBytes + field;
}
constexpr std::size_t kFilesAt = token_at(6, 0);  // of the sample
constexpr std::size_t kFileTextAt = kFilesAt + 12;
constexpr std::size_t kFunctionsAt = kFileTextAt + 16;
constexpr std::size_t kFunctionTextAt = kFunctionsAt + 12;
}  // namespace

TEST_CASE("Verify.PointsAtTheFault") {
  struct Case {
    const char* what;
    std::size_t offset;
    std::uint32_t value;
    Code code;
    std::uint64_t reported_at;
  };
  const Case cases[] = {
      {"falling column", token_at(1, tw::flat::kGeneratedColumnAt), 100, Code::kBadTable,
       token_at(2, 0)},
      {"falling line", token_at(1, tw::flat::kGeneratedLineAt), 5, Code::kBadTable, token_at(2, 0)},
      {"column without line", token_at(3, tw::flat::kOriginalColumnAt), 1, Code::kBadTable,
       token_at(3, tw::flat::kOriginalLineAt)},
      {"file without line", token_at(3, tw::flat::kFileAt), 0, Code::kBadTable,
       token_at(3, tw::flat::kOriginalLineAt)},
      {"no such file", token_at(0, tw::flat::kFileAt), 2, Code::kBadTable,
       token_at(0, tw::flat::kFileAt)},
      {"no such function", token_at(4, tw::flat::kFunctionAt), 2, Code::kBadTable,
       token_at(4, tw::flat::kFunctionAt)},
      {"offsets start above 0", kFilesAt, 1, Code::kBadTable, kFilesAt},
      {"offset beyond the text", kFilesAt + 4, 17, Code::kBadTable, kFilesAt},
      {"offset beyond the text", kFunctionsAt + 4, 0x80000000, Code::kBadTable, kFunctionsAt},
      {"not UTF-8", kFileTextAt + 8, 0xFFFFFFFF, Code::kBadUtf8, kFileTextAt + 8},
      {"not UTF-8", kFunctionTextAt, 0x80808080, Code::kBadUtf8, kFunctionTextAt},
  };
  const auto good = sample_flat();
  REQUIRE(tw::verify(open_flat(good)).ok());
  for (const Case& c : cases) {
    CAPTURE(c.what);
    auto bytes = sample_flat();
    std::memcpy(bytes.data() + c.offset, &c.value, sizeof c.value);
    const Status status = tw::verify(open_flat(bytes));
    REQUIRE_FALSE(status.ok());
    CHECK(status.error().code == c.code);
    CHECK(status.error().offset == c.reported_at);
  }
}

TEST_CASE("Verify.CatchesEveryFlippedBitThatChangesTheMeaning") {
  // A flip in a token's original position or text stays a valid file; all others must be caught.
  auto bytes = sample_flat();
  for (std::size_t at_byte = kFilesAt; at_byte < kFilesAt + 12; ++at_byte) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      bytes[at_byte] = static_cast<std::uint8_t>(bytes[at_byte] ^ (1u << bit));
      const auto opened = tw::FlatView::open(bytes);
      const bool shifts_boundary = at_byte < kFilesAt + 8 && at_byte >= kFilesAt + 4;
      if (opened.ok() && !shifts_boundary) CHECK_FALSE(tw::verify(opened.value()).ok());
      bytes[at_byte] = static_cast<std::uint8_t>(bytes[at_byte] ^ (1u << bit));
    }
  }
}

TEST_CASE("Dump.OneLinePerTokenAndString") {
  const auto bytes = sample_flat();
  CHECK(tw::dump(tw::View(open_flat(bytes))) ==
        "tw version 1, 6 tokens, 2 files, 2 functions\n"
        "token 1:1 -> src/a.js:1:1 fn=main\n"
        "token 1:6 -> src/a.js:2:1 fn=main\n"
        "token 1:6 -> src/b.ts:7:3 fn=helper\n"
        "token 1:21 -> unmapped\n"
        "token 3:5 -> src/b.ts:9:1\n"
        "token 3:10 -> -:4:2\n"
        "file 0 src/a.js\n"
        "file 1 src/b.ts\n"
        "function 0 main\n"
        "function 1 helper\n");
}

// A name may hold anything; it must not forge a line of the dump or a terminal escape.
TEST_CASE("Dump.ControlCharactersAreEscaped") {
  const auto bytes = build_flat({{0, 0, "a\nfile 7 x\x1b[31m\0\\\x7f\xC3\xA9"sv, 1, 1}});
  CHECK(tw::dump(tw::View(open_flat(bytes))) ==
        "tw version 1, 1 tokens, 1 files, 0 functions\n"
        "token 1:1 -> a\\x0afile 7 x\\x1b[31m\\x00\\\\\\x7f\xC3\xA9:1:1\n"
        "file 0 a\\x0afile 7 x\\x1b[31m\\x00\\\\\\x7f\xC3\xA9\n");
}
