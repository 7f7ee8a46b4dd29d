#include "native/store/disk_files.h"

#include <unistd.h>

#include "native/os/file.h"

namespace twofold {

Result<std::unique_ptr<DiskFiles>> DiskFiles::open(
    const std::vector<std::string>& paths,
    std::function<void(const std::string&, std::uint64_t size_bytes)> on_read) {
  std::unique_ptr<DiskFiles> self(new DiskFiles());
  self->on_read_ = std::move(on_read);
  for (const std::string& path : paths) {
    switch (os::path_kind(path)) {
      case os::PathKind::kMissing:
        return Error{Code::kNotFound, kNoOffset, "no such file or folder", path};
      case os::PathKind::kFile:
        if (::access(path.c_str(), R_OK) != 0) {
          return Error{Code::kIo, kNoOffset, "not readable", path};
        }
        self->files_.push_back({path, std::nullopt});
        break;
      case os::PathKind::kFolder: {
        auto below = os::list_files(path);
        if (!below) return std::move(below).error();
        for (std::string& file : below.value())
          self->files_.push_back({std::move(file), std::nullopt});
        break;
      }
    }
  }
  return self;
}

Result<PaddedView> DiskFiles::read(std::size_t index) {
  File& file = files_[index];
  if (!file.content) {
    if (on_read_) on_read_(file.path, os::file_size_bytes(file.path));
    file.content.emplace(os::read_file(file.path));
  }
  if (!file.content->ok()) return file.content->error();
  return PaddedView(file.content->value());
}

}  // namespace twofold
