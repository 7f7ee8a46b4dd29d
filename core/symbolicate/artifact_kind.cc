#include "core/symbolicate/artifact_kind.h"

#include <algorithm>
#include <cstring>

#include "core/base/bytes.h"
#include "core/js/map_reader.h"
#include "core/js/ram_bundle.h"
#include "core/tw/layout.h"

namespace twofold {
namespace {

constexpr std::size_t kHeadBytes = 4096;  // enough to tell text from binary and to see a class line

constexpr std::string_view kHermesMagic = "\xC6\x1F\xBC\x03\xC1\x03\x19\x1F";

bool has_magic(std::string_view content, std::initializer_list<std::uint32_t> magics) {
  if (content.size() < 4) return false;
  const std::uint32_t word = load_u32(as_byte_view(content).data());
  return std::find(magics.begin(), magics.end(), word) != magics.end();
}

bool is_mach_o(std::string_view content) {
  // 32 and 64 bit, both byte orders; then the fat headers, which share their magic with Java
  // classes: a class file has its version (45 or more) where a fat file counts its slices.
  if (has_magic(content, {0xFEEDFACEu, 0xFEEDFACFu, 0xCEFAEDFEu, 0xCFFAEDFEu})) return true;
  return has_magic(content, {0xBEBAFECAu, 0xBFBAFECAu}) && content.size() >= 8 &&
         static_cast<std::uint8_t>(content[7]) < 45;
}

// One magic number for both: alone in the file it marks a folder of modules.
ArtifactKind ram_bundle_kind(std::string_view content) {
  return content.size() == 4 ? ArtifactKind::kRamBundleMarker : ArtifactKind::kRamBundle;
}

// A mapping has class lines `a.b.C -> x.y:` at the left margin, before any member line.
bool is_r8_mapping(std::string_view head) {
  while (!head.empty()) {
    const std::size_t line_end = std::min(head.find('\n'), head.size());
    std::string_view line = head.substr(0, line_end);
    head.remove_prefix(std::min(line_end + 1, head.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.front() == '#') continue;
    const std::size_t arrow = line.find(" -> ");
    return arrow != std::string_view::npos && arrow > 0 && line.ends_with(':') &&
           line.substr(0, arrow).find(' ') == std::string_view::npos;
  }
  return false;
}

}  // namespace

std::string_view to_string(ArtifactKind kind) {
  switch (kind) {
    case ArtifactKind::kNone:
      return "unknown";
    case ArtifactKind::kScript:
      return "script";
    case ArtifactKind::kSourceMap:
      return "source map";
    case ArtifactKind::kTw:
      return "tw";
    case ArtifactKind::kMachO:
      return "Mach-O";
    case ArtifactKind::kElf:
      return "ELF";
    case ArtifactKind::kR8Mapping:
      return "R8 mapping";
    case ArtifactKind::kRamBundle:
      return "indexed RAM bundle";
    case ArtifactKind::kRamBundleMarker:
      return "file RAM bundle marker";
    case ArtifactKind::kHermesBytecode:
      return "Hermes bytecode";
  }
  return "unknown";
}

ArtifactKind detect_kind(std::string_view content) {
  if (content.size() >= sizeof tw::kMagic &&
      std::memcmp(content.data(), tw::kMagic, sizeof tw::kMagic) == 0) {
    return ArtifactKind::kTw;
  }
  if (content.starts_with("\x7F"
                          "ELF"))
    return ArtifactKind::kElf;
  if (is_mach_o(content)) return ArtifactKind::kMachO;
  if (has_magic(content, {js::kRamBundleMagic})) return ram_bundle_kind(content);
  if (content.starts_with(kHermesMagic)) return ArtifactKind::kHermesBytecode;
  const std::string_view head = content.substr(0, kHeadBytes);
  if (head.empty() || head.find('\0') != std::string_view::npos) return ArtifactKind::kNone;
  if (js::looks_like_source_map(content)) return ArtifactKind::kSourceMap;
  return is_r8_mapping(head) ? ArtifactKind::kR8Mapping : ArtifactKind::kScript;
}

}  // namespace twofold
