#include "native/store/folder_object_store.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "native/os/file.h"
#include "native/os/system.h"

namespace twofold::storage {
namespace {

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.';
}

// A part of a key as a file name. `.` and `..` name folders, so a leading dot is encoded too.
void append_part(std::string_view part, std::string& path) {
  constexpr char kHex[] = "0123456789ABCDEF";
  path += '/';
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (is_plain(part[i]) && (i > 0 || part[i] != '.')) {
      path += part[i];
      continue;
    }
    const auto byte = static_cast<unsigned char>(part[i]);
    path += '%';
    path += kHex[byte >> 4];
    path += kHex[byte & 15];
  }
  if (part.empty()) path += '%';
}

void make_folder(const std::string& path) {
  std::error_code ignored;  // the write says what is wrong
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
}

}  // namespace

std::string FolderObjectStore::path_of(std::string_view key) const {
  std::string path = folder_;
  while (true) {
    const std::size_t slash = key.find('/');
    append_part(key.substr(0, slash), path);
    if (slash == std::string_view::npos) return path;
    key.remove_prefix(slash + 1);
  }
}

Result<PaddedBuffer> FolderObjectStore::read(std::string_view key, std::size_t max_bytes,
                                             Clock::time_point /*deadline*/) {
  const std::string path = path_of(key);
  if (os::file_size_bytes(path) > max_bytes) {
    return Error{Code::kTooLarge, kNoOffset, "more than " + std::to_string(max_bytes) + " bytes",
                 path};
  }
  return os::read_file(path);
}

Status FolderObjectStore::write(std::string_view key, ByteView bytes,
                                Clock::time_point /*deadline*/) {
  const std::string path = path_of(key);
  make_folder(path);
  return os::write_file_atomic(path, bytes);
}

Result<ObjectStore::Written> FolderObjectStore::write_new(std::string_view key, ByteView bytes,
                                                          Clock::time_point /*deadline*/) {
  const std::string path = path_of(key);
  if (os::path_kind(path) == os::PathKind::kFile) return Written::kWasThere;
  make_folder(path);
  // A name that nobody else writes to, then a link, which fails where a file is already.
  const std::string own = path + ".new-" + std::to_string(::getpid()) + "-" +
                          std::to_string(reinterpret_cast<std::uintptr_t>(&path));
  if (Status status = os::write_file_atomic(own, bytes); !status) return status.error();
  const int code = ::link(own.c_str(), path.c_str()) == 0 ? 0 : errno;
  ::unlink(own.c_str());
  if (code == EEXIST) return Written::kWasThere;
  if (code != 0) return os::system_fault(path, code);
  return Written::kStored;
}

}  // namespace twofold::storage
