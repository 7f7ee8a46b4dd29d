// A bounded cache of shared values: the least recently used goes first, by number and by bytes.
//
// A lease (shared_ptr) keeps its value alive however long it is held; what was dropped meanwhile
// goes with the last lease. So the bound is on what the cache keeps, and a mapping is never pulled
// away from under a lookup.
//
// Cut into shards by key, each with a lock of its own that is held for some 20 ns, so that threads
// hardly meet. Any thread.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace twofold::storage {

struct LeaseCacheLimits {
  std::size_t most_entries = 128;
  std::uint64_t most_bytes = ~std::uint64_t{0};
};

template <class Value>
class LeaseCache {
 public:
  using Lease = std::shared_ptr<Value>;

  // Few shards for few entries: each shard has its share of the limits.
  explicit LeaseCache(const LeaseCacheLimits& limits)
      : shard_count_(limits.most_entries >= 4 * kMostShards ? kMostShards : 1),
        most_entries_(limits.most_entries / shard_count_),
        most_bytes_(limits.most_bytes / shard_count_) {}

  // Null: not there.
  [[nodiscard]] Lease find(std::string_view key) {
    Shard& shard = shard_of(key);
    const std::lock_guard lock(shard.mutex);
    const auto found = shard.entries.find(key);
    if (found == shard.entries.end()) return nullptr;
    shard.order.splice(shard.order.begin(), shard.order, found->second);
    return found->second->value;
  }

  // Replaces what was there. A value larger than the limit is not kept.
  void insert(std::string_view key, Lease value, std::uint64_t size_bytes) {
    std::list<Entry> dropped;  // destroyed behind the lock: unmapping takes microseconds
    Shard& shard = shard_of(key);
    const std::lock_guard lock(shard.mutex);
    const auto found = shard.entries.find(key);
    if (found != shard.entries.end()) drop(shard, found->second, dropped);
    if (size_bytes > most_bytes_ || most_entries_ == 0) return;
    shard.order.push_front({std::string(key), std::move(value), size_bytes});
    shard.entries.emplace(shard.order.front().key, shard.order.begin());
    shard.size_bytes += size_bytes;
    while (shard.entries.size() > most_entries_ || shard.size_bytes > most_bytes_) {
      drop(shard, std::prev(shard.order.end()), dropped);
      ++eviction_count_;
    }
  }

  void erase(std::string_view key) {
    std::list<Entry> dropped;
    Shard& shard = shard_of(key);
    const std::lock_guard lock(shard.mutex);
    const auto found = shard.entries.find(key);
    if (found != shard.entries.end()) drop(shard, found->second, dropped);
  }

  [[nodiscard]] std::size_t count() const {
    return sum([](const Shard& shard) { return shard.entries.size(); });
  }
  [[nodiscard]] std::uint64_t size_bytes() const {
    return sum([](const Shard& shard) { return shard.size_bytes; });
  }
  [[nodiscard]] std::uint64_t eviction_count() const { return eviction_count_.load(); }

 private:
  static constexpr std::size_t kMostShards = 16;
  struct Entry {
    std::string key;
    Lease value;
    std::uint64_t size_bytes;
  };
  struct Shard {
    mutable std::mutex mutex;
    std::list<Entry> order;  // most recently used first
    std::unordered_map<std::string_view, typename std::list<Entry>::iterator> entries;
    std::uint64_t size_bytes = 0;
  };

  Shard& shard_of(std::string_view key) {
    return shards_[shard_count_ == 1 ? 0 : std::hash<std::string_view>()(key) % shard_count_];
  }
  static void drop(Shard& shard, typename std::list<Entry>::iterator at,
                   std::list<Entry>& dropped) {
    shard.entries.erase(at->key);
    shard.size_bytes -= at->size_bytes;
    dropped.splice(dropped.end(), shard.order, at);
  }
  template <class Of>
  [[nodiscard]] std::uint64_t sum(Of of) const {
    std::uint64_t sum = 0;
    for (const Shard& shard : shards_) {
      const std::lock_guard lock(shard.mutex);
      sum += of(shard);
    }
    return sum;
  }

  const std::size_t shard_count_;
  const std::size_t most_entries_;
  const std::uint64_t most_bytes_;
  std::array<Shard, kMostShards> shards_;
  std::atomic<std::uint64_t> eviction_count_{0};
};

}  // namespace twofold::storage
