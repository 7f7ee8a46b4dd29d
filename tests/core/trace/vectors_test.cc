// The vectors that other hosts of the core run as well.
#include <simdjson.h>

#include <catch2/catch.hpp>

#include "core/trace/trace.h"

using namespace twofold;
using simdjson::dom::element;

namespace {

std::string_view text_at(const element& object, std::string_view key) {
  std::string_view value;
  REQUIRE(object[key].get(value) == simdjson::SUCCESS);
  return value;
}

std::uint64_t number_of(const element& value) {
  std::uint64_t number = 0;
  REQUIRE(value.get(number) == simdjson::SUCCESS);
  return number;
}

std::string_view name_of(trace::Dialect dialect) {
  switch (dialect) {
    case trace::Dialect::kV8:
      return "v8";
    case trace::Dialect::kHermes:
      return "hermes";
    case trace::Dialect::kSpiderMonkey:
      return "spider_monkey";
    case trace::Dialect::kJavaScriptCore:
      return "java_script_core";
  }
  return "";
}

void check_frame(const element& expected, std::string_view text, const trace::Frame& frame) {
  CHECK(text.substr(frame.begin, frame.end - frame.begin) == text_at(expected, "in"));
  CHECK(frame.line_index == number_of(expected["line"].value_unsafe()));
  CHECK(name_of(frame.dialect) == text_at(expected, "dialect"));
  CHECK((frame.kind == trace::FrameKind::kScript ? "script" : "opaque") ==
        text_at(expected, "kind"));
  CHECK(frame.function == text_at(expected, "function"));
  CHECK(frame.url == text_at(expected, "url"));
  const element position = expected["position"].value_unsafe();
  REQUIRE(position.is_null() == !frame.position.has_value());
  if (!frame.position) return;
  CHECK(frame.position->line.value() == number_of(position.at(0).value_unsafe()));
  CHECK(frame.position->column.value() == number_of(position.at(1).value_unsafe()));
}

}  // namespace

TEST_CASE("TraceVectors.HoldInTheCore") {
  simdjson::dom::parser parser;
  element vectors;
  REQUIRE(parser.load(TWOFOLD_SOURCE_DIR "/tests/vectors/trace.json").get(vectors) ==
          simdjson::SUCCESS);
  std::size_t count = 0;
  const simdjson::dom::array all = vectors.get_array().value_unsafe();
  for (const element vector : all) {
    CAPTURE(std::string(text_at(vector, "name")));
    const std::string_view text = text_at(vector, "text");
    const trace::Trace trace = trace::parse_trace(text);
    const simdjson::dom::array expected = vector["frames"].get_array().value_unsafe();
    REQUIRE(trace.frames.size() == expected.size());
    std::size_t index = 0;
    for (const element frame : expected) check_frame(frame, text, trace.frames[index++]);
    ++count;
  }
  CHECK(count == 10);
}
