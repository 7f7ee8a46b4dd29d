#include "native/http/log.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <charconv>
#include <string>

#include "core/symbolicate/json.h"

namespace twofold::http {
namespace {

spdlog::level::level_enum to_spdlog(Log::Level level) {
  switch (level) {
    case Log::Level::kDebug:
      return spdlog::level::debug;
    case Log::Level::kInfo:
      return spdlog::level::info;
    case Log::Level::kWarn:
      return spdlog::level::warn;
    case Log::Level::kError:
      return spdlog::level::err;
  }
  return spdlog::level::info;
}

void write_value(const Log::Field& field, std::string& out) {
  char text[32];
  if (const auto* const string = std::get_if<std::string_view>(&field.value)) {
    write_json_string(*string, out);
  } else if (const auto* const whole = std::get_if<std::uint64_t>(&field.value)) {
    out.append(text, std::to_chars(text, text + sizeof text, *whole).ptr);
  } else {
    out.append(text, std::to_chars(text, text + sizeof text, *std::get_if<double>(&field.value),
                                   std::chars_format::fixed, 3)
                         .ptr);
  }
}

}  // namespace

class Log::Impl {
 public:
  explicit Impl(Level least)
      : logger_("twofold", std::make_shared<spdlog::sinks::stderr_sink_mt>()) {
    logger_.set_formatter(std::make_unique<spdlog::pattern_formatter>(
        R"({"time":"%Y-%m-%dT%H:%M:%S.%fZ","level":"%l",%v})", spdlog::pattern_time_type::utc));
    logger_.set_level(to_spdlog(least));
    logger_.set_error_handler([](const std::string&) {});
  }
  void write(Level level, std::string_view event, std::initializer_list<Field> fields) {
    if (!logger_.should_log(to_spdlog(level))) return;
    std::string line = "\"event\":";
    write_json_string(event, line);
    for (const Field& field : fields) {
      line += ',';
      write_json_string(field.key, line);
      line += ':';
      write_value(field, line);
    }
    // As text and not as a format, in which braces would be places to fill.
    logger_.log(to_spdlog(level), spdlog::string_view_t(line.data(), line.size()));
  }

 private:
  spdlog::logger logger_;
};

Log::Log(Level least) : impl_(std::make_unique<Impl>(least)) {}
Log::~Log() = default;

void Log::write(Level level, std::string_view event, std::initializer_list<Field> fields) {
  impl_->write(level, event, fields);
}

}  // namespace twofold::http
