// Room in buffers that are kept from one input to the next.
#pragma once

#include <algorithm>
#include <cstddef>

namespace twofold {

// Room for `count` elements, so that filling the buffer moves it seldom or never. Grows by doubling
// at least: inputs that are each a little larger than the one before cost no allocation each.
template <class Buffer>
void make_room(std::size_t count, Buffer& buffer) {
  constexpr std::size_t kLeast = 256;
  if (count <= buffer.capacity() && buffer.capacity() != 0) return;
  buffer.reserve(std::max({count, kLeast, buffer.capacity() * 2}));
}

}  // namespace twofold
