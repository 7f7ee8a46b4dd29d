// An object store in this process: for a server without a disk. What is in it goes with the
// process, and is never evicted: it is the only copy, so a full store refuses. Any thread.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "native/store/object_store.h"

namespace twofold::storage {

class MemoryObjectStore : public ObjectStore {
 public:
  explicit MemoryObjectStore(std::uint64_t most_bytes) : most_bytes_(most_bytes) {}

  [[nodiscard]] Result<PaddedBuffer> read(std::string_view key, std::size_t max_bytes,
                                          Clock::time_point deadline) override;
  // Errors of both writers: kTooLarge when the store is full.
  [[nodiscard]] Result<Written> write_new(std::string_view key, ByteView bytes,
                                          Clock::time_point deadline) override;
  [[nodiscard]] Status write(std::string_view key, ByteView bytes,
                             Clock::time_point deadline) override;

 private:
  // A reader copies outside the lock: objects are megabytes.
  using Object = std::shared_ptr<const std::string>;
  [[nodiscard]] Status put(std::string_view key, Object object);

  const std::uint64_t most_bytes_;
  std::mutex mutex_;
  std::map<std::string, Object, std::less<>> objects_;
  std::uint64_t size_bytes_ = 0;
};

}  // namespace twofold::storage
