// Threads for what may wait: a bounded queue, first come first served.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "core/symbolicate/request.h"

namespace twofold::http {

class WorkerPool {
 public:
  // A job gets the reader of its thread.
  using Work = std::function<void(RequestReader&)>;

  WorkerPool(std::size_t thread_count, std::size_t most_waiting);
  // Waits for what runs; what has not begun is dropped.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // False: too many wait. Any thread.
  [[nodiscard]] bool add(Work work);
  [[nodiscard]] std::size_t waiting_count() const;

 private:
  void run();

  const std::size_t most_waiting_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Work> waiting_;
  bool is_stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace twofold::http
