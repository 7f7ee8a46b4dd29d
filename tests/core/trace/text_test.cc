// Whole texts: lines, prefixes, suffixes, hostile sizes.
#include "tests/core/trace/rows.h"

using namespace twofold::trace;

namespace {

// Writes every frame as itself: all else must come out as it went in.
std::string rewritten(std::string_view text) {
  std::string out;
  std::size_t done = 0;
  for (const Frame& frame : parse_trace(text).frames) {
    REQUIRE(frame.begin >= done);
    REQUIRE(frame.end > frame.begin);
    REQUIRE(frame.end <= text.size());
    out += text.substr(done, frame.begin - done);
    out += '<';
    out += text_of(text, frame);
    out += '>';
    done = frame.end;
  }
  out += text.substr(done);
  return out;
}

std::string repeated(std::string_view part, std::size_t size) {
  std::string out;
  out.reserve(size + part.size());
  while (out.size() < size) out += part;
  return out;
}

}  // namespace

TEST_CASE("ParseTrace.KeepsPrefixAndSuffixOfALineOutOfTheFrame") {
  struct Case {
    std::string_view text, expected;
  };
  const Case cases[] = {
      {"2024-01-01 12:00 ERROR web:     at n (a.js:1:5)",
       "2024-01-01 12:00 ERROR web:     <at n (a.js:1:5)>"},
      {"web-1  |     at n (a.js:1:5)", "web-1  |     <at n (a.js:1:5)>"},
      {"I/app\tat n (a.js:1:5)", "I/app\t<at n (a.js:1:5)>"},
      {"pid  at host:     at n (a.js:1:5)", "pid  at host:     <at n (a.js:1:5)>"},
      {"    at n (a.js:1:5) {", "    <at n (a.js:1:5)> {"},
      {"    at x/a.js:1:5 {", "    <at x/a.js:1:5> {"},
      {"    at a.js:1:5,", "    <at a.js:1:5>,"},
      {"    at x/a.js:1:5 and more", "    <at x/a.js:1:5> and more"},
      {"    at n (a.js:1:5) and (more)", "    <at n (a.js:1:5)> and (more)"},
      {"    at n (a.js:1:5)\r", "    <at n (a.js:1:5)>\r"},
      {"    at a.js:1:5\r", "    <at a.js:1:5>\r"},
      {"    at <anonymous>\r", "    <at <anonymous>>\r"},
      {"\x1b[90m    at n (node:fs:1:5)\x1b[39m", "\x1b[90m    <at n (node:fs:1:5)>\x1b[39m"},
      {"\x1b[90m    at node:fs:1:5\x1b[39m", "\x1b[90m    <at node:fs:1:5>\x1b[39m"},
      {"f@a.js:1:5\r\ng@a.js:1:6\r\n", "<f@a.js:1:5>\r\n<g@a.js:1:6>\r\n"},
      {"\n\n    at n (a.js:1:5)\n\n", "\n\n    <at n (a.js:1:5)>\n\n"},
      {"", ""},
      {"\n", "\n"},
  };
  for (const Case& c : cases) CHECK(rewritten(c.text) == c.expected);
}

TEST_CASE("ParseTrace.CountsEveryLine") {
  const Trace trace = parse_trace(
      "Error: a\nb\r\n\n    at f (a.js:1:1)\n    [cause]: Error\n        at g (a.js:1:2) {\n  }\n");
  REQUIRE(trace.frames.size() == 2);
  CHECK(trace.frames[0].line_index == 3);
  CHECK(trace.frames[1].line_index == 5);
}

