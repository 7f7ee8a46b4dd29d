#include "core/base/ascii.h"
#include "core/tw/view.h"
#include "native/cli/commands.h"
#include "native/cli/console.h"
#include "native/cli/load.h"
#include "native/os/file.h"

namespace twofold::cli {
namespace {

// app.js.map and app.js become app.js.tw.
std::string default_output(std::string path) {
  constexpr std::string_view kMap = ".map";
  if (ends_with_ignoring_case(path, kMap)) path.resize(path.size() - kMap.size());
  return path + ".tw";
}

}  // namespace

int run_build(const BuildArguments& arguments) {
  Progress progress;
  progress.reading(arguments.inputs.front(), os::file_size_bytes(arguments.inputs.front()));
  auto compiled = compile_inputs(
      arguments.inputs,
      arguments.is_strict ? js::Strictness::kSpecification : js::Strictness::kTolerant,
      arguments.layout);
  if (!compiled) return fail(compiled.error());
  const auto& bytes = compiled.value().tw;
  const auto view = tw::View::open(bytes);
  if (!view) return fail(view.error());
  const std::string output =
      arguments.output.empty() ? default_output(arguments.inputs.front()) : arguments.output;
  if (output == "-") return print(as_text(bytes)) ? kExitOk : kExitFailed;
  if (Status status = os::write_file_atomic(output, bytes); !status) return fail(status.error());
  return print(output + ": " + std::to_string(bytes.size()) + " bytes, " +
               std::to_string(view.value().token_count()) + " tokens, " +
               std::to_string(view.value().file_count()) + " files, " +
               std::to_string(view.value().function_count()) + " functions\n")
             ? kExitOk
             : kExitFailed;
}

}  // namespace twofold::cli
