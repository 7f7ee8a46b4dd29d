// A lookup allocates nothing: counted, not believed. A program of its own because it replaces
// operator new for everything it links.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <new>

#include "core/tw/lookup.h"
#include "tests/core/tw/build.h"

namespace {
std::size_t allocation_count = 0;  // one thread only
}

void* operator new(std::size_t size) {
  ++allocation_count;
  void* block = std::malloc(size == 0 ? 1 : size);
  if (block == nullptr) std::abort();
  return block;
}
// The library's own form of this one would be ASan's, which minds who frees its blocks.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return operator new(size);
}
void operator delete(void* block) noexcept {
  std::free(block);
}
void operator delete(void* block, std::size_t) noexcept {
  std::free(block);
}

using namespace twofold;
using namespace twofold::test;

TEST_CASE("FindLocation.AllocatesNothing") {
  const auto bytes = sample_flat();
  const std::size_t before_open = allocation_count;
  const auto opened = tw::FlatView::open(bytes);
  const std::size_t before_lookups = allocation_count;
  std::size_t answers = 0;
  for (std::uint32_t line = 0; line < 4; ++line) {
    for (std::uint32_t column = 0; column < 30; ++column) {
      if (tw::find_location(opened.value(), at(line, column))) ++answers;
    }
  }
  const std::size_t after = allocation_count;
  CHECK(answers == 46);
  CHECK(before_lookups - before_open == 0);
  CHECK(after - before_lookups == 0);
  CHECK(before_open > 0);  // the counter counts
}
