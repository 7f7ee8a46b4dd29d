// What a server can be told. Every field is a setting of the table in settings.cc, which has its
// name, its meaning and its bounds.
#pragma once

#include <cstdint>
#include <string>

namespace twofold::config {

enum class CacheType : std::uint8_t { kMemory, kDisk };
enum class AddressStyle : std::uint8_t { kPath, kVirtualHost };  // of an object store's buckets
enum class StoreDialect : std::uint8_t { kS3, kGoogle };         // of an object store
enum class LogRequests : std::uint8_t { kNone, kFailed, kAll };
enum class LogLevel : std::uint8_t { kDebug, kInfo, kWarn, kError };

struct Limits {
  std::uint64_t connections = 4096;
  std::uint64_t header_bytes = 16 * 1024;
  std::uint64_t trace_bytes = 1 << 20;
  std::uint64_t batch_bytes = 16 << 20;
  std::uint64_t upload_bytes = 200 << 20;
  std::uint64_t bodies_bytes = 1 << 30;  // of all connections together
  std::uint64_t inflate_ratio = 200;
  std::uint64_t context_lines = 20;
  std::uint64_t waiting_jobs = 1024;
};

struct Deadlines {
  std::uint64_t header_ms = 10'000;
  std::uint64_t body_ms = 30'000;
  std::uint64_t idle_ms = 60'000;
  std::uint64_t write_ms = 30'000;
  std::uint64_t request_ms = 10'000;
  std::uint64_t drain_ms = 30'000;
  std::uint64_t drain_delay_ms = 0;
};

struct Cache {
  CacheType type = CacheType::kDisk;
  std::string disk_path = "./twcache";
  std::uint64_t disk_max_mb = 2048;
  std::uint64_t disk_max_percent = 0;
  std::uint64_t memory_max_entries = 200;
  std::uint64_t memory_max_mb = 500;
  std::uint64_t open_mappings = 128;
};

struct ObjectStore {
  std::string endpoint;  // "": none
  std::string bucket;
  std::string prefix;
  std::string region = "us-east-1";
  AddressStyle style = AddressStyle::kPath;
  StoreDialect dialect = StoreDialect::kS3;
};

struct Storage {
  std::string raw_directory;  // "": `raw` below the cache's folder; without a disk: in memory
  std::uint64_t raw_memory_mb = 1024;
  std::uint64_t read_deadline_ms = 5000;
  ObjectStore object_store;
};

struct Log {
  LogLevel level = LogLevel::kInfo;
  LogRequests requests = LogRequests::kFailed;
};

struct Config {
  std::string listen = "127.0.0.1:8080";
  std::uint64_t threads = 0;  // 0: one for each core
  std::uint64_t workers = 0;  // 0: one for each core, at least two
  std::string tokens_file;    // "": anybody may do anything
  Limits limits;
  Deadlines deadlines;
  Cache cache;
  Storage storage;
  Log log;
};

}  // namespace twofold::config
