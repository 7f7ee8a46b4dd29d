// What is known to be missing or broken, so that a crash loop of one release without artifacts does
// not ask the object store for each of its frames.
//
// Not found is believed for 60 s, a failure that may pass for 15 s; each time that the same comes
// again it is believed twice as long, up to 15 minutes. Bounded in keys: the oldest goes first. Any
// thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/base/result.h"
#include "native/os/clock.h"

namespace twofold::storage {

class NegativeCache {
 public:
  static constexpr std::size_t kMostKeys = 10'000;

  explicit NegativeCache(const os::Clock& clock, std::size_t most_keys = kMostKeys)
      : clock_(clock), most_keys_(most_keys) {}

  // The failure that is still believed. No value: try it.
  [[nodiscard]] std::optional<Error> find(const std::string& key);
  // `error` came of trying.
  void add(const std::string& key, const Error& error);
  // It worked.
  void erase(const std::string& key);
  // Everything whose key begins so: an upload may have cured it.
  void erase_prefix(std::string_view prefix);

  [[nodiscard]] std::size_t count() const;
  [[nodiscard]] std::uint64_t hit_count() const { return hit_count_.load(); }

 private:
  struct Entry {
    Error error;
    os::SteadyTime until;
    std::chrono::seconds believed;
    std::list<std::string>::iterator at;  // in order_
  };

  const os::Clock& clock_;
  const std::size_t most_keys_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, Entry> entries_;
  std::list<std::string> order_;  // oldest first
  std::atomic<std::uint64_t> hit_count_{0};
};

}  // namespace twofold::storage
