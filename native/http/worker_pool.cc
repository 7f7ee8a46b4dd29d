#include "native/http/worker_pool.h"

namespace twofold::http {

WorkerPool::WorkerPool(std::size_t thread_count, std::size_t most_waiting)
    : most_waiting_(most_waiting) {
  for (std::size_t i = 0; i < thread_count; ++i) threads_.emplace_back([this] { run(); });
}

WorkerPool::~WorkerPool() {
  std::deque<Work> dropped;  // destroyed without the lock
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
    dropped.swap(waiting_);
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool WorkerPool::add(Work work) {
  {
    const std::lock_guard lock(mutex_);
    if (is_stopping_ || waiting_.size() >= most_waiting_) return false;
    waiting_.push_back(std::move(work));
  }
  wake_.notify_one();
  return true;
}

std::size_t WorkerPool::waiting_count() const {
  const std::lock_guard lock(mutex_);
  return waiting_.size();
}

void WorkerPool::run() {
  RequestReader reader;
  for (;;) {
    Work work;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return is_stopping_ || !waiting_.empty(); });
      if (is_stopping_) return;
      work = std::move(waiting_.front());
      waiting_.pop_front();
    }
    work(reader);
  }
}

}  // namespace twofold::http
