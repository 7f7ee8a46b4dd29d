#include "tests/core/trace/rows.h"

using namespace twofold::trace;

TEST_CASE("Hermes.AddressIsAnOffsetFromZeroAndTheSegmentALineFromOne") {
  const Frame frame = only_frame("at render (address at app:///main.jsbundle:1:1027518)");
  CHECK(frame.dialect == Dialect::kHermes);
  CHECK(frame.kind == FrameKind::kScript);
  CHECK(frame.function == "render");
  CHECK(frame.url == "app:///main.jsbundle");
  REQUIRE(frame.position);
  CHECK(frame.position->line.value() == 0);
  CHECK(frame.position->column.value() == 1027518);
}

TEST_CASE("Hermes.OffsetZeroIsAPlaceAndSegmentZeroIsNone") {
  CHECK(only_frame("at global (address at main.jsbundle:1:0)").position->column.value() == 0);
  CHECK_FALSE(only_frame("at global (address at main.jsbundle:0:1)").position);
  CHECK_FALSE(only_frame("at global (address at main.jsbundle:1:4294967296)").position);
}

TEST_CASE("Hermes.NamelessFunctionsAndTheTopLevelHaveNoName") {
  CHECK(only_frame("at anonymous (address at main.jsbundle:1:7)").function.empty());
  CHECK(only_frame("at global (address at main.jsbundle:1:7)").function.empty());
  CHECK(only_frame("at anonymous (main.js:1:7)").function == "anonymous");  // V8's `new Function`
}

TEST_CASE("Hermes.NativeAndInternalBytecodeAreOpaque") {
  check_rows(
      {
          {"    at apply (native)", "at apply (native)", "apply", "native"},
          {"    at f (address at InternalBytecode.js:1:5)",
           "at f (address at InternalBytecode.js:1:5)", "f", "InternalBytecode.js:1:5"},
      },
      FrameKind::kOpaque);
}

TEST_CASE("Hermes.AddressWithoutNumbersIsNoFrame") {
  CHECK(parse_trace("    at f (address at home)").frames.empty());
  CHECK(parse_trace("    at f (address at main.jsbundle)").frames.empty());
}
