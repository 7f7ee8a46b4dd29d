// A folder as an object store: for one machine, a shared file system, and tests.
//
// A key is a path below the folder; each of its parts is written with what a file name cannot hold
// percent-encoded, so no key leads out of the folder. A key cannot be there together with one that
// goes on behind it with a slash. Writes are whole or not at all; of racing
// `write_new` one stores (link(2)).
#pragma once

#include <string>

#include "native/store/object_store.h"

namespace twofold::storage {

class FolderObjectStore : public ObjectStore {
 public:
  explicit FolderObjectStore(std::string folder) : folder_(std::move(folder)) {}

  [[nodiscard]] Result<PaddedBuffer> read(std::string_view key, std::size_t max_bytes,
                                          Clock::time_point deadline) override;
  [[nodiscard]] Result<Written> write_new(std::string_view key, ByteView bytes,
                                          Clock::time_point deadline) override;
  [[nodiscard]] Status write(std::string_view key, ByteView bytes,
                             Clock::time_point deadline) override;

 private:
  [[nodiscard]] std::string path_of(std::string_view key) const;

  const std::string folder_;
};

}  // namespace twofold::storage
