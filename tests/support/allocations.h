// Counts the allocations of a program: tests/support/allocations.cc replaces operator new for all
// that it is linked with, so a test that counts is a program of its own.
#pragma once

#include <cstddef>

namespace twofold::test {

// Calls of operator new so far. One thread only.
[[nodiscard]] std::size_t allocation_count();

}  // namespace twofold::test
