// The command line. Arguments in, one command called, its exit status out; what a command does is
// in its own file.
#include <CLI/CLI.hpp>
#include <exception>
#include <functional>
#include <map>
#include <new>

#include "native/cli/commands.h"
#include "native/cli/console.h"
#include "native/config/settings.h"

namespace twofold::cli {
namespace {

constexpr const char* kExitStatuses =
    "Exit status: 0 done (even if no frame resolves), 1 bad or unreadable input, 2 bad arguments.\n"
    "Errors are one line on standard error: file, offset, reason.";

constexpr int kMostContextLines = 1000;

// A command and what runs when it is chosen.
struct Command {
  CLI::App* app;
  std::function<int()> run;
};

Command add_build(CLI::App& app, BuildArguments& arguments) {
  CLI::App* command =
      app.add_subcommand("build", "Compile a source map (and its script) into a .tw file");
  command
      ->add_option(
          "INPUT", arguments.inputs,
          "A source map, its script, or both, in any order. A script alone brings the map that its "
          "sourceMappingURL names")
      ->required()
      ->expected(1, 2);
  command->add_option("-o,--output", arguments.output,
                      "Where to write; - is standard output. Default: beside the input, app.js.tw");
  command->add_flag("--strict", arguments.is_strict, "Refuse every deviation from ECMA-426");
  const std::map<std::string, tw::Layout> layouts{{"flat", tw::Layout::kFlat},
                                                  {"blocks", tw::Layout::kBlocks}};
  command
      ->add_option("--layout", arguments.layout,
                   "Version 2 of the format (blocks: a sixth of the size, one page to read for a "
                   "lookup), or version 1, which other tools read too (flat)")
      ->transform(CLI::CheckedTransformer(layouts))
      ->option_text("flat|blocks");
  return {command, [&] { return run_build(arguments); }};
}

Command add_lookup(CLI::App& app, LookupArguments& arguments) {
  CLI::App* command = app.add_subcommand("lookup", "Look positions up, one line of answer each");
  command->add_option("FILE", arguments.file, "A .tw file, a source map, or a script with its map")
      ->required();
  command
      ->add_option("POSITION", arguments.positions,
                   "LINE:COLUMN in the generated code, both from 1, columns in UTF-16 units")
      ->required();
  command->add_flag("--json", arguments.as_json, "One JSON object a line");
  return {command, [&] { return run_lookup(arguments); }};
}

Command add_symbolicate(CLI::App& app, SymbolicateArguments& arguments) {
  CLI::App* command = app.add_subcommand("symbolicate", "Make a stack trace readable");
  command
      ->add_option("-a,--artifact", arguments.artifacts,
                   "A file or a folder with scripts, source maps, .tw files; may be repeated")
      ->required()
      ->expected(1)
      ->allow_extra_args(false)  // the next argument is the trace
      ->take_all();
  command
      ->add_option("--context", arguments.context_lines,
                   "Show the source line of each frame and this many around it, where the map "
                   "carries the source text")
      ->check(CLI::Range(0, kMostContextLines))
      ->option_text("LINES");
  CLI::Option* const trace =
      command->add_option("TRACE", arguments.trace, "The file with the trace; - is standard input");
  command->add_flag("--json", arguments.as_json,
                    "One JSON object: the text, and every frame with its status and reason");
  CLI::Option* const ndjson = command->add_flag(
      "--ndjson", arguments.as_ndjson,
      "A JSON record per line on standard input, {\"trace\":...,\"context\":...} or a string, and "
      "one answer per line on standard output, in order. Source texts for records that ask for "
      "them are kept with --context only");
  ndjson->excludes(trace);
  command->add_option("--threads", arguments.threads, "With --ndjson; 0 is one for each core")
      ->check(CLI::Range(0, 256))
      ->needs(ndjson);
  return {command, [&] { return run_symbolicate(arguments); }};
}

Command add_inspect(CLI::App& app, InspectArguments& arguments) {
  CLI::App* command = app.add_subcommand("inspect", "Say what a file is and what is in it");
  command->add_option("FILE", arguments.file, "Any file")->required();
  command->add_flag("--full", arguments.is_full, "Also every token and string, or every source");
  command->add_flag("--json", arguments.as_json, "One JSON object");
  return {command, [&] { return run_inspect(arguments); }};
}

Command add_verify(CLI::App& app, VerifyArguments& arguments) {
  CLI::App* command = app.add_subcommand(
      "verify", "Check files deeply: .tw files, and source maps by the letter of ECMA-426");
  command->add_option("FILE", arguments.files, "Files to check")->required();
  return {command, [&] { return run_verify(arguments); }};
}

// One flag for each setting, from the same table as file and environment.
Command add_serve(CLI::App& app, ServeArguments& arguments) {
  CLI::App* command = app.add_subcommand("serve", "Answer over HTTP; see examples/serve");
  command->add_option(
      "--config", arguments.config_file,
      "YAML file with settings. Flags go before TWOFOLD_ variables before the file");
  command->add_flag("--check-config", arguments.only_checks,
                    "Print every setting and where it comes from, and end");
  command->add_flag_callback(
      "--no-disk", [&] { arguments.settings.emplace_back("cache.type", "memory"); },
      "Short for --cache-type memory");
  for (const config::SettingInfo& setting : config::list_settings()) {
    std::string help = setting.help + " [" + setting.env;
    if (!setting.alias.empty()) help += ", " + setting.alias;
    command
        ->add_option_function<std::string>(
            setting.flag,
            [&arguments, key = setting.key](const std::string& value) {
              arguments.settings.emplace_back(key, value);
            },
            help + "]")
        ->option_text("VALUE");
  }
  return {command, [&] { return run_serve(arguments); }};
}

int run(int argc, char** argv) {
  CLI::App app("twofold turns the stack traces of production back into the code somebody wrote.");
  app.set_version_flag("--version", "twofold " TWOFOLD_VERSION);
  app.require_subcommand(1);
  app.footer(std::string("\n") + kExitStatuses +
             "\n\nExample: twofold symbolicate -a dist/ crash.txt");

  BuildArguments build;
  LookupArguments lookup;
  SymbolicateArguments symbolicate;
  InspectArguments inspect;
  VerifyArguments verify;
  ServeArguments serve;
  const Command commands[] = {
      add_build(app, build),     add_lookup(app, lookup), add_symbolicate(app, symbolicate),
      add_inspect(app, inspect), add_verify(app, verify), add_serve(app, serve)};
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {
    return app.exit(asked);  // --help, --version
  } catch (const CLI::ParseError& wrong) {
    return fail({Code::kUsage, kNoOffset, std::string(wrong.what()) + " (see twofold --help)"});
  }
  for (const Command& command : commands) {
    if (command.app->parsed()) return command.run();
  }
  return kExitUsage;
}

}  // namespace
}  // namespace twofold::cli

// What throws all the same: memory that runs out, and a mistake in the description of the
// arguments.
int main(int argc, char** argv) {
  using namespace twofold;
  try {
    return cli::run(argc, argv);
  } catch (const std::bad_alloc&) {
    return cli::fail({Code::kTooLarge, kNoOffset, "not enough memory"});
  } catch (const std::exception& fault) {
    return cli::fail({Code::kIo, kNoOffset, fault.what()});
  }
}
