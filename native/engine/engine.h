// The native engine: traces in, answers out, for many projects and threads at once. It stands on
// the tiers of native/store (README.md there): open mappings, .tw files on disk, object storage,
// and a build from raw artifacts, which happens once however many ask.
//
// A project is a namespace: whatever one uploads, asks for or evicts, another cannot see. Names of
// projects are checked by whoever lets a request in (native/http): 1 to 64 of [A-Za-z0-9_-].
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/padded.h"
#include "core/base/result.h"
#include "core/symbolicate/answer.h"
#include "core/symbolicate/artifact_kind.h"
#include "core/symbolicate/symbolicate.h"

namespace twofold::engine {

using Clock = std::chrono::steady_clock;

// An artifact as it was uploaded.
struct StoredArtifact {
  std::string id;  // what GET /v1/artifacts/{id} takes: the debug ID, else a hash of the content
  std::string name;
  ArtifactKind kind = ArtifactKind::kNone;
  std::uint64_t size_bytes = 0;
};

class Engine {
 public:
  virtual ~Engine() = default;

  // The answer to one trace by the artifacts of `project`. What the tiers cannot serve before
  // `deadline` leaves its frames as they came, with a reason. Never fails. Any thread.
  [[nodiscard]] virtual Answer symbolicate(std::string_view project, std::string_view trace,
                                           const SymbolicateOptions& options,
                                           Clock::time_point deadline) = 0;

  // The same answer at once, for threads that others wait for: nothing when it takes a build, a
  // read of a store or a file, or another thread. Any thread.
  [[nodiscard]] virtual std::optional<Answer> symbolicate_open(
      std::string_view project, std::string_view trace, const SymbolicateOptions& options) = 0;

  // Keeps an artifact under its file name and its identity, and forgets what was known to be
  // missing. `name`: a file name or path of the project's choosing. Errors: kUnsupported for a kind
  // that nothing here reads, kIo when no tier could keep it. Any thread.
  [[nodiscard]] virtual Result<StoredArtifact> add(std::string_view project, std::string_view name,
                                                   PaddedBuffer content,
                                                   Clock::time_point deadline) = 0;

  // Errors: kNotFound. Any thread.
  [[nodiscard]] virtual Result<StoredArtifact> find(std::string_view project, std::string_view id,
                                                    Clock::time_point deadline) = 0;

  // One number of /metrics. Counters only grow.
  struct Metric {
    std::string_view name;    // twofold_hits_total
    std::string_view labels;  // tier="disk", or ""
    std::string_view help;
    bool is_counter = true;  // else a gauge
    double value = 0;
  };
  [[nodiscard]] virtual std::vector<Metric> metrics() const = 0;
};

}  // namespace twofold::engine
