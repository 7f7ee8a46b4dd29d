// A file as memory: the operating system reads a page when it is first touched, and keeps it for
// everybody who maps the same file.
//
// Made for .tw files, which are written whole and renamed (`write_file_atomic`) and never changed:
// a file that somebody cuts short while it is mapped kills the process with SIGBUS. Use `read_file`
// for what may change. Movable, not copyable; the bytes stay where they are when it moves. May be
// read from any number of threads.
#pragma once

#include <string>

#include "core/base/bytes.h"
#include "core/base/result.h"

namespace twofold::os {

// How pages that are not in memory come in (bench/README.md, "Cold lookups").
enum class ReadAhead : std::uint8_t {
  kBySize,  // kWhole up to kSmallFileBytes, else kNone
  kWhole,   // the whole file with the first page
  kNone,    // the page that is touched and no other: a lookup needs two of thousands
};
inline constexpr std::size_t kSmallFileBytes = std::size_t{128} * 1024;

class MappedFile {
 public:
  // Errors: kNotFound, kIo with the path as `input`; a folder or a pipe is kIo. An empty file maps
  // to no bytes.
  [[nodiscard]] static Result<MappedFile> open(const std::string& path,
                                               ReadAhead read_ahead = ReadAhead::kBySize);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  [[nodiscard]] ByteView bytes() const { return {begin_, size_bytes_}; }

 private:
  MappedFile(const std::uint8_t* begin, std::size_t size_bytes)
      : begin_(begin), size_bytes_(size_bytes) {}

  const std::uint8_t* begin_ = nullptr;
  std::size_t size_bytes_ = 0;
};

}  // namespace twofold::os
