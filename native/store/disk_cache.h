// .tw files in a folder of this machine, mapped: the system's page cache is the memory tier.
//
//   FOLDER/tw/PROJECT/KEY.tw
//
// A file is written under another name, flushed and renamed, so it is there whole or not at all,
// whatever happens. Several processes may share a folder: each writes whole files and unlinks whole
// files, and a mapped file stays readable when it is unlinked. The least recently used files go
// when the budget is passed; "used" is the file's time stamp, renewed every ten minutes, so that
// all processes see it. A file that does not hold together is unlinked and counts as missing. Any
// thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/base/result.h"
#include "core/tw/view.h"
#include "native/os/bus_guard.h"
#include "native/os/clock.h"
#include "native/os/mapped_file.h"

namespace twofold::storage {

// A .tw that is mapped; the view looks into it.
class MappedTw {
 public:
  MappedTw(os::MappedFile file, const tw::View& view)
      : file_(std::move(file)), guard_(file_.bytes()), view_(view) {}
  [[nodiscard]] const tw::View& view() const { return view_; }
  // Somebody cut the file short: what is missing reads as zeros.
  [[nodiscard]] bool is_torn() const { return guard_.is_torn(); }

 private:
  os::MappedFile file_;
  os::BusGuard guard_;  // goes before the mapping does
  tw::View view_;
};

struct DiskLimits {
  std::uint64_t most_bytes = std::uint64_t{2048} * 1024 * 1024;
  // Of the file system that the folder is on; 0: no such limit. The lower of both holds.
  std::uint32_t most_percent = 0;
};

class DiskCache {
 public:
  // Makes the folder, counts what is there, and removes what dead writers left behind.
  // Errors: kIo, when it cannot be made or listed.
  [[nodiscard]] static Result<std::unique_ptr<DiskCache>> open(const std::string& folder,
                                                               const DiskLimits& limits,
                                                               const os::Clock& clock);

  // `project` and `key` become names of files: [A-Za-z0-9_-], checked with kUsage.
  // Errors: kNotFound, also for a file that was damaged and is gone now; kIo.
  [[nodiscard]] Result<std::unique_ptr<MappedTw>> find(std::string_view project,
                                                       std::string_view key);
  // Errors: kIo, nothing is left behind then; a full disk is one.
  [[nodiscard]] Status write(std::string_view project, std::string_view key, ByteView bytes);
  void erase(std::string_view project, std::string_view key);

  [[nodiscard]] std::uint64_t size_bytes() const { return size_bytes_.load(); }
  [[nodiscard]] std::uint64_t eviction_count() const { return eviction_count_.load(); }
  [[nodiscard]] std::uint64_t damaged_count() const { return damaged_count_.load(); }
  [[nodiscard]] std::uint64_t failed_write_count() const { return failed_write_count_.load(); }

 private:
  DiskCache(std::string folder, const DiskLimits& limits, const os::Clock& clock)
      : folder_(std::move(folder)), limits_(limits), clock_(clock) {}

  [[nodiscard]] Result<std::string> path_of(std::string_view project, std::string_view key) const;
  [[nodiscard]] std::uint64_t limit_bytes() const;
  [[nodiscard]] Result<tw::View> check(const std::string& path, const os::MappedFile& file);
  void touch(const std::string& path) const;
  [[nodiscard]] Status scan_and_evict();

  const std::string folder_;
  const DiskLimits limits_;
  const os::Clock& clock_;
  std::mutex evicting_;
  std::atomic<std::uint64_t> size_bytes_{0};  // as of the last scan, and what was written since
  std::atomic<std::uint64_t> eviction_count_{0};
  std::atomic<std::uint64_t> damaged_count_{0};
  std::atomic<std::uint64_t> failed_write_count_{0};
  // Files whose checksums were compared by this process, by path: inode, size and time stamp of
  // the content would change with it.
  std::mutex checked_mutex_;
  std::unordered_map<std::string, std::uint64_t> checked_;
};

}  // namespace twofold::storage
