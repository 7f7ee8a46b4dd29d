#include "core/symbolicate/symbolicate.h"

#include "core/symbolicate/json.h"
#include "core/symbolicate/script_artifacts.h"
#include "native/cli/commands.h"
#include "native/cli/console.h"
#include "native/os/file.h"
#include "native/store/disk_files.h"

namespace twofold::cli {

int run_symbolicate(const SymbolicateArguments& arguments) {
  if (arguments.as_ndjson) return run_ndjson(arguments);
  if (arguments.trace.empty()) {
    return fail({Code::kUsage, kNoOffset, "TRACE is required, except with --ndjson"});
  }
  Answer answer;
  {
    Progress progress;
    auto files = DiskFiles::open(arguments.artifacts,
                                 [&](const std::string& path, std::uint64_t size_bytes) {
                                   progress.reading(path, size_bytes);
                                 });
    if (!files) return fail(files.error());
    const auto trace = os::read_file(arguments.trace);
    if (!trace) return fail(trace.error());
    using Sources = ScriptArtifacts::Sources;
    ScriptArtifacts artifacts(*files.value(),
                              arguments.context_lines ? Sources::kKept : Sources::kDropped);
    answer =
        symbolicate(trace.value().text(), artifacts, {.context_lines = arguments.context_lines});
  }
  if (arguments.as_json) return print(to_json(answer) + "\n") ? kExitOk : kExitFailed;
  // The rewritten text is all that goes to standard output; what could not be used is said beside
  // it.
  for (const ArtifactFault& fault : answer.faults) {
    note(fault.artifact + ": " + std::string(to_string(fault.reason)) + ": " + fault.detail);
  }
  return print(answer.text) ? kExitOk : kExitFailed;
}

}  // namespace twofold::cli
