// The sections of a .tw version 2. FORMAT.md says what is in each.
#pragma once

#include <cstdint>

namespace twofold::tw {

enum class SectionKind : std::uint32_t {
  kIdentity = 1,
  kRuns = 2,
  kPages = 3,
  kFiles = 4,
  kFunctions = 5,
  kLongNames = 6,
  kCallers = 7,
  kSources = 8,
  kBuckets = 9,
};
inline constexpr std::uint32_t kLastSectionKind = 9;

enum class Language : std::uint32_t {
  kUnknown = 0,
  kJavaScript = 1,
  kNative = 2,
  kDart = 3,
  kJvm = 4
};

// How tokens are stored: version 1 or version 2 of the format.
enum class Layout : std::uint8_t { kFlat, kBlocks };

// What ties a file to a build.
enum class IdentityKind : std::uint8_t {
  kDebugId = 1,  // text, as the artifact has it
  kBuildId = 2,  // bytes
  kBuilder = 3,  // text: what wrote the file
};

}  // namespace twofold::tw
