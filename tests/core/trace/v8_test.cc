#include "tests/core/trace/rows.h"

using namespace twofold::trace;

TEST_CASE("V8.LocationIsAnyTextBeforeLineAndColumn") {
  const std::string_view f = "at f (https://x.example/a.js:1:5)";
  check_rows(
      {
          {f, f, "f", "https://x.example/a.js", {1, 5}},
          {"at f (a.js:12:34)", "at f (a.js:12:34)", "f", "a.js", {12, 34}},
          {"at f (./b/a.js:1:2)", "at f (./b/a.js:1:2)", "f", "./b/a.js", {1, 2}},
          {"at f (C:\\b\\a.js:1:2)", "at f (C:\\b\\a.js:1:2)", "f", "C:\\b\\a.js", {1, 2}},
          {"at f (file:///C:/a.js:1:2)",
           "at f (file:///C:/a.js:1:2)",
           "f",
           "file:///C:/a.js",
           {1, 2}},
          {"at f (http://h:80/a.js:1:2)",
           "at f (http://h:80/a.js:1:2)",
           "f",
           "http://h:80/a.js",
           {1, 2}},
          {"at f (x/a.js?i=a:b@c#d:1:2)",
           "at f (x/a.js?i=a:b@c#d:1:2)",
           "f",
           "x/a.js?i=a:b@c#d",
           {1, 2}},
          {"at f (app:///a b.js:1:2)", "at f (app:///a b.js:1:2)", "f", "app:///a b.js", {1, 2}},
          {"at f (1.js:6:7)", "at f (1.js:6:7)", "f", "1.js", {6, 7}},
          {"at f (\xC3\xA9\xFF.js:6:7)",
           "at f (\xC3\xA9\xFF.js:6:7)",
           "f",
           "\xC3\xA9\xFF.js",
           {6, 7}},
          {"at f (chrome-extension://ab/c.js:3:77)",
           "at f (chrome-extension://ab/c.js:3:77)",
           "f",
           "chrome-extension://ab/c.js",
           {3, 77}},
          {"at f(/no/blank.js:78:24)", "at f(/no/blank.js:78:24)", "f", "/no/blank.js", {78, 24}},
          {"at (a.js:200:8)", "at (a.js:200:8)", "", "a.js", {200, 8}},
      },
      FrameKind::kScript);
}

TEST_CASE("V8.BracketsInPathsNeedNotBalance") {
  for (const std::string_view path : {"/my app (1)/a.js", "/my (1) (2)/a.js", "/my app :)/a.js",
                                      "/my app (1/a.js", "/a(b/c.js", "/a)b/c.js"}) {
    for (const std::string_view before :
         {"at f (", "at Object.b [as handler] (", "at ", "at async "}) {
      const bool bare = before.back() == ' ';
      const std::string line = std::string(before) + "https://x.example" + std::string(path) +
                               ":1:31" + (bare ? "" : ")");
      CAPTURE(line);
      const Frame frame = only_frame(line);
      CHECK(frame.url == "https://x.example" + std::string(path));
      CHECK(printed(frame.position).column == 31);
    }
  }
}