TEST_CASE("ParseTrace.NodeBlocksOfCausesAndAggregates") {
  CHECK(rewritten("AggregateError: all failed\n"
                  "    at f (a.js:1:1) {\n"
                  "  [errors]: [\n"
                  "    Error: one\n"
                  "        at a.js:1:2,\n"
                  "    Error: two\n"
                  "        at g (a.js:1:3)\n"
                  "  ],\n"
                  "  [cause]: TypeError: at first (sight)\n"
                  "      at h (a.js:1:4)\n"
                  "      ... 4 lines matching cause stack trace ...\n"
                  "      at async a.js:1:5 {\n"
                  "    code: 'E@1:2'\n"
                  "  }\n"
                  "}\n") ==
        "AggregateError: all failed\n"
        "    <at f (a.js:1:1)> {\n"
        "  [errors]: [\n"
        "    Error: one\n"
        "        <at a.js:1:2>,\n"
        "    Error: two\n"
        "        <at g (a.js:1:3)>\n"
        "  ],\n"
        "  [cause]: TypeError: at first (sight)\n"
        "      <at h (a.js:1:4)>\n"
        "      ... 4 lines matching cause stack trace ...\n"
        "      <at async a.js:1:5> {\n"
        "    code: 'E@1:2'\n"
        "  }\n"
        "}\n");
}

TEST_CASE("ParseTrace.ALineOfAMessageThatHasTheShapeOfAFrameIsOne") {
  CHECK(rewritten("Error: see\n    at f (a.js:1:1)\nabove\n    at g (a.js:1:2)") ==
        "Error: see\n    <at f (a.js:1:1)>\nabove\n    <at g (a.js:1:2)>");
}

TEST_CASE("ParseTrace.AnOpenBracketIsAFrameUnlessTheTextIsCutThere") {
  CHECK(rewritten("at f (a.js:10:5\nat g (a.js:1:2)") == "<at f (a.js:10:5>\n<at g (a.js:1:2)>");
  CHECK(rewritten("at g (a.js:1:2)\nat f (a.js:10:5") == "<at g (a.js:1:2)>\nat f (a.js:10:5");
}

TEST_CASE("ParseTrace.NulAndBytesThatAreNoUtf8AreText") {
  using namespace std::string_view_literals;
  const std::string_view text = "\0\xFF    at f\0g (\xC0/a.js:1:1)\0\nh\0@a.js:1:2"sv;
  const Trace trace = parse_trace(text);
  REQUIRE(trace.frames.size() == 2);
  CHECK(trace.frames[0].function == std::string_view("f\0g", 3));
  CHECK(trace.frames[1].function == std::string_view("h\0", 2));
}

// Each is a line of a megabyte that invites trying every start, bracket, word or digit again. Were
// any of them quadratic, this test would take hours.
TEST_CASE("ParseTrace.HostileLinesOfAMegabyteTakeLinearTime") {
  const std::size_t size = std::size_t{1} << 20;
  const std::string_view parts[] = {
      "a",
      " ",
      "@",
      "a@",
      "@ ",
      "a@/ ",
      "a@b ",
      "(",
      ")",
      "()",
      "(a",
      "(1:1)",
      "1:1)",
      ":1:1)",
      " (1 :1:1)",
      "at ",
      "  at ",
      "\tat (",
      "  at (a:1:1",
      "    at a (",
      "1",
      ":1",
      ":1:1",
      "eval at ",
      "eval at (",
      "(eval at a ",
      "wasm-function[",
      "://",
      "/",
      "[as ",
      " [as a]",
      "]",
      "a]@",
      " > ",
      " line 1 > ",
      "@a line 1 > ",
      "address at ",
      "*",
      "\x1b[1m",
      ";1m",
      "{",
      "\r",
      "get a@",
      "@debugger eval code",
      "@[native code",
      "<anonymous>",
  };
  const std::string_view heads[] = {"",       "at ", "    at f (", "f@",
                                    "x  at ", "(",   "1",          "at f (eval at "};
  const std::string_view tails[] = {"",   ")",         ":1:1", ":1:1)",
                                    ":1", "@a.js:1:1", "1111", " (a.js:1:1)"};
  std::size_t index = 0;
  for (const std::string_view part : parts) {
    const std::string body = repeated(part, size);
    for (const std::string_view head : heads) {
      const std::string_view tail = tails[index++ % std::size(tails)];
      const std::string line = std::string(head) + body + std::string(tail);
      const Trace trace = parse_trace(line);
      CHECK(trace.frames.size() <= 1);
      for (const Frame& frame : trace.frames) static_cast<void>(find_eval_origin(frame));
    }
  }
}
