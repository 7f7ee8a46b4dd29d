// One call for many that want the same: whoever asks first does the work, the others wait for what
// comes of it. A thousand requests for one cold artifact build it once.
//
// The outcome is shared, error or not. A waiter waits no longer than its own deadline; the work
// goes on without it. Any thread.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "core/base/result.h"
#include "native/os/clock.h"

namespace twofold::storage {

template <class Value>  // cheap to copy: a shared_ptr
class SingleFlight {
 public:
  using Outcome = Result<Value>;

  // What `work` gives, or what somebody else's gave who was at it already. Errors: those of `work`;
  // kUnavailable for a waiter whose deadline passed.
  Outcome run(const std::string& key, os::SteadyTime deadline,
              const std::function<Outcome()>& work) {
    std::shared_ptr<Flight> flight;
    bool is_first = false;
    {
      const std::lock_guard lock(mutex_);
      const auto [at, is_new] = flights_.try_emplace(key);
      if (is_new) at->second = std::make_shared<Flight>();
      flight = at->second;
      is_first = is_new;
    }
    if (!is_first) return wait(*flight, deadline);
    Outcome outcome = work();
    {
      const std::lock_guard lock(mutex_);
      flights_.erase(key);
    }
    {
      const std::lock_guard lock(flight->mutex);
      flight->outcome = outcome;
    }
    flight->landed.notify_all();
    return outcome;
  }

 private:
  struct Flight {
    std::mutex mutex;
    std::condition_variable landed;
    std::optional<Outcome> outcome;
  };

  static Outcome wait(Flight& flight, os::SteadyTime deadline) {
    std::unique_lock lock(flight.mutex);
    const bool has_landed =
        flight.landed.wait_until(lock, deadline, [&] { return flight.outcome.has_value(); });
    if (has_landed) return *flight.outcome;
    return Error{Code::kUnavailable, kNoOffset,
                 "the deadline passed while somebody else was at it"};
  }

  std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<Flight>> flights_;
};

}  // namespace twofold::storage
