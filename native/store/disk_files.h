// Artifacts on disk for the command line: the files and folders that the user named, read when
// asked for.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/symbolicate/artifact_files.h"

namespace twofold {

class DiskFiles : public ArtifactFiles {
 public:
  // Files as they are, folders with everything below them. `on_read` is told before a file is read
  // and how large it is, for progress. Errors: a path that is not there or cannot be listed.
  [[nodiscard]] static Result<std::unique_ptr<DiskFiles>> open(
      const std::vector<std::string>& paths,
      std::function<void(const std::string&, std::uint64_t size_bytes)> on_read);

  [[nodiscard]] std::size_t count() const override { return files_.size(); }
  [[nodiscard]] std::string_view name(std::size_t index) const override {
    return files_[index].path;
  }
  [[nodiscard]] Result<PaddedView> read(std::size_t index) override;

 private:
  struct File {
    std::string path;
    std::optional<Result<PaddedBuffer>> content;  // once it was read
  };

  DiskFiles() = default;

  std::vector<File> files_;
  std::function<void(const std::string&, std::uint64_t)> on_read_;
};

}  // namespace twofold
