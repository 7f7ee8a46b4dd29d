#include "native/store/disk_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <vector>

#include "core/tw/verify.h"
#include "native/os/file.h"
#include "native/os/system.h"

namespace twofold::storage {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes kTouchedEvery{10};
// A writer needs seconds: what is older was left by one that died.
constexpr std::chrono::hours kDeadWriter{1};
constexpr std::size_t kMostChecked = 100'000;
constexpr std::string_view kEnding = ".tw";
constexpr std::string_view kTemporary = ".tmp-";  // os::write_file_atomic

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= 128 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  });
}

std::chrono::system_clock::time_point modified_at(const struct stat& info) {
  return std::chrono::system_clock::time_point(
      std::chrono::duration_cast<std::chrono::system_clock::duration>(
          std::chrono::seconds(info.st_mtim.tv_sec) +
          std::chrono::nanoseconds(info.st_mtim.tv_nsec)));
}

struct Found {
  std::string path;
  std::uint64_t size_bytes;
  std::chrono::system_clock::time_point used_at;
};

}  // namespace

Result<std::unique_ptr<DiskCache>> DiskCache::open(const std::string& folder,
                                                   const DiskLimits& limits,
                                                   const os::Clock& clock) {
  std::error_code code;
  fs::create_directories(fs::path(folder) / "tw", code);
  if (code) return Error{Code::kIo, kNoOffset, code.message(), folder};
  std::unique_ptr<DiskCache> cache(new DiskCache(folder, limits, clock));
  if (Status status = cache->scan_and_evict(); !status) return status.error();
  return cache;
}

Result<std::string> DiskCache::path_of(std::string_view project, std::string_view key) const {
  if (!is_name(project) || !is_name(key)) {
    return Error{Code::kUsage, kNoOffset, "a project or key that cannot name a file"};
  }
  return folder_ + "/tw/" + std::string(project) + "/" + std::string(key) + std::string(kEnding);
}

std::uint64_t DiskCache::limit_bytes() const {
  struct statvfs info {};
  if (limits_.most_percent == 0 || ::statvfs(folder_.c_str(), &info) != 0) {
    return limits_.most_bytes;
  }
  const std::uint64_t total = std::uint64_t{info.f_blocks} * info.f_frsize;
  return std::min(limits_.most_bytes, total / 100 * limits_.most_percent);
}

// Its checksums, once in this process: reading all of a file for each opening would undo what
// mapping it saves.
Result<tw::View> DiskCache::check(const std::string& path, const os::MappedFile& file) {
  auto view = tw::View::open(file.bytes());
  if (!view) return view;
  const std::uint64_t size = file.bytes().size();
  {
    const std::lock_guard lock(checked_mutex_);
    const auto known = checked_.find(path);
    if (known != checked_.end() && known->second == size) return view;
  }
  if (Status status = tw::verify_checksums(view.value()); !status) return status.error();
  const std::lock_guard lock(checked_mutex_);
  if (checked_.size() >= kMostChecked) checked_.clear();
  checked_[path] = size;
  return view;
}

void DiskCache::touch(const std::string& path) const {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return;
  // A stamp in the future, from before the clock was put right, would keep the file for ever.
  const auto now = clock_.wall_now();
  const auto age = now - modified_at(info);
  if (age < kTouchedEvery && age > -kTouchedEvery) return;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch());
  timespec stamps[2] = {{0, UTIME_OMIT}, {static_cast<time_t>(seconds.count()), 0}};
  ::utimensat(AT_FDCWD, path.c_str(), stamps, 0);  // best effort: the folder may be read-only
}

Result<std::unique_ptr<MappedTw>> DiskCache::find(std::string_view project, std::string_view key) {
  const auto path = path_of(project, key);
  if (!path) return path.error();
  auto file = os::MappedFile::open(path.value());
  if (!file) return file.error();
  const auto view = check(path.value(), file.value());
  if (!view) {
    ++damaged_count_;
    erase(project, key);
    return Error{Code::kNotFound, view.error().offset, "damaged: " + view.error().detail,
                 path.value()};
  }
  touch(path.value());
  return std::make_unique<MappedTw>(std::move(file).value(), view.value());
}

Status DiskCache::write(std::string_view project, std::string_view key, ByteView bytes) {
  const auto path = path_of(project, key);
  if (!path) return path.error();
  std::error_code ignored;  // the write says what is wrong
  fs::create_directories(fs::path(path.value()).parent_path(), ignored);
  {
    const std::lock_guard lock(checked_mutex_);
    checked_.erase(path.value());
  }
  if (Status status = os::write_file_atomic(path.value(), bytes); !status) {
    ++failed_write_count_;
    return status;
  }
  size_bytes_ += bytes.size();
  if (size_bytes_.load() > limit_bytes()) return scan_and_evict();
  return {};
}

void DiskCache::erase(std::string_view project, std::string_view key) {
  const auto path = path_of(project, key);
  if (!path) return;
  const std::uint64_t size = os::file_size_bytes(path.value());
  {
    const std::lock_guard lock(checked_mutex_);
    checked_.erase(path.value());
  }
  if (::unlink(path.value().c_str()) == 0) size_bytes_ -= std::min(size_bytes_.load(), size);
}

// What is there, other processes' files included; then the oldest go until a tenth of the budget is
// free, so that not every write has to look.
Status DiskCache::scan_and_evict() {
  const std::lock_guard lock(evicting_);
  const auto paths = os::list_files(folder_ + "/tw");
  if (!paths) return paths.error();
  std::vector<Found> files;
  std::uint64_t total = 0;
  const auto now = clock_.wall_now();
  for (const std::string& path : paths.value()) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) continue;  // gone meanwhile
    const bool is_temporary = path.find(kTemporary) != std::string::npos;
    if (is_temporary && now - modified_at(info) > kDeadWriter) ::unlink(path.c_str());
    if (is_temporary || !std::string_view(path).ends_with(kEnding)) continue;
    files.push_back({path, static_cast<std::uint64_t>(info.st_size), modified_at(info)});
    total += files.back().size_bytes;
  }
  const std::uint64_t limit = limit_bytes();
  if (total > limit) {
    std::sort(files.begin(), files.end(), [](const Found& a, const Found& b) {
      return a.used_at != b.used_at ? a.used_at < b.used_at : a.path < b.path;
    });
    for (const Found& file : files) {
      if (total <= limit - limit / 10) break;
      if (::unlink(file.path.c_str()) != 0 && errno != ENOENT) continue;
      total -= file.size_bytes;
      ++eviction_count_;
    }
  }
  size_bytes_ = total;
  return {};
}

}  // namespace twofold::storage
