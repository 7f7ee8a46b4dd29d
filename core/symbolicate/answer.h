// The answer to one trace: what every host prints, whatever it prints it as.
//
// Every frame of the input has a status, and a reason unless it is mapped: "why was this one not
// resolved?" is the first question of everybody who reads a trace.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/symbolicate/source_context.h"

namespace twofold {

enum class FrameStatus : std::uint8_t {
  kMapped,       // there is an answer
  kUnmapped,     // the frame says where it is, but there is no answer
  kPassthrough,  // a kind of frame that has nothing to look up
  kDropped,      // the frame does not exist in the original program
};

enum class Reason : std::uint8_t {
  kNone,               // mapped
  kNoArtifact,         // nothing given belongs to it
  kWrongBuild,         // what is given under its name is of another build
  kBadArtifact,        // what belongs to it is damaged or lacks what the lookup needs
  kAmbiguousArtifact,  // several different artifacts fit equally well
  kUnavailable,        // it may be there, but the store did not answer in time
  kNoMapping,          // the artifact has nothing at that place
  kInvalidLocation,    // line or column is 0, missing or no 32-bit number
  kNotALocation,       // native, built-in, <anonymous>, inside eval
};

// The spelling of the JSON interface.
[[nodiscard]] std::string_view to_string(FrameStatus status);
[[nodiscard]] std::string_view to_string(Reason reason);

// What is known of the function that a place is in. JSON: `scope`, left out when nothing is.
enum class FunctionScope : std::uint8_t {
  kUnknown,  // the artifacts do not tell; `function` is then what the engine printed
  kNamed,
  kAnonymous,  // a function without a name
  kGlobal,     // outside every function
};
[[nodiscard]] std::string_view to_string(FunctionScope scope);

// One original frame. No value and 0 mean unknown.
struct OriginalFrame {
  std::optional<std::string> function;
  FunctionScope scope = FunctionScope::kUnknown;
  std::optional<std::string> file;
  std::uint32_t line = 0;                // 1-based
  std::uint32_t column = 0;              // 1-based, UTF-16
  bool is_inlined = false;               // into the one after it
  bool is_ignored = false;               // third-party code by the map's ignore list
  std::optional<SourceContext> context;  // when asked for and known
};

struct AnswerFrame {
  std::string in;                // the frame's text as it stands in its line
  std::uint32_t line_index = 0;  // 0-based input line
  FrameStatus status = FrameStatus::kPassthrough;
  Reason reason = Reason::kNotALocation;
  std::vector<OriginalFrame> out;  // innermost first; empty unless mapped
};

// An artifact that could not be used, said once however many frames needed it.
struct ArtifactFault {
  std::string artifact;
  Reason reason = Reason::kBadArtifact;
  std::string detail;  // one line, offset included where there is one
};

struct Answer {
  std::string text;  // the rewritten trace
  std::vector<AnswerFrame> frames;
  std::vector<ArtifactFault> faults;
};

}  // namespace twofold
