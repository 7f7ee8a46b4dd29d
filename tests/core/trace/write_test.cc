#include "tests/core/trace/rows.h"

using namespace twofold;
using namespace twofold::trace;

namespace {

std::string written(std::string_view line, const OriginalFrame& original) {
  std::string out;
  write_frame(only_frame(line), original, out);
  return out;
}

OriginalFrame original(std::optional<std::string_view> function, std::uint32_t line = 48,
                       std::uint32_t column = 10) {
  return {function, "src/cart.js", OneBasedLine(line), OneBasedColumn(column)};
}

}  // namespace

TEST_CASE("WriteFrame.KeepsTheStyleOfTheDialect") {
  struct Case {
    std::string_view line, named, nameless;
  };
  const Case cases[] = {
      {"at n (a.js:1:5)", "at add (src/cart.js:48:10)", "at src/cart.js:48:10"},
      {"at a.js:1:5", "at add (src/cart.js:48:10)", "at src/cart.js:48:10"},
      {"at async n (a.js:1:5)", "at async add (src/cart.js:48:10)", "at async src/cart.js:48:10"},
      {"at async a.js:1:5", "at async add (src/cart.js:48:10)", "at async src/cart.js:48:10"},
      {"at new n (a.js:1:5)", "at new add (src/cart.js:48:10)",
       "at new <anonymous> (src/cart.js:48:10)"},
      {"at t.n [as g] (a.js:1:5)", "at add [as g] (src/cart.js:48:10)",
       "at <anonymous> [as g] (src/cart.js:48:10)"},
      {"at n(a.js:1:5)", "at add (src/cart.js:48:10)", "at src/cart.js:48:10"},
      {"at n (address at m.jsbundle:1:5)", "at add (src/cart.js:48:10)", "at src/cart.js:48:10"},
      {"n@a.js:1:5", "add@src/cart.js:48:10", "@src/cart.js:48:10"},
      {"setTimeout handler*n@a.js:1:5", "setTimeout handler*add@src/cart.js:48:10",
       "setTimeout handler*@src/cart.js:48:10"},
      {"async n@a.js:1:5", "async add@src/cart.js:48:10", "async @src/cart.js:48:10"},
      {"global code@a.js:1:5", "add@src/cart.js:48:10", "@src/cart.js:48:10"},
      {"a.js:1:5", "add@src/cart.js:48:10", "src/cart.js:48:10"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.line);
    CHECK(written(c.line, original("add")) == c.named);
    CHECK(written(c.line, original(std::nullopt)) == c.nameless);
  }
}

TEST_CASE("WriteFrame.AliasIsLeftOutWhereV8LeavesItOut") {
  const std::string_view line = "at t.n [as add] (a.js:1:5)";
  CHECK(written(line, original("add")) == "at add (src/cart.js:48:10)");
  CHECK(written(line, original("Cart.add")) == "at Cart.add (src/cart.js:48:10)");
  CHECK(written(line, original("get add")) == "at get add (src/cart.js:48:10)");
  CHECK(written(line, original("readd")) == "at readd [as add] (src/cart.js:48:10)");
}

TEST_CASE("WriteFrame.NewIsNotSaidTwice") {
  CHECK(written("at new n (a.js:1:5)", original("new Cart")) == "at new Cart (src/cart.js:48:10)");
}

TEST_CASE("WriteFrame.UnknownNumbersAreLeftOutAndNeverZero") {
  CHECK(written("at n (a.js:1:5)", original("add", 48, 0)) == "at add (src/cart.js:48)");
  CHECK(written("at n (a.js:1:5)", original("add", 0, 10)) == "at add (src/cart.js)");
  CHECK(written("n@a.js:1:5", original("add", 0, 0)) == "add@src/cart.js");
}

TEST_CASE("WriteFrame.UnknownFileIsNeverInvented") {
  const OriginalFrame name_only{"add", std::nullopt, OneBasedLine(3), OneBasedColumn(4)};
  const OriginalFrame nothing{};
  CHECK(written("at n (a.js:1:5)", name_only) == "at add (<anonymous>)");
  CHECK(written("at n (a.js:1:5)", nothing) == "at <anonymous>");
  CHECK(written("n@a.js:1:5", name_only) == "add@");
}

TEST_CASE("WriteFrame.AMapCannotAddLinesOrTerminalCodes") {
  const OriginalFrame hostile{"a\nb\x1b[2J", "c\rd\x7f.js", OneBasedLine(1), OneBasedColumn(1)};
  CHECK(written("at n (a.js:1:5)", hostile) == "at a?b?[2J (c?d?.js:1:1)");
  CHECK(written("n@a.js:1:5", hostile) == "a?b?[2J@c?d?.js:1:1");
}
