// The commands of `twofold`. Each takes its parsed arguments and returns the exit status.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/tw/section.h"

namespace twofold::cli {

struct BuildArguments {
  std::vector<std::string> inputs;  // a map, a script, or both
  std::string output;               // "": beside the first input
  bool is_strict = false;
  tw::Layout layout = tw::Layout::kBlocks;
};
int run_build(const BuildArguments& arguments);

struct LookupArguments {
  std::string file;                    // .tw, map, or script with its map
  std::vector<std::string> positions;  // LINE:COLUMN, 1-based
  bool as_json = false;
};
int run_lookup(const LookupArguments& arguments);

struct SymbolicateArguments {
  std::vector<std::string> artifacts;
  std::string trace;  // "-": standard input
  std::optional<std::uint32_t> context_lines;
  bool as_json = false;
  bool as_ndjson = false;
  std::uint32_t threads = 0;  // of ndjson; 0: one for each core
};
int run_ndjson(const SymbolicateArguments& arguments);
int run_symbolicate(const SymbolicateArguments& arguments);

struct InspectArguments {
  std::string file;
  bool is_full = false;  // every token and string
  bool as_json = false;
};
int run_inspect(const InspectArguments& arguments);

struct VerifyArguments {
  std::vector<std::string> files;
};
int run_verify(const VerifyArguments& arguments);

struct ServeArguments {
  std::string config_file;
  std::vector<std::pair<std::string, std::string>> settings;  // key, value: those given as flags
  bool only_checks = false;
};
int run_serve(const ServeArguments& arguments);

}  // namespace twofold::cli
