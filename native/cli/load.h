// Turns what a user names on the command line into a .tw: a .tw as it is, a map or a script
// compiled.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/padded.h"
#include "core/base/result.h"
#include "core/js/compile_js.h"
#include "core/symbolicate/artifact_kind.h"
#include "native/os/mapped_file.h"

namespace twofold::cli {

// An input file and what it is.
struct Input {
  std::string path;
  PaddedBuffer content;
  ArtifactKind kind = ArtifactKind::kNone;
};
[[nodiscard]] Result<Input> read_input(const std::string& path);

// Compiles a map, a script with its map, or a script alone: its map is then what its
// sourceMappingURL names, else the file called like it plus `.map`.
[[nodiscard]] Result<js::CompiledJs> compile_inputs(const std::vector<std::string>& paths,
                                                    js::Strictness strictness,
                                                    tw::Layout layout = tw::Layout::kFlat);

// A .tw: a file that is there, of which only what a lookup touches is read, or one just built.
class LoadedTw {
 public:
  explicit LoadedTw(os::MappedFile file) : file_(std::move(file)) {}
  explicit LoadedTw(std::vector<std::uint8_t> built) : built_(std::move(built)) {}
  [[nodiscard]] ByteView bytes() const { return file_ ? file_->bytes() : ByteView(built_); }

 private:
  std::optional<os::MappedFile> file_;
  std::vector<std::uint8_t> built_;
};

// The .tw behind `path`, which names a .tw, a map or a script.
[[nodiscard]] Result<LoadedTw> load_tw(const std::string& path);

}  // namespace twofold::cli
