#include "tests/core/trace/rows.h"

using namespace twofold::trace;

TEST_CASE("SpiderMonkey.LocationIsAnyTextBehindTheFirstAtSignOfItsWord") {
  check_rows(
      {
          {"f@https://x/a.js:1:2", "f@https://x/a.js:1:2", "f", "https://x/a.js", {1, 2}},
          {"@https://x/a.js:1:2", "@https://x/a.js:1:2", "", "https://x/a.js", {1, 2}},
          {"f@a.js:1:2", "f@a.js:1:2", "f", "a.js", {1, 2}},
          {"f@index.android.bundle:12:1917",
           "f@index.android.bundle:12:1917",
           "f",
           "index.android.bundle",
           {12, 1917}},
          {"f@https://x/@s/b@1.2/a.js?c@d:1:2",
           "f@https://x/@s/b@1.2/a.js?c@d:1:2",
           "f",
           "https://x/@s/b@1.2/a.js?c@d",
           {1, 2}},
          {"f@https://x/my app (1)/a.js:1:2",
           "f@https://x/my app (1)/a.js:1:2",
           "f",
           "https://x/my app (1)/a.js",
           {1, 2}},
          {"f@C:\\b\\a.js:1:2", "f@C:\\b\\a.js:1:2", "f", "C:\\b\\a.js", {1, 2}},
          {"f@safari-web-extension://A-B/c.js:3:7",
           "f@safari-web-extension://A-B/c.js:3:7",
           "f",
           "safari-web-extension://A-B/c.js",
           {3, 7}},
          {"f@capacitor://localhost/a.js:3:7",
           "f@capacitor://localhost/a.js:3:7",
           "f",
           "capacitor://localhost/a.js",
           {3, 7}},
          {"f/<@https://x/a.js:1:2", "f/<@https://x/a.js:1:2", "f/<", "https://x/a.js", {1, 2}},
          {"[2]</B.prototype._b/</<@http://x/a.js:703:28",
           "[2]</B.prototype._b/</<@http://x/a.js:703:28",
           "[2]</B.prototype._b/</<",
           "http://x/a.js",
           {703, 28}},
          {"o[\"my key\"]/<@x/a.js:7:2",
           "o[\"my key\"]/<@x/a.js:7:2",
           "o[\"my key\"]/<",
           "x/a.js",
           {7, 2}},
          {"bar(1, 2)@http://x/a.js:7:2",
           "bar(1, 2)@http://x/a.js:7:2",
           "bar(1, 2)",
           "http://x/a.js",
           {7, 2}},
          {"get x@http://x/a.js:7:2", "get x@http://x/a.js:7:2", "get x", "http://x/a.js", {7, 2}},
          {"f@http://x/a.js:48", "f@http://x/a.js:48", "f", "http://x/a.js"},
          {"f@http://x/a.js:0:1", "f@http://x/a.js:0:1", "f", "http://x/a.js"},
      },
      FrameKind::kScript);
}

TEST_CASE("SpiderMonkey.AsyncMarksStandBeforeTheName") {
  for (const std::string_view mark :
       {"*", "async*", "promise callback*", "setTimeout handler*", "EventListener.handleEvent*"}) {
    const std::string line = std::string(mark) + "f@https://x/a.js:1:2";
    CAPTURE(line);
    const Frame frame = only_frame(line);
    CHECK(frame.decoration == mark);
    CHECK(frame.function == "f");
    CHECK(frame.dialect == Dialect::kSpiderMonkey);
  }
}

TEST_CASE("SpiderMonkey.EvalAndConsoleTextIsOpaque") {
  check_rows(
      {
          {"f@https://x/a.js line 1 > eval:1:48", "f@https://x/a.js line 1 > eval:1:48", "f",
           "https://x/a.js line 1 > eval:1:48"},
          {"f@a.js line 1 > Function:1:31", "f@a.js line 1 > Function:1:31", "f",
           "a.js line 1 > Function:1:31"},
          {"b@a.js line 26 > eval line 2 > eval:1:30", "b@a.js line 26 > eval line 2 > eval:1:30",
           "b", "a.js line 26 > eval line 2 > eval:1:30"},
          {"@debugger eval code:1:1", "@debugger eval code:1:1", "", "debugger eval code:1:1"},
          {"f@https://x/m.wasm:wasm-function[17]:0x2f1c",
           "f@https://x/m.wasm:wasm-function[17]:0x2f1c", "f",
           "https://x/m.wasm:wasm-function[17]:0x2f1c"},
          {"map@self-hosted:178:17", "map@self-hosted:178:17", "map", "self-hosted:178:17"},
      },
      FrameKind::kOpaque);
  const std::string_view nested = "b@a.js line 26 > eval line 2 > eval:1:30";
  CHECK(find_eval_origin(only_frame(nested))->url == "a.js");
  CHECK_FALSE(find_eval_origin(only_frame(nested))->position);
  CHECK_FALSE(find_eval_origin(only_frame("@debugger eval code:1:1")));
}

