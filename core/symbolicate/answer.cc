#include "core/symbolicate/answer.h"

namespace twofold {

std::string_view to_string(FrameStatus status) {
  switch (status) {
    case FrameStatus::kMapped:
      return "mapped";
    case FrameStatus::kUnmapped:
      return "unmapped";
    case FrameStatus::kPassthrough:
      return "passthrough";
    case FrameStatus::kDropped:
      return "dropped";
  }
  return "unmapped";
}

std::string_view to_string(FunctionScope scope) {
  switch (scope) {
    case FunctionScope::kUnknown:
      return "unknown";
    case FunctionScope::kNamed:
      return "named";
    case FunctionScope::kAnonymous:
      return "anonymous";
    case FunctionScope::kGlobal:
      return "global";
  }
  return "unknown";
}

std::string_view to_string(Reason reason) {
  switch (reason) {
    case Reason::kNone:
      return "none";
    case Reason::kNoArtifact:
      return "no_artifact";
    case Reason::kWrongBuild:
      return "wrong_build";
    case Reason::kBadArtifact:
      return "bad_artifact";
    case Reason::kAmbiguousArtifact:
      return "ambiguous_artifact";
    case Reason::kUnavailable:
      return "unavailable";
    case Reason::kNoMapping:
      return "no_mapping";
    case Reason::kInvalidLocation:
      return "invalid_location";
    case Reason::kNotALocation:
      return "not_a_location";
  }
  return "none";
}

}  // namespace twofold
