// Which artifacts a project has uploaded, found by what a trace calls their script.
//
// An object store lists slowly or not at all, so the catalogue is made of small objects that are
// read by name:
//
//   catalogue/PROJECT/BASE/0, 1, 2, ...   a log per file name: one record for each upload
//   catalogue/PROJECT/@ID                 the record of an artifact by its ID
//   raw/PROJECT/CONTENT                   the bytes, by the hash of their content
//
// Records are only ever added, with `write_new`, so replicas that upload at the same time both
// count. Of several records with one name the last holds. A log that was read is believed for
// `refreshed_every`; what this process adds it knows at once.
//
// When the store does not answer, what it last said is used: as this process knows it, or as it was
// kept in `snapshots` by an earlier one, so that a warm disk serves without the store. Any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/symbolicate/artifact_kind.h"
#include "native/os/clock.h"
#include "native/store/object_store.h"

namespace twofold::storage {

// One artifact as it was uploaded.
struct RawArtifact {
  std::string name;     // a path of the project's choosing
  std::string id;       // its debug ID, else its content
  std::string content;  // hash of the bytes
  ArtifactKind kind = ArtifactKind::kNone;
  std::string file_field;  // of a source map
  std::string map_url;     // of a script: its sourceMappingURL, "" for none and for data: URLs
  std::uint64_t size_bytes = 0;

  friend bool operator==(const RawArtifact&, const RawArtifact&) = default;
};

class Catalogue {
 public:
  // All of them must outlive it. `snapshots`: a store of this machine, or none.
  Catalogue(ObjectStore& objects, ObjectStore* snapshots, const os::Clock& clock,
            std::chrono::seconds refreshed_every)
      : objects_(objects),
        snapshots_(snapshots),
        clock_(clock),
        refreshed_every_(refreshed_every) {}

  // Keeps the bytes and then the record. Errors: kUsage for a name with control characters, those
  // of ObjectStore.
  [[nodiscard]] Result<RawArtifact> add(std::string_view project, std::string_view name,
                                        const PaddedBuffer& content, Clock::time_point deadline);

  // Everything that may belong to a script that traces call `script` (no query, no fragment): what
  // has its file name, also with `.map` or `.tw` behind it, what says it is for it, and the maps
  // that such scripts name. Each name once, in order of names. Errors: those of ObjectStore but for
  // kNotFound, which is no artifact.
  [[nodiscard]] Result<std::vector<RawArtifact>> find_for(std::string_view project,
                                                          std::string_view script,
                                                          Clock::time_point deadline);
  // Errors: kNotFound, those of ObjectStore.
  [[nodiscard]] Result<RawArtifact> find(std::string_view project, std::string_view id,
                                         Clock::time_point deadline);
  // The bytes. Errors: those of ObjectStore; kUnavailable for bytes that are not those uploaded.
  [[nodiscard]] Result<PaddedBuffer> read(std::string_view project, const RawArtifact& artifact,
                                          Clock::time_point deadline);

  // Counts up with each record that this process adds or sees first.
  [[nodiscard]] std::uint64_t version() const { return version_.load(); }

 private:
  struct Log {
    std::vector<RawArtifact> records;
    os::SteadyTime read_at{};
    bool is_read = false;
  };
  [[nodiscard]] Result<std::vector<RawArtifact>> read_log(std::string_view project,
                                                          std::string_view base,
                                                          Clock::time_point deadline);
  // The log as it was when the store last answered.
  [[nodiscard]] std::optional<std::vector<RawArtifact>> recall_log(std::string_view project,
                                                                   std::string_view base);
  void keep_snapshot(const std::string& key, const std::vector<RawArtifact>& records);
  [[nodiscard]] bool is_down() const;
  [[nodiscard]] Status append(std::string_view project, std::string_view base,
                              const RawArtifact& record, Clock::time_point deadline);
  [[nodiscard]] Result<RawArtifact> describe(std::string_view name, const PaddedBuffer& content);

  ObjectStore& objects_;
  ObjectStore* const snapshots_;
  const os::Clock& clock_;
  const std::chrono::seconds refreshed_every_;
  std::atomic<os::SteadyTime::rep> down_until_{0};  // what is known is used without asking
  std::atomic<std::uint64_t> version_{1};
  std::mutex mutex_;
  std::unordered_map<std::string, Log> logs_;  // by log_key
};

}  // namespace twofold::storage
