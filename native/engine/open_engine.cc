#include "native/engine/open_engine.h"

#include "native/engine/tiered_engine.h"
#include "native/store/folder_object_store.h"
#include "native/store/memory_object_store.h"
#include "native/store/s3_object_store.h"

namespace twofold::engine {
namespace {

constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20;

storage::S3Options to_s3(const config::ObjectStore& config, const storage::Variables& variables) {
  storage::S3Options options;
  options.endpoint = config.endpoint;
  options.bucket = config.bucket;
  options.prefix = config.prefix;
  options.region = config.region;
  options.has_virtual_hosts = config.style == config::AddressStyle::kVirtualHost;
  options.dialect = config.dialect == config::StoreDialect::kGoogle
                        ? storage::S3Options::Dialect::kGoogle
                        : storage::S3Options::Dialect::kS3;
  options.variables = variables;
  return options;
}

// A tiered engine and what it borrows; members go in the order that its borrowing needs.
class OwningEngine : public Engine {
 public:
  [[nodiscard]] Status open(const config::Config& config, const storage::Variables& variables,
                            const os::Clock& clock) {
    const bool has_disk = config.cache.type == config::CacheType::kDisk;
    const config::Storage& storage = config.storage;
    if (!storage.object_store.endpoint.empty()) {
      auto objects = storage::S3ObjectStore::open(to_s3(storage.object_store, variables));
      if (!objects) return objects.error();
      objects_ = std::move(objects).value();
    }
    std::string raw_folder = storage.raw_directory;
    if (raw_folder.empty() && has_disk) raw_folder = config.cache.disk_path + "/raw";
    const bool shares_raw = objects_ != nullptr && storage.raw_directory.empty();
    if (shares_raw) {
      if (has_disk) {
        snapshots_ =
            std::make_unique<storage::FolderObjectStore>(config.cache.disk_path + "/snapshots");
      }
    } else if (raw_folder.empty()) {
      raw_ = std::make_unique<storage::MemoryObjectStore>(storage.raw_memory_mb * kMegabyte);
    } else {
      raw_ = std::make_unique<storage::FolderObjectStore>(raw_folder);
    }
    EngineOptions options;
    options.read_deadline = std::chrono::milliseconds(storage.read_deadline_ms);
    options.open_artifacts.most_entries = config.cache.open_mappings;
    if (has_disk) {
      const storage::DiskLimits limits{config.cache.disk_max_mb * kMegabyte,
                                       static_cast<std::uint32_t>(config.cache.disk_max_percent)};
      auto disk = storage::DiskCache::open(config.cache.disk_path, limits, clock);
      if (!disk) return disk.error();
      disk_ = std::move(disk).value();
    } else {
      options.open_artifacts = {config.cache.memory_max_entries,
                                config.cache.memory_max_mb * kMegabyte};
    }
    storage::ObjectStore& raw = shares_raw ? *objects_ : *raw_;
    tiers_ = std::make_unique<TieredEngine>(
        TieredEngine::Parts{raw, objects_.get(), disk_.get(), snapshots_.get(), clock}, options);
    return {};
  }

  [[nodiscard]] Answer symbolicate(std::string_view project, std::string_view trace,
                                   const SymbolicateOptions& options,
                                   Clock::time_point deadline) override {
    return tiers_->symbolicate(project, trace, options, deadline);
  }
  [[nodiscard]] std::optional<Answer> symbolicate_open(std::string_view project,
                                                       std::string_view trace,
                                                       const SymbolicateOptions& options) override {
    return tiers_->symbolicate_open(project, trace, options);
  }
  [[nodiscard]] Result<StoredArtifact> add(std::string_view project, std::string_view name,
                                           PaddedBuffer content,
                                           Clock::time_point deadline) override {
    return tiers_->add(project, name, std::move(content), deadline);
  }
  [[nodiscard]] Result<StoredArtifact> find(std::string_view project, std::string_view id,
                                            Clock::time_point deadline) override {
    return tiers_->find(project, id, deadline);
  }
  [[nodiscard]] std::vector<Metric> metrics() const override {
    std::vector<Metric> all = tiers_->metrics();
    if (objects_ == nullptr) return all;
    const auto& counts = objects_->counts();
    const auto add = [&](std::string_view name, std::string_view help, std::uint64_t count) {
      all.push_back({name, "", help, true, static_cast<double>(count)});
    };
    add("twofold_object_store_requests_total", "Requests to the object store.", counts.requests);
    add("twofold_object_store_retries_total", "Of them, tries after a failure.", counts.retries);
    add("twofold_object_store_failures_total", "Reads and writes that failed in the end.",
        counts.failures);
    add("twofold_object_store_damaged_total", "Objects whose bytes were not those written.",
        counts.damaged);
    return all;
  }

 private:
  std::unique_ptr<storage::S3ObjectStore> objects_;
  std::unique_ptr<storage::ObjectStore> snapshots_;
  std::unique_ptr<storage::ObjectStore> raw_;
  std::unique_ptr<storage::DiskCache> disk_;
  std::unique_ptr<TieredEngine> tiers_;
};

}  // namespace

Result<std::unique_ptr<Engine>> open_engine(const config::Config& config,
                                            const storage::Variables& variables,
                                            const os::Clock& clock) {
  auto engine = std::make_unique<OwningEngine>();
  if (const Status status = engine->open(config, variables, clock); !status) {
    return status.error();
  }
  return std::unique_ptr<Engine>(std::move(engine));
}

}  // namespace twofold::engine
