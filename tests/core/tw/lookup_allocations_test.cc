// A lookup allocates nothing: counted, not believed.
#include <catch2/catch.hpp>

#include "core/tw/lookup.h"
#include "tests/core/tw/build.h"
#include "tests/support/allocations.h"

using namespace twofold;
using namespace twofold::test;

TEST_CASE("FindLocation.AllocatesNothing") {
  const auto bytes = sample_flat();
  const std::size_t before_open = allocation_count();
  const auto opened = tw::FlatView::open(bytes);
  const std::size_t before_lookups = allocation_count();
  std::size_t answers = 0;
  for (std::uint32_t line = 0; line < 4; ++line) {
    for (std::uint32_t column = 0; column < 30; ++column) {
      if (tw::find_location(opened.value(), at(line, column))) ++answers;
    }
  }
  const std::size_t after = allocation_count();
  CHECK(answers == 46);
  CHECK(before_lookups - before_open == 0);
  CHECK(after - before_lookups == 0);
  CHECK(before_open > 0);  // the counter counts
}
