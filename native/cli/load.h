// Turns what a user names on the command line into a .tw: a .tw as it is, a map or a script
// compiled.
#pragma once

#include <string>
#include <vector>

#include "core/base/padded.h"
#include "core/base/result.h"
#include "core/js/compile_js.h"
#include "core/symbolicate/artifact_kind.h"

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
                                                    js::Strictness strictness);

// The .tw bytes behind `path`, which names a .tw, a map or a script.
[[nodiscard]] Result<std::vector<std::uint8_t>> load_tw(const std::string& path);

}  // namespace twofold::cli
