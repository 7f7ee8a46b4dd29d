#include "native/os/bus_guard.h"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <mutex>

namespace twofold::os {
namespace {

// Taken slots have `end`; it is written last and cleared first.
struct Slot {
  std::atomic<bool> is_taken{false};
  std::atomic<std::uintptr_t> begin{0};
  std::atomic<std::uintptr_t> end{0};
  std::atomic<bool> is_torn{false};
};
std::array<Slot, BusGuard::kMostGuards> slots;  // NOLINT: of the process, see the header
std::atomic<std::size_t> next_slot{0};          // NOLINT
std::uintptr_t page_size = 4096;                // NOLINT: set before the handler is
struct sigaction handled_before {};             // NOLINT

// Only what a signal handler may do: loads and stores of atomics, and mmap.
void on_bus_error(int signal, siginfo_t* info, void* context) {
  const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
  for (Slot& slot : slots) {
    if (at < slot.begin.load() || at >= slot.end.load()) continue;
    void* const page = reinterpret_cast<void*>(at & ~(page_size - 1));
    const void* const zeros =
        ::mmap(page, page_size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (zeros == MAP_FAILED) break;
    slot.is_torn.store(true);
    return;
  }
  if ((handled_before.sa_flags & SA_SIGINFO) != 0 && handled_before.sa_sigaction != nullptr) {
    handled_before.sa_sigaction(signal, info, context);
    return;
  }
  // As if nobody handled it: the same access comes again, and ends the process.
  ::sigaction(SIGBUS, &handled_before, nullptr);
}

void install_handler() {
  static std::once_flag once;
  std::call_once(once, [] {
    page_size = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    struct sigaction action {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(SIGBUS, &action, &handled_before);
  });
}

}  // namespace

BusGuard::BusGuard(ByteView bytes) {
  if (bytes.empty()) return;
  install_handler();
  for (std::size_t tries = 0; tries < kMostGuards; ++tries) {
    const std::size_t at = next_slot.fetch_add(1) % kMostGuards;
    if (slots[at].is_taken.exchange(true)) continue;
    slot_ = at;
    break;
  }
  if (!is_guarded()) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data());
  slots[slot_].is_torn.store(false);
  slots[slot_].begin.store(begin);
  slots[slot_].end.store(begin + (bytes.size() + page_size - 1) / page_size * page_size);
}

BusGuard::~BusGuard() {
  if (!is_guarded()) return;
  slots[slot_].end.store(0);
  slots[slot_].begin.store(0);
  slots[slot_].is_taken.store(false);
}

bool BusGuard::is_torn() const {
  return is_guarded() && slots[slot_].is_torn.load(std::memory_order_relaxed);
}

}  // namespace twofold::os
