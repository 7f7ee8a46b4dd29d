// What kind of artifact a file is, told from its content and never from its name.
#pragma once

#include <cstdint>
#include <string_view>

namespace twofold {

enum class ArtifactKind : std::uint8_t {
  kNone,    // binary of no kind we know, or empty
  kScript,  // JavaScript, which is to say: any other text
  kSourceMap,
  kTw,
  kMachO,      // recognised, not read yet
  kElf,        // recognised, not read yet
  kR8Mapping,  // recognised, not read yet
  // Bundles of React Native that are no text. Their frames are served by their source maps.
  kRamBundle,        // an indexed RAM bundle
  kRamBundleMarker,  // `UNBUNDLE`, beside the modules of a file RAM bundle
  kHermesBytecode,
};

[[nodiscard]] std::string_view to_string(ArtifactKind kind);

// `content` is the whole file. O(content) for JSON, the first kilobytes otherwise.
[[nodiscard]] ArtifactKind detect_kind(std::string_view content);

}  // namespace twofold