TEST_CASE("V8.NamesKeepTheirSpellingAndLoseTheirDecorations") {
  struct Name {
    std::string_view printed, function, alias;
    bool is_async, is_new;
  };
  const Name names[] = {
      {"f", "f", "", false, false},
      {"new A", "A", "", false, true},
      {"async f", "f", "", true, false},
      {"async Object.f [as g]", "Object.f", "g", true, false},
      {"new <anonymous>", "", "", false, true},
      {"<anonymous>", "", "", false, false},
      {"Object.<anonymous>", "", "", false, false},
      {"Object.<anonymous> [as f]", "", "f", false, false},
      {"Anonymous function", "", "", false, false},
      {"global code", "", "", false, false},
      {"get value [as value]", "get value", "value", false, false},
      {"e.<computed> [as x]", "e.<computed>", "x", false, false},
      {"t.[Symbol.iterator]", "t.[Symbol.iterator]", "", false, false},
      {"t.[Symbol.iterator] [as [Symbol.a]]", "t.[Symbol.iterator]", "[Symbol.a]", false, false},
      {"[object Object].a", "[object Object].a", "", false, false},
      {"I.fn.(anonymous function) [as i]", "I.fn.(anonymous function)", "i", false, false},
      {"Object.a (b)", "Object.a (b)", "", false, false},
      {"async", "async", "", false, false},
      {"new", "new", "", false, false},
      {"#e", "#e", "", false, false},
  };
  for (const Name& name : names) {
    const std::string line = "at " + std::string(name.printed) + " (a.js:1:2)";
    CAPTURE(line);
    const Frame frame = only_frame(line);
    CHECK(frame.function == name.function);
    CHECK(frame.decoration == name.alias);
    CHECK(frame.is_async == name.is_async);
    CHECK(frame.is_new == name.is_new);
    CHECK(frame.url == "a.js");
  }
}

TEST_CASE("V8.WhatIsNoScriptIsOpaque") {
  check_rows(
      {
          {"at Array.map (<anonymous>)", "at Array.map (<anonymous>)", "Array.map", "<anonymous>"},
          {"at Array.forEach (native)", "at Array.forEach (native)", "Array.forEach", "native"},
          {"at forEach ([native code])", "at forEach ([native code])", "forEach", "[native code]"},
          {"at new Promise (<anonymous>)", "at new Promise (<anonymous>)", "Promise",
           "<anonymous>"},
          {"at async Promise.all (index 0)", "at async Promise.all (index 0)", "Promise.all",
           "index 0"},
          {"at <anonymous>", "at <anonymous>", "", "<anonymous>"},
          {"at async <anonymous>", "at async <anonymous>", "", "<anonymous>"},
          {"at <anonymous>:1:1", "at <anonymous>:1:1", "", "<anonymous>:1:1"},
          {"at f (<anonymous>:1:1)", "at f (<anonymous>:1:1)", "f", "<anonymous>:1:1"},
          {"at node:internal/q:95:5", "at node:internal/q:95:5", "", "node:internal/q:95:5"},
          {"at p (node:fs:1:5)", "at p (node:fs:1:5)", "p", "node:fs:1:5"},
          {"at l (internal/modules/cjs/loader.js:1:5)", "at l (internal/modules/cjs/loader.js:1:5)",
           "l", "internal/modules/cjs/loader.js:1:5"},
          {"at f (webpack-internal:///./a.js:8:3)", "at f (webpack-internal:///./a.js:8:3)", "f",
           "webpack-internal:///./a.js:8:3"},
          {"at wasm://wasm/0012ab34:wasm-function[17]:0x2f1c",
           "at wasm://wasm/0012ab34:wasm-function[17]:0x2f1c", "",
           "wasm://wasm/0012ab34:wasm-function[17]:0x2f1c"},
          {"at g (wasm://wasm/0012ab34:wasm-function[17]:0x2f12)",
           "at g (wasm://wasm/0012ab34:wasm-function[17]:0x2f12)", "g",
           "wasm://wasm/0012ab34:wasm-function[17]:0x2f12"},
          {"at eval code (eval code:1:1)", "at eval code (eval code:1:1)", "eval code",
           "eval code:1:1"},
          {"at [eval]:1:7", "at [eval]:1:7", "", "[eval]:1:7"},
      },
      FrameKind::kOpaque);
}

