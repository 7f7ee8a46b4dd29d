#include "native/os/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>

#include "native/os/system.h"

namespace twofold::os {

Result<MappedFile> MappedFile::open(const std::string& path, ReadAhead read_ahead) {
  const Descriptor from(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!from.is_open()) return system_fault(path, errno);
  struct stat info {};
  if (::fstat(from.value(), &info) != 0) return system_fault(path, errno);
  if (!S_ISREG(info.st_mode)) return Error{Code::kIo, kNoOffset, "no regular file", path};
  const auto size_bytes = static_cast<std::size_t>(info.st_size);
  if (size_bytes == 0) return MappedFile(nullptr, 0);
  void* const mapped = ::mmap(nullptr, size_bytes, PROT_READ, MAP_SHARED, from.value(), 0);
  if (mapped == MAP_FAILED) return system_fault(path, errno);
  // Advice only: what the system makes of it changes times, not bytes.
  const bool is_whole = read_ahead == ReadAhead::kWhole ||
                        (read_ahead == ReadAhead::kBySize && size_bytes <= kSmallFileBytes);
  ::madvise(mapped, size_bytes, is_whole ? MADV_WILLNEED : MADV_RANDOM);
  return MappedFile(static_cast<const std::uint8_t*>(mapped), size_bytes);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : begin_(std::exchange(other.begin_, nullptr)),
      size_bytes_(std::exchange(other.size_bytes_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(begin_, other.begin_);
  std::swap(size_bytes_, other.size_bytes_);
  return *this;
}

MappedFile::~MappedFile() {
  if (begin_ != nullptr) ::munmap(const_cast<std::uint8_t*>(begin_), size_bytes_);
}

}  // namespace twofold::os
