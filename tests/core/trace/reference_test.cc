// The parser against its slow twin, on generated lines and on real traces.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>

#include "core/trace/trace.h"
#include "tests/reference/trace_reference.h"

using namespace twofold;

namespace {

std::string described(const std::vector<reference::TraceFrame>& frames) {
  std::string out;
  for (const reference::TraceFrame& frame : frames) out += reference::describe(frame) + "\n";
  return out;
}

void check_same(const std::string& text) {
  std::vector<reference::TraceFrame> got;
  for (const trace::Frame& frame : trace::parse_trace(text).frames)
    got.push_back(reference::to_reference(frame));
  const std::string expected = described(reference::parse_trace(text));
  if (described(got) == expected) return;  // a million passed CHECKs cost more than the parsers
  CAPTURE(text);
  CHECK(described(got) == expected);
}

// Pieces of frames and of what resembles them. Lines are sequences of pieces.
const std::vector<std::string> kPieces = {
    "at ",
    "at ",
    "    at ",
    "\tat ",
    "  at",
    "async ",
    "new ",
    " [as x]",
    "f",
    "Object.f",
    "<anonymous>",
    "Object.<anonymous>",
    " (",
    "(",
    ")",
    ")",
    " (1)",
    "native",
    "[native code]",
    "index 0",
    "eval at ",
    ", ",
    "@",
    "@",
    "*",
    "async*",
    "promise callback*",
    "handler*",
    "setTimeout ",
    "global code",
    "eval code",
    "get ",
    "anonymous",
    "address at ",
    "https://x.example/a.js",
    "a.js",
    "/b/c d.js",
    "C:\\a\\b.js",
    "node:fs",
    "wasm://wasm/1:wasm-function[1]:0x1f",
    ":1:5",
    ":1:5",
    ":1:5",
    ":12:7)",
    ":7",
    ":0:1",
    ":1:4294967296",
    ":",
    "1",
    "12",
    " ",
    "  ",
    "\t",
    "\r",
    " {",
    ",",
    "\x1b[39m",
    "\x1b[90m",
    " line 3 > eval",
    " > ",
    "debugger eval code",
    "[",
    "]",
    "/<",
    "\"",
    ".",
    "/",
    "?q=a:b@c",
    "web: ",
    "ERROR",
    std::string("\0", 1),
    "\xFF",
    "InternalBytecode.js",
    "(anonymous function)",
};

std::string random_line(std::mt19937& random) {
  std::string line;
  for (std::size_t count = random() % 9; count > 0; --count)
    line += kPieces[random() % kPieces.size()];
  return line;
}

// A line with the shape of a frame, now and then damaged.
std::string random_frame(std::mt19937& random) {
  const auto pick = [&](std::initializer_list<const char*> list) {
    return std::string(*(list.begin() + random() % list.size()));
  };
  const std::string prefix =
      pick({"", "", "    ", "  ", "\t", "web:     ", "2024 x: ", "a@b.example ", "\x1b[90m    "});
  const std::string name = pick({"f", "", "a.b", "new A", "async f", "get x", "f [as g]", "f/<",
                                 "async*f", "global code", "o[\"a b\"]/<", "f(1, 2)"});
  const std::string url =
      pick({"https://x.example/a.js", "a.js", "/my app (1)/a.js", "/a :)/b.js", "/a(b/c.js",
            "node:fs", "x/@s/a@1.js?c@d:e", "C:\\b\\a.js", "<anonymous>", "address at m.jsbundle",
            "a.js line 1 > eval", "eval at f (a.js:1:2), <anonymous>", "12"});
  const std::string numbers =
      pick({":1:5", ":1:5", ":33:4294967295", ":0:1", ":1:0", ":7", "", ":1:4294967296", ":x:1"});
  const std::string suffix =
      pick({"", "", "\r", " {", ",", " more", "\x1b[39m", " (more)", "\",", ") x"});
  const std::string style = pick({"v8", "v8", "at", "tight", "open", "bare"});
  std::string line = prefix;
  if (style == "v8") line += "at " + name + " (" + url + numbers + ")";
  if (style == "tight") line += "at " + name + "(" + url + numbers + ")";
  if (style == "open") line += "at " + name + " (" + url + numbers;
  if (style == "bare") line += pick({"at ", "at async ", ""}) + url + numbers;
  if (style == "at") line += name + "@" + url + numbers;
  line += suffix;
  if (random() % 4 == 0 && !line.empty()) line.erase(random() % line.size(), 1);
  return line;
}

// The values of every "key" in JSON text. Enough for the corpus: no surrogates.
std::vector<std::string> strings_of(const std::string& json, const std::string& key) {
  std::vector<std::string> out;
  const std::string head = "\"" + key + "\": \"";
  for (std::size_t at = json.find(head); at != std::string::npos; at = json.find(head, at)) {
    std::string value;
    for (at += head.size(); at < json.size() && json[at] != '"'; ++at) {
      if (json[at] != '\\') {
        value += json[at];
        continue;
      }
      const char escape = json[++at];
      value += escape == 'n'   ? '\n'
               : escape == 't' ? '\t'
               : escape == 'r' ? '\r'
               : escape == 'u' ? '?'
                               : escape;
    }
    out.push_back(value);
  }
  return out;
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::string corpus_root() {
  const char* given = std::getenv("TWOFOLD_CORPUS");
  return given ? given : TWOFOLD_SOURCE_DIR "/../shared/corpus";
}

}  // namespace

TEST_CASE("TraceReference.AgreesOnGeneratedLines") {
  std::mt19937 random(20240601);
  for (int round = 0; round < 3000; ++round) {
    check_same(random_line(random));
    check_same(random_frame(random));
  }
}

TEST_CASE("TraceReference.AgreesOnGeneratedTexts") {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::string text;
    for (std::size_t count = 1 + random() % 6; count > 0; --count) {
      text += random() % 3 == 0 ? random_line(random) : random_frame(random);
      text += random() % 5 == 0 ? "\r\n" : "\n";
    }
    if (random() % 2 == 0) text.pop_back();
    check_same(text);
  }
}

TEST_CASE("TraceReference.AgreesOnRealTraces") {
  const std::string root = corpus_root();
  const std::string builds[] = {
      "bun-min",       "closure-simple",     "coffee-uglify", "esbuild-min", "index-map-sections",
      "rollup-terser", "tsc-sourceroot-es5", "webpack-prod"};
  std::vector<std::string> files = {"/E-otlp/honeycomb-parsers/js-stacks.json",
                                    "/A-js/hermes-cases.json"};
  for (const std::string& build : builds) files.push_back("/A-js/truth/" + build + "/cases.json");
  std::size_t count = 0;
  for (const std::string& file : files) {
    for (const std::string& stack : strings_of(read_file(root + file), "stack")) {
      check_same(stack);
      ++count;
    }
  }
  if (count == 0) {
    WARN("no corpus at " << root << ": real traces are not compared");
    REQUIRE(std::getenv("CI") == nullptr);
  } else {
    CHECK(count > 100);
  }
}