TEST_CASE("V8.EvalFramesAreOpaqueAndTellWhereEvalWasCalled") {
  struct Eval {
    std::string_view location, url;
    Printed at;
  };
  const Eval evals[] = {
      {"eval at b (https://x/a.js:1:31), <anonymous>:1:48", "https://x/a.js", {1, 31}},
      {"eval at <anonymous> (eval at a (https://x/a.js:1:14), <anonymous>:1:14), <anonymous>:1:31",
       "https://x/a.js",
       {1, 14}},
      {"eval at foo (eval at speak (http://h:8080/file.js:21:17)), <anonymous>:1:30",
       "http://h:8080/file.js",
       {21, 17}},
      {"eval at b (https://x/my app (1)/a.js:1:2), <anonymous>:1:48",
       "https://x/my app (1)/a.js",
       {1, 2}},
      {"eval at /js/thrower.min.js:1:451", "/js/thrower.min.js", {1, 451}},
      {"eval at b (a.js:0:1), <anonymous>:1:48", "a.js", {0, 0}},
      {"eval at b (<anonymous>:1:1), <anonymous>:1:48", "", {0, 0}},
      {"eval at b, <anonymous>:1:48", "", {0, 0}},
      {"eval at ", "", {0, 0}},
  };
  for (const Eval& eval : evals) {
    const std::string line = "at f (" + std::string(eval.location) + ")";
    CAPTURE(line);
    const Frame frame = only_frame(line);
    CHECK(frame.kind == FrameKind::kOpaque);
    CHECK_FALSE(frame.position);
    const std::optional<Location> origin = find_eval_origin(frame);
    REQUIRE(origin.has_value() == !eval.url.empty());
    if (!origin) continue;
    CHECK(origin->url == eval.url);
    CHECK(printed(origin->position).line == eval.at.line);
    CHECK(printed(origin->position).column == eval.at.column);
  }
  CHECK_FALSE(find_eval_origin(only_frame("at f (a.js:1:2)")));
}

TEST_CASE("V8.ZeroMissingAndHugeNumbersGiveNoPosition") {
  check_rows(
      {
          {"at f (a.js:0:1)", "at f (a.js:0:1)", "f", "a.js"},
          {"at f (a.js:1:0)", "at f (a.js:1:0)", "f", "a.js"},
          {"at f (a.js:4294967296:1)", "at f (a.js:4294967296:1)", "f", "a.js"},
          {"at f (a.js:1:99999999999999999999999)", "at f (a.js:1:99999999999999999999999)", "f",
           "a.js"},
          {"at f (http://x/a.js:48)", "at f (http://x/a.js:48)", "f", "http://x/a.js"},
          {"at http://x/a.js:48", "at http://x/a.js:48", "", "http://x/a.js"},
          {"at f (a.js:abc:5)", "at f (a.js:abc:5)", "f", "a.js:abc"},
      },
      FrameKind::kScript);
  check_rows({{"at f (a.js:4294967295:4294967295)",
               "at f (a.js:4294967295:4294967295)",
               "f",
               "a.js",
               {4294967295, 4294967295}}},
             FrameKind::kScript);
}

TEST_CASE("V8.ProseAndOtherLanguagesAreNoFrames") {
  for (const std::string_view line : {
           "meet me at (noon)",
           "    at (noon)",
           "    at noon",
           "    at lunch (12:30:00)",
           "at 12:30:45",
           "at 12:30",
           "    at 2024-01-01T10:30:15",
           "at the end of https://x.example/a.js:1:48",
           "at",
           "at ",
           "    at  ",
           "at (",
           "at )",
           "at ()",
           "at (:1:2)",
           "at :1:2",
           "Error: failed at f (a.js:1:2)",
           "chat f (a.js:1:2)",
           "At f (a.js:1:2)",
           "    ... 4 lines matching cause stack trace ...",
           "    ... skipping 12 frames",
           "    [cause]: Error: x",
           "\tat com.shop.Cart.add(Cart.java:48)",
           "\tat java.lang.Thread.run(Unknown Source)",
           "   at Shop.Cart.Add() in C:\\src\\Cart.cs:line 12",
           "  File \"a.py\", line 3, in f",
       }) {
    CAPTURE(line);
    CHECK(parse_trace(line).frames.empty());
  }
}
