// The files that a host offers as artifacts. The core does no I/O: it asks, and the host reads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/padded.h"
#include "core/base/result.h"

namespace twofold {

// A numbered list of named files. Names are paths with either slash, as the user gave or found
// them.
class ArtifactFiles {
 public:
  virtual ~ArtifactFiles() = default;

  [[nodiscard]] virtual std::size_t count() const = 0;
  // Precondition of both: index < count().
  [[nodiscard]] virtual std::string_view name(std::size_t index) const = 0;
  // The content, valid as long as this object. May be asked for again; reading once is the host's
  // job.
  [[nodiscard]] virtual Result<PaddedView> read(std::size_t index) = 0;
};

// Files that are in memory already: WebAssembly, tests.
class MemoryFiles : public ArtifactFiles {
 public:
  void add(std::string name, PaddedBuffer content) {
    files_.push_back({std::move(name), std::move(content)});
  }
  [[nodiscard]] std::size_t count() const override { return files_.size(); }
  [[nodiscard]] std::string_view name(std::size_t index) const override {
    return files_[index].name;
  }
  [[nodiscard]] Result<PaddedView> read(std::size_t index) override {
    return PaddedView(files_[index].content);
  }

 private:
  struct File {
    std::string name;
    PaddedBuffer content;
  };
  std::vector<File> files_;
};

}  // namespace twofold
