// A flat store of whole objects by key, shared by replicas: S3 and what speaks like it, or a
// folder.
#pragma once

#include <chrono>
#include <string_view>

#include "core/base/padded.h"
#include "core/base/result.h"

namespace twofold::storage {

using Clock = std::chrono::steady_clock;

class ObjectStore {
 public:
  virtual ~ObjectStore() = default;

  // The object, whole. `max_bytes` caps it: a larger one is kTooLarge. Errors: kNotFound (there is
  // no such object: ask again only after an upload), kUnavailable (this try failed: time-out, 5xx,
  // cut connection, whatever a later try may cure), kIo (refused: credentials, bucket; a retry
  // without a person does not help). Any thread.
  [[nodiscard]] virtual Result<PaddedBuffer> read(std::string_view key, std::size_t max_bytes,
                                                  Clock::time_point deadline) = 0;

  enum class Written : std::uint8_t { kStored, kWasThere };
  // Stores the object unless the key has one: kWasThere then, and the old bytes stay. Of racing
  // writers exactly one stores. Errors as for `read`.
  [[nodiscard]] virtual Result<Written> write_new(std::string_view key, ByteView bytes,
                                                  Clock::time_point deadline) = 0;

  // Stores the object, whatever was there. Errors as for `read`.
  [[nodiscard]] virtual Status write(std::string_view key, ByteView bytes,
                                     Clock::time_point deadline) = 0;
};

}  // namespace twofold::storage
