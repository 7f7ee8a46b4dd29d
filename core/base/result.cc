#include "core/base/result.h"

namespace twofold {

std::string_view to_string(Code code) {
  switch (code) {
    case Code::kTruncated:
      return "truncated";
    case Code::kBadMagic:
      return "bad_magic";
    case Code::kUnsupportedVersion:
      return "unsupported_version";
    case Code::kUnsupported:
      return "unsupported";
    case Code::kTooLarge:
      return "too_large";
    case Code::kBadTable:
      return "bad_table";
    case Code::kBadJson:
      return "bad_json";
    case Code::kBadMap:
      return "bad_map";
    case Code::kBadMapping:
      return "bad_mapping";
    case Code::kBadSection:
      return "bad_section";
    case Code::kBadUrl:
      return "bad_url";
    case Code::kBadUtf8:
      return "bad_utf8";
    case Code::kWrongBuild:
      return "wrong_build";
    case Code::kNotFound:
      return "not_found";
    case Code::kIo:
      return "io";
    case Code::kUnavailable:
      return "unavailable";
    case Code::kUsage:
      return "usage";
  }
  return "unknown";
}

std::string to_string(const Error& error) {
  std::string line;
  if (!error.input.empty()) line += error.input + ": ";
  if (error.offset != kNoOffset) line += "offset " + std::to_string(error.offset) + ": ";
  line += to_string(error.code);
  if (!error.detail.empty()) line += ": " + error.detail;
  return line;
}

Error with_input(Error error, std::string_view input) {
  if (error.input.empty()) error.input = input;
  return error;
}

}  // namespace twofold
