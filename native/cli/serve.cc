#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "native/cli/commands.h"
#include "native/cli/console.h"
#include "native/config/settings.h"
#include "native/engine/open_engine.h"
#include "native/http/log.h"
#include "native/http/server.h"
#include "native/os/clock.h"
#include "native/os/file.h"

namespace twofold::cli {
namespace {

std::vector<std::string> variable_names() {
  std::vector<std::string> names;
  for (char** one = environ; one != nullptr && *one != nullptr; ++one) {
    const std::string_view text(*one);
    names.emplace_back(text.substr(0, text.find('=')));
  }
  return names;
}

std::optional<std::string> find_variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

Result<config::Loaded> load(const ServeArguments& arguments) {
  config::Sources sources;
  if (!arguments.config_file.empty()) {
    const auto text = os::read_file(arguments.config_file);
    if (!text) return text.error();
    sources.file = arguments.config_file;
    sources.file_text = text.value().text();
  }
  sources.environment = [](const std::string& name) { return find_variable(name.c_str()); };
  sources.flags = arguments.settings;
  return config::load_config(sources);
}

// All that can be known without opening anything.
int check(const config::Loaded& loaded) {
  const auto tokens = http::load_tokens(loaded.config.tokens_file);
  if (!tokens) return fail(tokens.error());
  const auto address = http::parse_address(loaded.config.listen);
  if (!address) return fail(address.error());
  for (const std::string& name : config::find_unknown_variables(variable_names())) {
    note(name + " is no setting");
  }
  return print(loaded.listing) ? kExitOk : kExitFailed;
}

}  // namespace

int run_serve(const ServeArguments& arguments) {
  const auto loaded = load(arguments);
  if (!loaded) return fail(loaded.error());
  if (arguments.only_checks) return check(loaded.value());
  const config::Config& config = loaded.value().config;

  // Whoever reads the log may go away; the server stays.
  std::signal(SIGPIPE, SIG_IGN);
  http::Log log(config.log.level);
  for (const std::string& name : config::find_unknown_variables(variable_names())) {
    log.write(http::Log::Level::kWarn, "unknown_variable", {{"name", std::string_view(name)}});
  }
  const os::Clock clock;
  auto engine = engine::open_engine(config, find_variable, clock);
  if (!engine) return fail(engine.error());
  auto server = http::Server::open(config, *engine.value(), log);
  if (!server) return fail(server.error());
  if (server.value()->run() == http::Server::End::kDrained) return kExitOk;
  // Requests are still on their way: nothing they use may be taken apart under them.
  std::_Exit(kExitFailed);
}

}  // namespace twofold::cli
