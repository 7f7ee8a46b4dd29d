#include "native/engine/open_engine.h"

#include "native/engine/tiered_engine.h"
#include "native/store/folder_object_store.h"
#include "native/store/memory_object_store.h"

namespace twofold::engine {
namespace {

constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20;

// A tiered engine and what it borrows; members go in the order that its borrowing needs.
class OwningEngine : public Engine {
 public:
  [[nodiscard]] Status open(const config::Config& config, const os::Clock& clock) {
    const bool has_disk = config.cache.type == config::CacheType::kDisk;
    const config::Storage& storage = config.storage;
    if (!storage.object_store.endpoint.empty()) {
      return Error{Code::kUnsupported, kNoOffset, "object stores are not spoken to yet",
                   "object_store.endpoint"};
    }
    std::string raw_folder = storage.raw_directory;
    if (raw_folder.empty() && has_disk) raw_folder = config.cache.disk_path + "/raw";
    if (raw_folder.empty()) {
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
    tiers_ = std::make_unique<TieredEngine>(TieredEngine::Parts{*raw_, nullptr, disk_.get(), clock},
                                            options);
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
  [[nodiscard]] std::vector<Metric> metrics() const override { return tiers_->metrics(); }

 private:
  std::unique_ptr<storage::ObjectStore> raw_;
  std::unique_ptr<storage::DiskCache> disk_;
  std::unique_ptr<TieredEngine> tiers_;
};

}  // namespace

Result<std::unique_ptr<Engine>> open_engine(const config::Config& config, const os::Clock& clock) {
  auto engine = std::make_unique<OwningEngine>();
  if (const Status status = engine->open(config, clock); !status) return status.error();
  return std::unique_ptr<Engine>(std::move(engine));
}

}  // namespace twofold::engine
