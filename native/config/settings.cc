#include "native/config/settings.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <numeric>

#include "native/config/yaml.h"

namespace twofold::config {
namespace {

// How one value is read into a Config and written from it.
struct Setting {
  std::string_view key;
  std::string_view alias;
  std::string_view help;
  std::function<std::optional<std::string>(Config&, std::string_view)> set;  // what is wrong
  std::function<std::string(const Config&)> show;
};

std::string to_upper(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return upper;
}

std::string replace_dots(std::string_view key, char by) {
  std::string text(key);
  std::replace(text.begin(), text.end(), '.', by);
  return text;
}

std::string to_env(std::string_view key) {
  return "TWOFOLD_" + to_upper(replace_dots(key, '_'));
}

std::string to_flag(std::string_view key) {
  std::string flag = "--" + replace_dots(key, '-');
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

// A JSON string is a YAML string.
std::string quote(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) quoted += c;
  }
  return quoted + '"';
}

struct Bounds {
  std::uint64_t least = 0;
  std::uint64_t most = std::numeric_limits<std::int64_t>::max();
};

template <class Field>
Setting number(std::string_view key, Field field, Bounds bounds, std::string_view help,
               std::string_view alias = "") {
  return {
      key, alias, help,
      [field, bounds](Config& config, std::string_view text) -> std::optional<std::string> {
        std::uint64_t value = 0;
        const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (code != std::errc() || end != text.data() + text.size()) {
          return quote(text) + " is no whole number";
        }
        if (value < bounds.least || value > bounds.most) {
          return std::string(text) + " is not between " + std::to_string(bounds.least) + " and " +
                 std::to_string(bounds.most);
        }
        field(config) = value;
        return std::nullopt;
      },
      [field](const Config& config) { return std::to_string(field(const_cast<Config&>(config))); }};
}

template <class Field>
Setting text(std::string_view key, Field field, std::string_view help,
             std::string_view alias = "") {
  return {key, alias, help,
          [field](Config& config, std::string_view value) -> std::optional<std::string> {
            field(config) = std::string(value);
            return std::nullopt;
          },
          [field](const Config& config) { return quote(field(const_cast<Config&>(config))); }};
}

template <class Value, class Field>
Setting choice(std::string_view key, Field field,
               std::vector<std::pair<std::string_view, Value>> values, std::string_view help,
               std::string_view alias = "") {
  return {key, alias, help,
          [field, values](Config& config, std::string_view given) -> std::optional<std::string> {
            std::string known;
            for (const auto& [name, value] : values) {
              if (name == given) {
                field(config) = value;
                return std::nullopt;
              }
              known += (known.empty() ? "" : ", ") + std::string(name);
            }
            return quote(given) + " is none of " + known;
          },
          [field, values](const Config& config) {
            for (const auto& [name, value] : values) {
              if (value == field(const_cast<Config&>(config))) return std::string(name);
            }
            return std::string();
          }};
}

#define TWOFOLD_FIELD(path)      \
  [](Config & config) -> auto& { \
    return config.path;          \
  }

constexpr Bounds kPositive{1};
constexpr Bounds kMegabytes{1, 1 << 30};
constexpr Bounds kBodyBytes{1024, std::uint64_t{4} << 30};
constexpr Bounds kMilliseconds{1, 24 * 3600 * 1000};
constexpr Bounds kThreads{0, 1024};

// In the order of help and listing.
const std::vector<Setting>& settings() {
  static const std::vector<Setting> table{
      text("listen", TWOFOLD_FIELD(listen),
           "Address and port: 0.0.0.0:8080, [::1]:8080; port 0 picks a free one"),
      number("threads", TWOFOLD_FIELD(threads), kThreads,
             "Threads that talk to clients; 0: one for each core"),
      number("workers", TWOFOLD_FIELD(workers), kThreads,
             "Threads for uploads, builds and reads of stores; 0: one for each core, at least two"),
      text("tokens_file", TWOFOLD_FIELD(tokens_file),
           "YAML file with the bearer tokens of each project; none: anybody may do anything"),
      number("limits.connections", TWOFOLD_FIELD(limits.connections), kPositive,
             "Open connections; more are refused"),
      number("limits.header_bytes", TWOFOLD_FIELD(limits.header_bytes), {512, 1 << 20},
             "Of a request's head"),
      number("limits.trace_bytes", TWOFOLD_FIELD(limits.trace_bytes), kBodyBytes,
             "Of a body with one trace, and of a line of a batch"),
      number("limits.batch_bytes", TWOFOLD_FIELD(limits.batch_bytes), kBodyBytes,
             "Of a batch of traces"),
      number("limits.upload_bytes", TWOFOLD_FIELD(limits.upload_bytes), kBodyBytes,
             "Of an upload, packed and unpacked"),
      number("limits.bodies_bytes", TWOFOLD_FIELD(limits.bodies_bytes), kPositive,
             "Of all bodies in memory; more are refused with 503"),
      number("limits.inflate_ratio", TWOFOLD_FIELD(limits.inflate_ratio), kPositive,
             "How many times its packed size a body may have beyond its first MiB"),
      number("limits.context_lines", TWOFOLD_FIELD(limits.context_lines), {0, 1000},
             "Source lines that a request may ask for on either side of a frame"),
      number("limits.waiting_jobs", TWOFOLD_FIELD(limits.waiting_jobs), kPositive,
             "Requests that wait for a worker; more are refused with 503"),
      number("deadlines.header_ms", TWOFOLD_FIELD(deadlines.header_ms), kMilliseconds,
             "From a request's first byte to the end of its head"),
      number("deadlines.body_ms", TWOFOLD_FIELD(deadlines.body_ms), kMilliseconds,
             "For a body, and a second more for each 64 KiB of it that came"),
      number("deadlines.idle_ms", TWOFOLD_FIELD(deadlines.idle_ms), kMilliseconds,
             "Between requests"),
      number("deadlines.write_ms", TWOFOLD_FIELD(deadlines.write_ms), kMilliseconds,
             "For a client to take the next part of an answer"),
      number("deadlines.request_ms", TWOFOLD_FIELD(deadlines.request_ms), kMilliseconds,
             "For an answer; what is not served by then leaves as it came"),
      number("deadlines.drain_ms", TWOFOLD_FIELD(deadlines.drain_ms), kMilliseconds,
             "For requests to finish after SIGTERM"),
      number("deadlines.drain_delay_ms", TWOFOLD_FIELD(deadlines.drain_delay_ms), {0, 3600 * 1000},
             "Between SIGTERM, when /readyz says 503, and the end of accepting"),
      choice<CacheType>("cache.type", TWOFOLD_FIELD(cache.type),
                        {{"memory", CacheType::kMemory}, {"disk", CacheType::kDisk}},
                        "Where built artifacts are kept: disk, memory", "SOURCEMAP_CACHE_TYPE"),
      text("cache.disk_path", TWOFOLD_FIELD(cache.disk_path), "Folder of the disk cache",
           "SOURCEMAP_DISK_CACHE_PATH"),
      number("cache.disk_max_mb", TWOFOLD_FIELD(cache.disk_max_mb), kMegabytes,
             "Budget of the disk cache", "SOURCEMAP_DISK_CACHE_MAX_MB"),
      number("cache.disk_max_percent", TWOFOLD_FIELD(cache.disk_max_percent), {0, 100},
             "Budget as a part of the file system; 0: none; the lower of both holds"),
      number("cache.memory_max_entries", TWOFOLD_FIELD(cache.memory_max_entries), kPositive,
             "Built artifacts in memory, with cache.type memory", "SOURCEMAP_CACHE_MAX_ENTRIES"),
      number("cache.memory_max_mb", TWOFOLD_FIELD(cache.memory_max_mb), kMegabytes, "Their size",
             "SOURCEMAP_CACHE_MAX_BYTES_MB"),
      number("cache.open_mappings", TWOFOLD_FIELD(cache.open_mappings), {1, 4096},
             "Files that are mapped at once, with cache.type disk"),
      text("storage.raw_directory", TWOFOLD_FIELD(storage.raw_directory),
           "Folder of uploaded artifacts; default: `raw` in the disk cache, or memory without one"),
      number("storage.raw_memory_mb", TWOFOLD_FIELD(storage.raw_memory_mb), kMegabytes,
             "Uploaded artifacts in memory, when there is no folder for them"),
      number("storage.read_deadline_ms", TWOFOLD_FIELD(storage.read_deadline_ms), kMilliseconds,
             "For one read of a store"),
      text("object_store.endpoint", TWOFOLD_FIELD(storage.object_store.endpoint),
           "URL of an S3-compatible store; none: no shared store. Its keys come from "
           "AWS_ACCESS_KEY_ID and its like, or the shared credentials file"),
      text("object_store.bucket", TWOFOLD_FIELD(storage.object_store.bucket), "Its bucket"),
      text("object_store.prefix", TWOFOLD_FIELD(storage.object_store.prefix),
           "What every key begins with"),
      text("object_store.region", TWOFOLD_FIELD(storage.object_store.region),
           "Region that requests are signed for"),
      choice<AddressStyle>("object_store.style", TWOFOLD_FIELD(storage.object_store.style),
                           {{"path", AddressStyle::kPath}, {"virtual", AddressStyle::kVirtualHost}},
                           "Where the bucket stands: path, virtual (in the host name)"),
      choice<StoreDialect>("object_store.dialect", TWOFOLD_FIELD(storage.object_store.dialect),
                           {{"s3", StoreDialect::kS3}, {"google", StoreDialect::kGoogle}},
                           "s3 (AWS, R2, Ceph), or google for storage.googleapis.com"),
      choice<LogLevel>("log.level", TWOFOLD_FIELD(log.level),
                       {{"debug", LogLevel::kDebug},
                        {"info", LogLevel::kInfo},
                        {"warn", LogLevel::kWarn},
                        {"error", LogLevel::kError}},
                       "debug, info, warn, error"),
      choice<LogRequests>("log.requests", TWOFOLD_FIELD(log.requests),
                          {{"none", LogRequests::kNone},
                           {"failed", LogRequests::kFailed},
                           {"all", LogRequests::kAll}},
                          "Which requests are logged: none, failed, all"),
  };
  return table;
}

#undef TWOFOLD_FIELD

const Setting* find_setting(std::string_view key) {
  for (const Setting& one : settings()) {
    if (one.key == key) return &one;
  }
  return nullptr;
}

std::string nearest_key(std::string_view key) {
  const auto distance = [key](const Setting& one) {
    // Somebody may have left the first part away.
    const std::string_view last = one.key.substr(one.key.rfind('.') + 1);
    return std::min(edit_distance(key, one.key), edit_distance(key, last));
  };
  const auto nearest = std::min_element(
      settings().begin(), settings().end(),
      [&](const Setting& a, const Setting& b) { return distance(a) < distance(b); });
  return std::string(nearest->key);
}

// Everything that was set, by whom.
class Loader {
 public:
  explicit Loader(const Sources& sources) : sources_(sources), from_(settings().size()) {}