TEST_CASE("SpiderMonkey.ALogPrefixIsNoPartOfTheName") {
  struct Prefixed {
    std::string_view prefix, frame, suffix;
  };
  const Prefixed rows[] = {
      {"2024-01-01 12:00 ERROR web: ", "f@https://x/a.js:1:2", ""},
      {"\t", "f@https://x/a.js:1:2", "  \r"},
      {"bob@example.com said: ", "f@https://x/a.js:1:2", ""},
      {"\"stack\": \"", "f@https://x/a.js:1:2", "\","},
      {"app[web.1]: ", "promise callback*f@https://x/a.js:1:2", ""},
      {"web | ", "global code@https://x/a.js:1:2", ""},
      {"", "f@https://x/a.js:1:2", " and more"},
      {"(", "f@https://x/a.js:1:2", ")"},
  };
  for (const Prefixed& row : rows) {
    const std::string line =
        std::string(row.prefix) + std::string(row.frame) + std::string(row.suffix);
    CAPTURE(line);
    const Trace trace = parse_trace(line);
    REQUIRE(trace.frames.size() == 1);
    CHECK(text_of(line, trace.frames[0]) == row.frame);
    CHECK(trace.frames[0].url == "https://x/a.js");
  }
}

TEST_CASE("SpiderMonkey.AddressesAndProseAreNoFrames") {
  for (const std::string_view line : {
           "bob@example.com",
           "mail bob@example.com:80",
           "write to bob@example.com at 12:30:15",
           "@",
           "@@@",
           "f@",
           "f@:1:2",
           "f@ a.js:1:2",
           "npm install @scope/x@1.2.3",
           "git@github.com:a/b.git",
           "a line 3 > b",
           "a@b line 3 > c",
           "me@12:30:45",
       }) {
    CAPTURE(line);
    CHECK(parse_trace(line).frames.empty());
  }
}

TEST_CASE("JavaScriptCore.TopLevelCodeHasNoNameAndEvalCodeIsOpaque") {
  check_rows(
      {
          {"global code@https://x/a.js:1:2",
           "global code@https://x/a.js:1:2",
           "",
           "https://x/a.js",
           {1, 2}},
          {"module code@https://x/a.js:1:2",
           "module code@https://x/a.js:1:2",
           "",
           "https://x/a.js",
           {1, 2}},
          {"async f@https://x/a.js:1:2",
           "async f@https://x/a.js:1:2",
           "f",
           "https://x/a.js",
           {1, 2}},
          {"https://x/a.js:1:2", "https://x/a.js:1:2", "", "https://x/a.js", {1, 2}},
          {"1.js:6:7", "1.js:6:7", "", "1.js", {6, 7}},
      },
      FrameKind::kScript);
  check_rows(
      {
          {"eval code@https://x/a.js:1:2", "eval code@https://x/a.js:1:2", "", "https://x/a.js"},
          {"eval code", "eval code", "", ""},
          {"eval code@", "eval code@", "", ""},
          {"[native code]", "[native code]", "", "[native code]"},
          {"forEach@[native code]", "forEach@[native code]", "forEach", "[native code]"},
          {"<?>.wasm-function[17]@[wasm code]", "<?>.wasm-function[17]@[wasm code]",
           "<?>.wasm-function[17]", "[wasm code]"},
      },
      FrameKind::kOpaque);
}

TEST_CASE("JavaScriptCore.ALineThatIsOnlyALocationIsOneWordWithADotOrASlash") {
  for (const std::string_view line : {"16:9:1", "ratio:16:9", "/srv/a.js:48",
                                      "see https://x/a.js:1:2", "src/a.ts:10:5 - error", "::1:2"}) {
    CAPTURE(line);
    CHECK(parse_trace(line).frames.empty());
  }
}

TEST_CASE("JavaScriptCore.OneFrameOfItsOwnTellsForItsNeighbours") {
  const Trace safari =
      parse_trace("f@x/a.js:1:2\ng@x/a.js:1:2\nglobal code@x/a.js:1:2\nh@x/a.js:1:2");
  REQUIRE(safari.frames.size() == 4);
  for (const Frame& frame : safari.frames) CHECK(frame.dialect == Dialect::kJavaScriptCore);
  const Trace both = parse_trace("f@x/a.js:1:2\nError: b\n[native code]\ng@x/a.js:1:2");
  REQUIRE(both.frames.size() == 3);
  CHECK(both.frames[0].dialect == Dialect::kSpiderMonkey);
  CHECK(both.frames[2].dialect == Dialect::kJavaScriptCore);
}
