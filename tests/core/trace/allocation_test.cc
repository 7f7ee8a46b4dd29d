// Counts allocations: parsing may only grow its vector of frames, however long the text.
#include <catch2/catch.hpp>
#include <string>

#include "core/trace/trace.h"
#include "tests/support/allocations.h"

TEST_CASE("ParseTrace.AllocatesNothingButTheVectorOfFrames") {
  const std::string_view lines[] = {
      "Error: no frame here\n",
      "    at async Object.f [as g] (https://x.example/my app (1)/a.js:1:5)\n",
      "    at f (eval at g (a.js:1:5), <anonymous>:1:7)\n",
      "    at f (address at main.jsbundle:1:77)\n",
      "setTimeout handler*f@https://x.example/a.js:1:5\n",
      "[native code]\n",
  };
  std::string text;
  for (int round = 0; round < 1000; ++round) {
    for (const std::string_view line : lines) text += line;
  }
  const std::size_t before = twofold::test::allocation_count();
  const twofold::trace::Trace trace = twofold::trace::parse_trace(text);
  const std::size_t during = twofold::test::allocation_count() - before;
  CHECK(trace.frames.size() == 5000);
  CHECK(during <= 14);  // doublings from 1 to 8192
}