  Status load_file() {
    if (sources_.file.empty()) return {};
    auto root = parse_yaml(sources_.file_text);
    if (!root) return with_input(root.error(), sources_.file);
    if (root.value().kind == YamlNode::Kind::kNull) return {};
    if (root.value().kind != YamlNode::Kind::kMap) {
      return with_input(at_line(root.value().line, "no mapping of settings"), sources_.file);
    }
    const Status status = load_fields(root.value(), "");
    return status ? status : Status(with_input(status.error(), sources_.file));
  }

  Status load_environment() {
    if (!sources_.environment) return {};
    for (const Setting& one : settings()) {
      if (one.alias.empty()) continue;
      if (Status status = load_variable(one, std::string(one.alias)); !status) return status;
    }
    for (const Setting& one : settings()) {
      if (Status status = load_variable(one, to_env(one.key)); !status) return status;
    }
    return {};
  }

  Status load_flags() {
    for (const auto& [key, value] : sources_.flags) {
      const Setting* const one = find_setting(key);
      if (one == nullptr) return Error{Code::kUsage, kNoOffset, "unknown setting `" + key + "`"};
      if (Status status = set(*one, value, to_flag(key)); !status) {
        return with_input(status.error(), to_flag(key));
      }
    }
    return {};
  }

  [[nodiscard]] Loaded finish() const {
    Loaded loaded{config_, ""};
    for (std::size_t i = 0; i < settings().size(); ++i) {
      const Setting& one = settings()[i];
      loaded.listing += std::string(one.key) + ": " + one.show(config_);
      loaded.listing += "  # " + (from_[i].empty() ? "default" : from_[i]) + "\n";
    }
    return loaded;
  }

