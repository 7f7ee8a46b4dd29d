#include "tests/support/allocations.h"

#include <cstdlib>
#include <new>

namespace {
std::size_t count = 0;
}

void* operator new(std::size_t size) {
  ++count;
  if (void* block = std::malloc(size == 0 ? 1 : size)) return block;
  std::abort();
}
// The library's own form of this one would be ASan's, which minds who frees its blocks.
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return operator new(size);
}
void operator delete(void* block) noexcept {
  std::free(block);
}
void operator delete(void* block, std::size_t) noexcept {
  std::free(block);
}

std::size_t twofold::test::allocation_count() {
  return count;
}
