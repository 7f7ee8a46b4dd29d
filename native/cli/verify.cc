#include "core/tw/verify.h"

#include "core/js/map_reader.h"
#include "native/cli/commands.h"
#include "native/cli/console.h"
#include "native/cli/load.h"

namespace twofold::cli {
namespace {

// A .tw by the deep check; a map by the letter of ECMA-426.
Status verify_file(const Input& input) {
  switch (input.kind) {
    case ArtifactKind::kTw: {
      const auto view = tw::View::open(input.content.bytes());
      return view ? tw::verify(view.value()) : Status(view.error());
    }
    case ArtifactKind::kScript:  // also JSON that is no map: the reader says what is missing
    case ArtifactKind::kSourceMap: {
      js::MapReader reader;
      js::SourceMap map;
      return reader.parse(input.content, js::Strictness::kSpecification, map);
    }
    default:
      return Error{
          Code::kUnsupported, kNoOffset,
          "a " + std::string(to_string(input.kind)) + " file; expected a .tw or a source map"};
  }
}

}  // namespace

int run_verify(const VerifyArguments& arguments) {
  int exit_status = kExitOk;
  for (const std::string& path : arguments.files) {
    const auto input = read_input(path);
    const Status status = input ? verify_file(input.value()) : Status(input.error());
    if (!status) {
      exit_status = fail(with_input(status.error(), path));
    } else if (!print(path + ": ok\n")) {
      return kExitFailed;
    }
  }
  return exit_status;
}

}  // namespace twofold::cli