 private:
  Status load_fields(const YamlNode& node, const std::string& prefix) {
    for (const auto& [name, value] : node.fields) {
      const std::string key = prefix + name;
      if (value.kind == YamlNode::Kind::kMap) {
        if (Status status = load_fields(value, key + "."); !status) return status;
        continue;
      }
      const Setting* const one = find_setting(key);
      if (one == nullptr) {
        const bool is_group =
            std::any_of(settings().begin(), settings().end(),
                        [&](const Setting& known) { return known.key.starts_with(key + "."); });
        if (is_group && value.kind == YamlNode::Kind::kNull) continue;  // nothing below it
        return at_line(value.line,
                       "unknown key `" + key + "`; the nearest is `" + nearest_key(key) + "`");
      }
      if (value.kind != YamlNode::Kind::kScalar) {
        return at_line(value.line, "`" + key + "` needs one value");
      }
      const std::string where = sources_.file + " line " + std::to_string(value.line);
      if (Status status = set(*one, value.scalar, where); !status) {
        return at_line(value.line, "`" + key + "`: " + status.error().detail);
      }
    }
    return {};
  }

  // An empty variable counts as none: that is how unit files and charts leave one out.
  Status load_variable(const Setting& one, const std::string& name) {
    const auto value = sources_.environment(name);
    if (!value || value->empty()) return {};
    Status status = set(one, *value, name);
    return status ? Status() : Status(with_input(status.error(), name));
  }

