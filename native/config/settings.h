// Where the settings of a server come from: flags before the environment before the file before
// what is built in. One table says what there is; file, environment, flags and help follow from it.
//
//   cache.disk_max_mb: 4096          in the file, as a mapping in a mapping
//   TWOFOLD_CACHE_DISK_MAX_MB=4096   in the environment; some have an alias of other tools as well
//   --cache-disk-max-mb 4096         on the command line
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "native/config/config.h"

namespace twofold::config {

// One row of the table, as help shows it.
struct SettingInfo {
  std::string key;    // cache.disk_max_mb
  std::string flag;   // --cache-disk-max-mb
  std::string env;    // TWOFOLD_CACHE_DISK_MAX_MB
  std::string alias;  // SOURCEMAP_DISK_CACHE_MAX_MB, or ""
  std::string help;
};
[[nodiscard]] std::vector<SettingInfo> list_settings();

struct Sources {
  std::string file;       // its name, for errors; "" when there is none
  std::string file_text;  // YAML
  std::function<std::optional<std::string>(const std::string&)> environment;  // null: none
  std::vector<std::pair<std::string, std::string>> flags;                     // key, value
};

struct Loaded {
  Config config;
  // `key: value  # from where`, one per line, every setting: YAML once more.
  std::string listing;
};

// Errors: kUsage naming the source, of a file the line too, and the key; for an unknown key the
// known one that is nearest.
[[nodiscard]] Result<Loaded> load_config(const Sources& sources);

// Names of variables that look like ours and are not: a word for the log, since the environment is
// shared with other programs.
[[nodiscard]] std::vector<std::string> find_unknown_variables(
    const std::vector<std::string>& names);

// Steps (one letter added, dropped or replaced) from `a` to `b`.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace twofold::config
