#include "native/config/settings.h"

#include <catch2/catch.hpp>
#include <map>

#include "native/config/yaml.h"

using namespace twofold;
using namespace twofold::config;

namespace {

using Variables = std::map<std::string, std::string>;

Result<Loaded> load(std::string file_text, Variables variables = {},
                    std::vector<std::pair<std::string, std::string>> flags = {}) {
  Sources sources;
  sources.file = file_text.empty() ? "" : "serve.yaml";
  sources.file_text = std::move(file_text);
  sources.environment =
      [variables = std::move(variables)](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
  sources.flags = std::move(flags);
  return load_config(sources);
}

}  // namespace

TEST_CASE("Settings.FlagsGoBeforeEnvironmentBeforeFileBeforeDefault") {
  const std::string file = "cache:\n  disk_max_mb: 10\n";
  const Variables alias{{"SOURCEMAP_DISK_CACHE_MAX_MB", "15"}};
  Variables own = alias;
  own["TWOFOLD_CACHE_DISK_MAX_MB"] = "20";
  struct Row {
    Result<Loaded> loaded;
    std::uint64_t expected;
  };
  const Row rows[] = {
      {load(""), 2048},
      {load(file), 10},
      {load(file, alias), 15},
      {load(file, own), 20},
      {load(file, own, {{"cache.disk_max_mb", "30"}}), 30},
      {load(file, {{"TWOFOLD_CACHE_DISK_MAX_MB", ""}}), 10},  // empty counts as none
  };
  for (const Row& row : rows) {
    REQUIRE(row.loaded);
    CHECK(row.loaded.value().config.cache.disk_max_mb == row.expected);
  }
}

TEST_CASE("Settings.VariablesOfOtherToolsAreTaken") {
  const auto loaded = load("", {{"SOURCEMAP_CACHE_TYPE", "memory"},
                                {"SOURCEMAP_DISK_CACHE_PATH", "/var/cache/tw"},
                                {"SOURCEMAP_DISK_CACHE_MAX_MB", "1"},
                                {"SOURCEMAP_CACHE_MAX_ENTRIES", "2"},
                                {"SOURCEMAP_CACHE_MAX_BYTES_MB", "3"}});
  REQUIRE(loaded);
  const Cache& cache = loaded.value().config.cache;
  CHECK(cache.type == CacheType::kMemory);
  CHECK(cache.disk_path == "/var/cache/tw");
  CHECK(cache.disk_max_mb == 1);
  CHECK(cache.memory_max_entries == 2);
  CHECK(cache.memory_max_mb == 3);
}

TEST_CASE("Settings.DefaultsAreThoseOfTheDocuments") {
  const auto loaded = load("");
  REQUIRE(loaded);
  const Config& config = loaded.value().config;
  CHECK(config.cache.memory_max_entries == 200);
  CHECK(config.cache.memory_max_mb == 500);
  CHECK(config.cache.open_mappings == 128);
  CHECK(config.storage.read_deadline_ms == 5000);
}

TEST_CASE("Settings.WhatIsWrongIsSaidWithPlaceAndReason") {
  struct Row {
    std::string file;
    std::string expected;
  };
  const Row rows[] = {
      {"listen: x\ncache:\n  disk_max_bm: 1\n",
       "serve.yaml: usage: line 3: unknown key `cache.disk_max_bm`; the nearest is "
       "`cache.disk_max_mb`"},
      {"disk_max_mb: 1\n",
       "serve.yaml: usage: line 1: unknown key `disk_max_mb`; the nearest is `cache.disk_max_mb`"},
      {"cache:\n  disk_max_mb: many\n",
       "serve.yaml: usage: line 2: `cache.disk_max_mb`: \"many\" is no whole number"},
      {"cache:\n  disk_max_mb: -1\n",
       "serve.yaml: usage: line 2: `cache.disk_max_mb`: \"-1\" is no whole number"},
      {"cache:\n  disk_max_percent: 101\n",
       "serve.yaml: usage: line 2: `cache.disk_max_percent`: 101 is not between 0 and 100"},
      {"cache:\n  type: tape\n",
       "serve.yaml: usage: line 2: `cache.type`: \"tape\" is none of memory, disk"},
      {"cache: [1]\n", "serve.yaml: usage: line 1: unknown key `cache`; the nearest is "},
      {"listen: [a]\n", "serve.yaml: usage: line 1: `listen` needs one value"},
      {"listen: a\nlisten: b\n", "serve.yaml: usage: line 2: `listen` is there twice"},
      {"- a\n", "serve.yaml: usage: line 1: no mapping of settings"},
      {"a: [\n", "serve.yaml: usage: line 2: "},
      {"a: *b\n", "serve.yaml: usage: line 1: "},
      {"? [a]\n: b\n", "serve.yaml: usage: line 1: a key that is no plain text"},
  };
  for (const Row& row : rows) {
    const auto loaded = load(row.file);
    CAPTURE(row.file);
    REQUIRE_FALSE(loaded);
    CHECK(to_string(loaded.error()).substr(0, row.expected.size()) == row.expected);
  }
  const auto variable = load("", {{"TWOFOLD_THREADS", "two"}});
  REQUIRE_FALSE(variable);
  CHECK(to_string(variable.error()) == "TWOFOLD_THREADS: usage: \"two\" is no whole number");
  const auto flag = load("", {}, {{"log.level", "loud"}});
  REQUIRE_FALSE(flag);
  CHECK(flag.error().input == "--log-level");
}

TEST_CASE("Settings.EmptyFilesAndGroupsSetNothing") {
  for (const char* const file : {" ", "# nothing\n", "cache:\n", "cache: {}\n", "---\n"}) {
    const auto loaded = load(file);
    CAPTURE(file);
    REQUIRE(loaded);
    CHECK(loaded.value().listing == load("").value().listing);
  }
}

TEST_CASE("Settings.TheListingIsAFileThatSaysTheSame") {
  const auto loaded = load("listen: \"[::1]:1\"\nstorage:\n  raw_directory: 'a \"b\" \\c'\n",
                           {{"TWOFOLD_LOG_REQUESTS", "all"}}, {{"cache.type", "memory"}});
  REQUIRE(loaded);
  const std::string& listing = loaded.value().listing;
  CHECK(listing.find("listen: \"[::1]:1\"  # serve.yaml line 1\n") != std::string::npos);
  CHECK(listing.find("log.requests: all  # TWOFOLD_LOG_REQUESTS\n") != std::string::npos);
  CHECK(listing.find("cache.type: memory  # --cache-type\n") != std::string::npos);
  CHECK(listing.find("threads: 0  # default\n") != std::string::npos);
  const auto again = load(listing);
  REQUIRE(again);
  CHECK(again.value().config.storage.raw_directory == "a \"b\" \\c");
  CHECK(again.value().config.cache.type == CacheType::kMemory);
}

TEST_CASE("Settings.NamesOfOneSettingAgree") {
  for (const SettingInfo& one : list_settings()) {
    CAPTURE(one.key);
    CHECK(one.flag.starts_with("--"));
    CHECK(one.flag.find('_') == std::string::npos);
    CHECK(one.env.starts_with("TWOFOLD_"));
    CHECK(find_unknown_variables({one.env}).empty());
  }
  CHECK(find_unknown_variables({"TWOFOLD_LISTN", "PATH", "SOURCEMAP_X"}) ==
        std::vector<std::string>{"TWOFOLD_LISTN"});
}

TEST_CASE("Yaml.AliasesAndNestingCannotGrowWithoutBound") {
  std::string bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
    for (int j = 0; j < 9; ++j) bomb += "," + before;
    bomb += "]\n";
  }
  CHECK_FALSE(parse_yaml(bomb));
  CHECK_FALSE(parse_yaml(std::string(100'000, '[')));
  CHECK_FALSE(parse_yaml(std::string(900, '[') + std::string(900, ']')));
  std::string dashes;
  for (int i = 0; i < 20'000; ++i) dashes += "- ";
  CHECK_FALSE(parse_yaml(dashes));
}

TEST_CASE("EditDistance.CountsSteps") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("abc", "") == 3);
  CHECK(edit_distance("kitten", "sitting") == 3);
}
