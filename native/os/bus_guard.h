// Keeps a process alive when a mapped file is cut short under it.
//
// The system then answers a read behind the new end with SIGBUS, which would kill the server and
// every other request with it. The handler puts a page of zeros in the place of the missing one and
// marks the range; zeros are damage that a .tw reader knows how to miss, so the lookup ends with no
// answer, and the owner sees `is_torn` and throws the mapping away.
//
// The table of guarded ranges is the process's, because signal handlers are. A SIGBUS elsewhere
// goes to whoever handled it before.
#pragma once

#include <cstddef>

#include "core/base/bytes.h"

namespace twofold::os {

// One guarded range. Any thread; not movable, since the handler knows where it is.
class BusGuard {
 public:
  // `bytes` begin at a page. With kMostGuards others alive the range is not guarded.
  explicit BusGuard(ByteView bytes);
  ~BusGuard();  // before the range is unmapped
  BusGuard(const BusGuard&) = delete;
  BusGuard& operator=(const BusGuard&) = delete;

  static constexpr std::size_t kMostGuards = 4096;

  [[nodiscard]] bool is_guarded() const { return slot_ != kMostGuards; }
  // Some page of the range was missing and reads as zeros now.
  [[nodiscard]] bool is_torn() const;

 private:
  std::size_t slot_ = kMostGuards;
};

}  // namespace twofold::os
