// An object store in memory that counts what it is asked for, and fails or lies when it is told to.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "native/store/object_store.h"

namespace twofold::test {

class MemoryObjectStore : public storage::ObjectStore {
 public:
  [[nodiscard]] Result<PaddedBuffer> read(std::string_view key, std::size_t max_bytes,
                                          storage::Clock::time_point /*deadline*/) override {
    const std::lock_guard lock(mutex_);
    ++reads_[std::string(key.substr(0, key.find('/')))];
    if (failure_) return *failure_;
    const auto found = objects_.find(key);
    if (found == objects_.end()) return Error{Code::kNotFound, kNoOffset, "no such object"};
    if (found->second.size() > max_bytes) return Error{Code::kTooLarge, kNoOffset, "too large"};
    return PaddedBuffer(std::string_view(found->second));
  }
  [[nodiscard]] Result<Written> write_new(std::string_view key, ByteView bytes,
                                          storage::Clock::time_point /*deadline*/) override {
    const std::lock_guard lock(mutex_);
    if (failure_) return *failure_;
    const bool is_new = objects_.emplace(key, as_text(bytes)).second;
    return is_new ? Written::kStored : Written::kWasThere;
  }
  [[nodiscard]] Status write(std::string_view key, ByteView bytes,
                             storage::Clock::time_point /*deadline*/) override {
    const std::lock_guard lock(mutex_);
    if (failure_) return *failure_;
    objects_[std::string(key)] = as_text(bytes);
    return {};
  }

  // Everything fails with it, until no value is given.
  void fail_with(std::optional<Error> failure) {
    const std::lock_guard lock(mutex_);
    failure_ = std::move(failure);
  }
  // How often something below `folder` (the first part of its key) was read.
  [[nodiscard]] std::size_t read_count(const std::string& folder) {
    const std::lock_guard lock(mutex_);
    return reads_[folder];
  }
  // What a bad disk does: a byte of each object below `folder` is another.
  std::size_t corrupt(std::string_view folder) {
    const std::lock_guard lock(mutex_);
    std::size_t count = 0;
    for (auto& [key, object] : objects_) {
      if (!std::string_view(key).starts_with(folder) || object.empty()) continue;
      object[object.size() / 2] = static_cast<char>(object[object.size() / 2] ^ 0x10);
      ++count;
    }
    return count;
  }
  [[nodiscard]] std::size_t count(std::string_view folder) {
    const std::lock_guard lock(mutex_);
    std::size_t count = 0;
    for (const auto& [key, object] : objects_) {
      if (std::string_view(key).starts_with(folder)) ++count;
    }
    return count;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::string, std::less<>> objects_;
  std::map<std::string, std::size_t> reads_;
  std::optional<Error> failure_;
};

}  // namespace twofold::test
