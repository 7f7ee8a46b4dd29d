// The public face of the core: a trace as text and the artifacts in, the readable trace out.
//
// Never worse than it arrived: every line that is not resolved leaves as it came, byte for byte, in
// order. Never fails; what could not be used is said in the answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/symbolicate/answer.h"
#include "core/symbolicate/artifact_source.h"

namespace twofold {

struct SymbolicateOptions {
  // Lines of source text to show around each mapped frame's own; none of them without a value.
  // Needs artifacts that keep their sources.
  std::optional<std::uint32_t> context_lines = {};
};

// One trace, or a log that holds several. Artifacts that are built for it stay in `artifacts` for
// the next one. O(text + frames * log tokens) besides the building.
[[nodiscard]] Answer symbolicate(std::string_view trace, ArtifactSource& artifacts,
                                 const SymbolicateOptions& options = {});

}  // namespace twofold
