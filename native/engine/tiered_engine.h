// The engine over the tiers of native/store: open artifacts -> .tw files on disk -> .tw objects of
// the shared store -> a build from the raw artifacts, written back to both.
//
// What a script resolves to is a matter of the artifacts that may serve it (Catalogue::find_for):
// the name of its .tw is a hash of their names and contents, so an upload that matters changes the
// name, and no other does. The choice among them is the core's (ScriptArtifacts), so the answers
// are those of the command line.
//
// Three things a .tw does not hold: the names at calls of a map without its script, the instruction
// starts of a Hermes map, and where in a bundle's map a module begins. Artifacts with one of these
// are kept open but not written, and are built again when they were dropped. Requests with source
// context are answered from the raw artifacts, since a .tw has no texts yet.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "native/engine/engine.h"
#include "native/os/clock.h"
#include "native/store/catalogue.h"
#include "native/store/disk_cache.h"
#include "native/store/lease_cache.h"
#include "native/store/negative_cache.h"
#include "native/store/single_flight.h"

namespace twofold::engine {

struct EngineOptions {
  storage::LeaseCacheLimits open_artifacts;  // mappings, or built files without a disk
  std::chrono::seconds refreshed_every{60};
  std::chrono::milliseconds read_deadline{5000};  // of one read of a store
};

// How often each tier was asked and had it.
struct TierCounts {
  std::atomic<std::uint64_t> hits{0};
  std::atomic<std::uint64_t> misses{0};
};

class TieredEngine : public Engine {
 public:
  struct Parts {
    storage::ObjectStore& raw;               // artifacts as uploaded, and the catalogue
    storage::ObjectStore* shared = nullptr;  // prebuilt .tw files, if replicas share any
    storage::DiskCache* disk = nullptr;
    storage::ObjectStore* snapshots = nullptr;  // of this machine: the catalogue as last seen
    const os::Clock& clock;
  };
  TieredEngine(const Parts& parts, const EngineOptions& options);
  ~TieredEngine() override;

  [[nodiscard]] Answer symbolicate(std::string_view project, std::string_view trace,
                                   const SymbolicateOptions& options,
                                   Clock::time_point deadline) override;
  [[nodiscard]] std::optional<Answer> symbolicate_open(std::string_view project,
                                                       std::string_view trace,
                                                       const SymbolicateOptions& options) override;
  [[nodiscard]] Result<StoredArtifact> add(std::string_view project, std::string_view name,
                                           PaddedBuffer content,
                                           Clock::time_point deadline) override;
  [[nodiscard]] Result<StoredArtifact> find(std::string_view project, std::string_view id,
                                            Clock::time_point deadline) override;
  [[nodiscard]] std::vector<Metric> metrics() const override;

  [[nodiscard]] std::uint64_t build_count() const { return builds_.load(); }

 private:
  friend class RequestArtifacts;
  struct Open;
  using Lease = std::shared_ptr<Open>;

  // What is known of a script without asking any tier below the open artifacts; no value: nothing.
  [[nodiscard]] std::optional<Result<Lease>> find_open(std::string_view project,
                                                       const std::string& script);
  // The artifact for a script; null with the reason in `served`, or an error of the tiers.
  [[nodiscard]] Result<Lease> borrow(std::string_view project, const std::string& script,
                                     Clock::time_point deadline);
  [[nodiscard]] Result<Lease> load(const std::string& project, const std::string& script,
                                   Lease known, Clock::time_point deadline);
  [[nodiscard]] Lease open_from_disk(const std::string& project, const std::string& key);
  struct Fetched {
    Lease lease;              // null: build it
    bool is_damaged = false;  // what is there is none of ours: a build takes its place
  };
  [[nodiscard]] Fetched fetch_shared(const std::string& project, const std::string& key,
                                     Clock::time_point deadline);
  void write_shared(const std::string& project, const std::string& key, ByteView tw, bool replaces,
                    Clock::time_point deadline);
  [[nodiscard]] Clock::time_point read_by(Clock::time_point deadline) const;
  [[nodiscard]] Result<Lease> build(const std::string& project, const std::string& script,
                                    const std::vector<storage::RawArtifact>& artifacts,
                                    const std::string& key, bool replaces_shared,
                                    Clock::time_point deadline);
  [[nodiscard]] Lease keep(const std::string& project, const std::string& key,
                           std::vector<std::uint8_t> tw, Clock::time_point deadline);
  [[nodiscard]] bool is_current(const Open& open) const;

  const Parts parts_;
  const EngineOptions options_;
  storage::Catalogue catalogue_;
  storage::LeaseCache<Open> open_;
  storage::NegativeCache negative_;
  storage::SingleFlight<Lease> flights_;
  TierCounts open_counts_, disk_counts_, shared_counts_;
  std::atomic<std::uint64_t> builds_{0};
  std::atomic<std::uint64_t> failed_builds_{0};
  std::atomic<std::uint64_t> build_ns_{0};
  std::atomic<std::uint64_t> failed_writes_{0};
};

}  // namespace twofold::engine