  Status set(const Setting& one, std::string_view value, const std::string& where) {
    if (const auto fault = one.set(config_, value)) return Error{Code::kUsage, kNoOffset, *fault};
    from_[static_cast<std::size_t>(&one - settings().data())] = where;
    return {};
  }

  const Sources& sources_;
  Config config_;
  std::vector<std::string> from_;  // by setting; "": nobody set it
};

}  // namespace

std::vector<SettingInfo> list_settings() {
  std::vector<SettingInfo> list;
  for (const Setting& one : settings()) {
    list.push_back({std::string(one.key), to_flag(one.key), to_env(one.key), std::string(one.alias),
                    std::string(one.help)});
  }
  return list;
}

Result<Loaded> load_config(const Sources& sources) {
  Loader loader(sources);
  if (const Status status = loader.load_file(); !status) return status.error();
  if (const Status status = loader.load_environment(); !status) return status.error();
  if (const Status status = loader.load_flags(); !status) return status.error();
  return loader.finish();
}

std::vector<std::string> find_unknown_variables(const std::vector<std::string>& names) {
  std::vector<std::string> unknown;
  for (const std::string& name : names) {
    if (!name.starts_with("TWOFOLD_")) continue;
    const bool is_known = std::any_of(settings().begin(), settings().end(),
                                      [&](const Setting& one) { return to_env(one.key) == name; });
    if (!is_known) unknown.push_back(name);
  }
  return unknown;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace twofold::config
