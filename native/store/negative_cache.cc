#include "native/store/negative_cache.h"

#include <algorithm>

namespace twofold::storage {
namespace {

using std::chrono::seconds;

constexpr seconds kNotFound{60};
constexpr seconds kMayPass{15};
constexpr seconds kLongest{15 * 60};

}  // namespace

std::optional<Error> NegativeCache::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(key);
  // One that is believed no longer stays: if it fails again, it is believed longer.
  if (found == entries_.end() || clock_.now() >= found->second.until) return std::nullopt;
  ++hit_count_;
  return found->second.error;
}

void NegativeCache::add(const std::string& key, const Error& error) {
  const std::lock_guard lock(mutex_);
  const seconds first = error.code == Code::kUnavailable ? kMayPass : kNotFound;
  const auto found = entries_.find(key);
  if (found != entries_.end()) {
    Entry& entry = found->second;
    const bool is_same_kind =
        (entry.error.code == Code::kUnavailable) == (error.code == Code::kUnavailable);
    entry.believed = is_same_kind ? std::min(entry.believed * 2, kLongest) : first;
    entry.until = clock_.now() + entry.believed;
    entry.error = error;
    order_.splice(order_.end(), order_, entry.at);
    return;
  }
  if (entries_.size() >= most_keys_) {
    entries_.erase(order_.front());
    order_.pop_front();
  }
  order_.push_back(key);
  entries_.emplace(key, Entry{error, clock_.now() + first, first, std::prev(order_.end())});
}

void NegativeCache::erase(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(key);
  if (found == entries_.end()) return;
  order_.erase(found->second.at);
  entries_.erase(found);
}

void NegativeCache::erase_prefix(std::string_view prefix) {
  const std::lock_guard lock(mutex_);
  for (auto at = entries_.begin(); at != entries_.end();) {
    if (!std::string_view(at->first).starts_with(prefix)) {
      ++at;
      continue;
    }
    order_.erase(at->second.at);
    at = entries_.erase(at);
  }
}

std::size_t NegativeCache::count() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

}  // namespace twofold::storage
