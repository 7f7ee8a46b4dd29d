// One JSON object per line on standard error: {"time":…,"level":…,"event":…,…}. The only file that
// knows spdlog. Never logged: traces, artifacts, tokens, targets with their queries.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string_view>
#include <variant>

#include "native/config/config.h"

namespace twofold::http {

class Log {
 public:
  using Level = config::LogLevel;
  struct Field {
    std::string_view key;
    std::variant<std::string_view, std::uint64_t, double> value;
  };

  explicit Log(Level least);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  // Any thread. Never fails: what cannot be written is lost.
  void write(Level level, std::string_view event, std::initializer_list<Field> fields = {});

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace twofold::http
