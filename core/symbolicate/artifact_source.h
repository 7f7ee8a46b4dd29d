// Where a trace's artifacts come from: `symbolicate` asks, and a host's store answers. The files of
// a command line (script_artifacts.h) are one; the tiers of a server are another.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/js/compile_js.h"
#include "core/symbolicate/answer.h"
#include "core/symbolicate/source_context.h"
#include "core/tw/view.h"

namespace twofold {

// A script that can be looked up. Const all over but for `sources`, which index themselves.
struct ScriptArtifact {
  tw::View view;
  std::vector<bool> is_ignored;              // per file of the view; may be shorter
  std::vector<std::uint8_t> built_bytes;     // what the view looks at, unless a .tw was given
  std::string name;                          // of the file it came from
  std::vector<Position> instruction_starts;  // CompiledJs::instruction_starts
  js::CalledNames called_names;              // CompiledJs::called_names
  ArtifactSources sources;                   // empty unless they are kept

  [[nodiscard]] bool ignores(std::uint32_t file_index) const {
    return view.is_ignored(file_index) ||
           (file_index < is_ignored.size() && is_ignored[file_index]);
  }
};

// The artifact for a script, or why there is none.
struct Served {
  ScriptArtifact* artifact = nullptr;  // of the source that served it
  Reason reason = Reason::kNoArtifact;
  Line first_line = Line(0);  // of the script in the artifact: modules share the map of a bundle
  // In `faults()` of the source: what stands behind the reason, however often it was said.
  std::optional<std::size_t> fault = std::nullopt;
};

class ArtifactSource {
 public:
  virtual ~ArtifactSource() = default;

  // `url`: the script as the trace names it. Asked once per frame, so the same again must be cheap.
  [[nodiscard]] virtual Served find(std::string_view url) = 0;

  // What could not be used so far, each once, in the order of discovery.
  [[nodiscard]] virtual const std::vector<ArtifactFault>& faults() const = 0;
};

}  // namespace twofold
