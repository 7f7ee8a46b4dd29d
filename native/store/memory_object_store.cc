#include "native/store/memory_object_store.h"

namespace twofold::storage {
namespace {

// What a small object costs besides its bytes; catalogues have many.
constexpr std::uint64_t kOverheadBytes = 192;

std::uint64_t cost(std::string_view key, const std::string& object) {
  return key.size() + object.size() + kOverheadBytes;
}

}  // namespace

Result<PaddedBuffer> MemoryObjectStore::read(std::string_view key, std::size_t max_bytes,
                                             Clock::time_point /*deadline*/) {
  Object object;
  {
    const std::lock_guard lock(mutex_);
    const auto found = objects_.find(key);
    if (found == objects_.end()) return Error{Code::kNotFound, kNoOffset, "no such object"};
    object = found->second;
  }
  if (object->size() > max_bytes) return Error{Code::kTooLarge, kNoOffset, "object too large"};
  return PaddedBuffer(std::string_view(*object));
}

Result<ObjectStore::Written> MemoryObjectStore::write_new(std::string_view key, ByteView bytes,
                                                          Clock::time_point /*deadline*/) {
  auto object = std::make_shared<const std::string>(as_text(bytes));
  const std::lock_guard lock(mutex_);
  if (objects_.contains(key)) return Written::kWasThere;
  if (Status status = put(key, std::move(object)); !status) return status.error();
  return Written::kStored;
}

Status MemoryObjectStore::write(std::string_view key, ByteView bytes,
                                Clock::time_point /*deadline*/) {
  auto object = std::make_shared<const std::string>(as_text(bytes));
  const std::lock_guard lock(mutex_);
  return put(key, std::move(object));
}

// With the lock held.
Status MemoryObjectStore::put(std::string_view key, Object object) {
  const auto found = objects_.find(key);
  const std::uint64_t old_bytes = found == objects_.end() ? 0 : cost(key, *found->second);
  const std::uint64_t new_bytes = cost(key, *object);
  if (new_bytes > most_bytes_ - (size_bytes_ - old_bytes)) {
    return Error{Code::kTooLarge, kNoOffset, "the memory for artifacts is full"};
  }
  size_bytes_ += new_bytes - old_bytes;
  objects_.insert_or_assign(std::string(key), std::move(object));
  return {};
}

}  // namespace twofold::storage
