#include "native/os/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "native/os/system.h"

namespace twofold::os {
namespace {

bool write_all(int to, ByteView bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(to, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

Result<PaddedBuffer> read_file(const std::string& path) {
  const Descriptor from(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!from.is_open()) return system_fault(path, errno);
  struct stat info {};
  if (::fstat(from.value(), &info) != 0) return system_fault(path, errno);
  if (S_ISDIR(info.st_mode)) return Error{Code::kIo, kNoOffset, "a folder, not a file", path};

  // One byte more than the file says, so that its end is seen without growing; pipes say 0 and
  // grow.
  constexpr std::size_t kFirstBytes = std::size_t{64} * 1024;
  PaddedBuffer content(S_ISREG(info.st_mode) ? static_cast<std::size_t>(info.st_size) + 1
                                             : kFirstBytes);
  std::size_t filled = 0;
  for (;;) {
    if (filled == content.size_bytes()) content.resize(filled * 2);
    const ssize_t got =
        ::read(from.value(), content.data() + filled, content.size_bytes() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_fault(path, errno);
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  content.resize(filled);
  return content;
}

Status write_file_atomic(const std::string& path, ByteView bytes) {
  if (path_kind(path) == PathKind::kFolder) {
    return Error{Code::kIo, kNoOffset, "a folder, not a file", path};
  }
  std::string temporary = path + ".tmp-XXXXXX";
  const Descriptor to(::mkstemp(temporary.data()));
  if (!to.is_open()) return system_fault(path, errno);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const bool is_written = write_all(to.value(), bytes) && ::fchmod(to.value(), 0666 & ~mask) == 0 &&
                          ::fsync(to.value()) == 0 &&
                          ::rename(temporary.c_str(), path.c_str()) == 0;
  if (is_written) return {};
  const int code = errno;
  ::unlink(temporary.c_str());
  return system_fault(path, code);
}

PathKind path_kind(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return PathKind::kMissing;
  return S_ISDIR(info.st_mode) ? PathKind::kFolder : PathKind::kFile;
}

std::uint64_t file_size_bytes(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 ? static_cast<std::uint64_t>(info.st_size) : 0;
}

Result<std::vector<std::string>> list_files(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  std::error_code code;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, code);
  const fs::recursive_directory_iterator end;
  for (; !code && at != end; at.increment(code)) {
    std::error_code ignored;  // an entry that vanished meanwhile is no file
    if (at->is_regular_file(ignored)) files.push_back(at->path().string());
  }
  if (code) return Error{Code::kIo, kNoOffset, code.message(), folder};
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace twofold::os
