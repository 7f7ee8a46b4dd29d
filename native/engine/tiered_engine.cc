#include "native/engine/tiered_engine.h"

#include <algorithm>

#include "core/js/data_url.h"
#include "core/symbolicate/paths.h"
#include "core/symbolicate/script_artifacts.h"
#include "core/tw/block_builder.h"
#include "core/tw/verify.h"
#include "native/store/content_hash.h"

namespace twofold::engine {
namespace {

// A .tw of the shared store; a larger object is no .tw of ours.
constexpr std::size_t kMostTwBytes = std::size_t{1} << 30;

std::string to_key(std::string_view project, std::string_view script) {
  return std::string(project) + "\n" + std::string(script);
}

// Same artifacts, same name; any other, another. With the builder's version, so that a server that
// builds better builds anew.
std::string name_tw(std::string_view script, const std::vector<storage::RawArtifact>& artifacts) {
  std::string text =
      std::to_string(tw::blocks::kBuilderVersion) + "\n" + std::string(script) + "\n";
  for (const storage::RawArtifact& artifact : artifacts) {
    text += artifact.name + "\n" + artifact.content + "\n";
  }
  return storage::hash_hex(as_byte_view(text));
}

std::string shared_key(const std::string& project, const std::string& name) {
  return "tw/" + project + "/" + name + ".tw";
}

StoredArtifact to_stored(const storage::RawArtifact& raw) {
  return {raw.id, raw.name, raw.kind, raw.size_bytes};
}

// The raw artifacts that may serve one script, read when the core asks for one.
class CandidateFiles : public ArtifactFiles {
 public:
  CandidateFiles(storage::Catalogue& catalogue, std::string project,
                 std::vector<storage::RawArtifact> artifacts, Clock::time_point deadline,
                 std::chrono::milliseconds read_deadline)
      : catalogue_(catalogue),
        project_(std::move(project)),
        artifacts_(std::move(artifacts)),
        contents_(artifacts_.size()),
        deadline_(deadline),
        read_deadline_(read_deadline) {}

  [[nodiscard]] std::size_t count() const override { return artifacts_.size(); }
  [[nodiscard]] std::string_view name(std::size_t index) const override {
    return artifacts_[index].name;
  }
  [[nodiscard]] Result<PaddedView> read(std::size_t index) override {
    std::optional<Result<PaddedBuffer>>& content = contents_[index];
    if (!content) {
      const auto read_by = std::min(deadline_, Clock::now() + read_deadline_);
      content = catalogue_.read(project_, artifacts_[index], read_by);
    }
    if (content->ok()) return PaddedView(content->value());
    if (!failure_) failure_ = content->error();
    return content->error();
  }
  // The first read that failed: not the artifact's fault.
  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }

 private:
  storage::Catalogue& catalogue_;
  const std::string project_;
  const std::vector<storage::RawArtifact> artifacts_;
  std::vector<std::optional<Result<PaddedBuffer>>> contents_;
  const Clock::time_point deadline_;
  const std::chrono::milliseconds read_deadline_;
  std::optional<Error> failure_;
};

// As much as a .tw has room for.
Result<std::vector<std::uint8_t>> to_blocks(const ScriptArtifact& artifact) {
  const tw::FlatView* const flat = artifact.view.as_flat();
  if (flat == nullptr) return artifact.built_bytes;
  tw::BlockExtras extras;
  extras.language = tw::Language::kJavaScript;
  extras.is_ignored = artifact.is_ignored;
  tw::BlockBuilder builder;
  return builder.build(*flat, extras);
}

void add_fault(std::vector<ArtifactFault>& faults, const ArtifactFault& fault) {
  const bool is_said = std::any_of(faults.begin(), faults.end(), [&](const ArtifactFault& said) {
    return said.artifact == fault.artifact && said.detail == fault.detail;
  });
  if (!is_said) faults.push_back(fault);
}

}  // namespace

// An artifact that is open, or what is known of why there is none; shared by all threads.
struct TieredEngine::Open {
  std::unique_ptr<storage::MappedTw> mapped;  // what the artifact looks into, unless it was built
  std::unique_ptr<ScriptArtifact> artifact;
  Reason reason = Reason::kNone;
  Line first_line = Line(0);
  std::vector<ArtifactFault> faults;
  std::string tw_name;
  std::uint64_t size_bytes = 0;
  // The catalogue as it was when this was last compared with it.
  std::atomic<std::uint64_t> version{0};
  std::atomic<os::SteadyTime::rep> checked_at{0};

  [[nodiscard]] bool is_torn() const { return mapped != nullptr && mapped->is_torn(); }
};

// The artifacts of one request: each script is borrowed once, and held until the answer is there.
class RequestArtifacts : public ArtifactSource {
 public:
  // Without a deadline only what is open serves, and `is_cold` tells that this was not enough.
  RequestArtifacts(TieredEngine& engine, std::string_view project,
                   std::optional<Clock::time_point> deadline)
      : engine_(engine), project_(project), deadline_(deadline) {}

  [[nodiscard]] bool is_cold() const { return is_cold_; }

  [[nodiscard]] Served find(std::string_view url) override {
    const std::string_view script = without_query_and_fragment(url);
    for (const Borrowed& one : borrowed_) {
      if (one.script == script) return one.served;
    }
    borrowed_.push_back(borrow(std::string(script)));
    return borrowed_.back().served;
  }
  [[nodiscard]] const std::vector<ArtifactFault>& faults() const override { return faults_; }

 private:
  struct Borrowed {
    std::string script;
    TieredEngine::Lease lease;
    Served served;
  };
  Borrowed borrow(std::string script) {
    Borrowed one{std::move(script), nullptr, {}};
    if (is_cold_) return one;
    auto known = deadline_ ? std::optional(engine_.borrow(project_, one.script, *deadline_))
                           : engine_.find_open(project_, one.script);
    is_cold_ = !known.has_value();
    if (is_cold_) return one;
    Result<TieredEngine::Lease>& lease = *known;
    if (!lease) {
      const bool is_missing = lease.error().code == Code::kNotFound;
      one.served.reason = is_missing ? Reason::kNoArtifact : Reason::kUnavailable;
      if (!is_missing) {
        add_fault(faults_, {one.script, Reason::kUnavailable, to_string(lease.error())});
      }
      return one;
    }
    one.lease = std::move(lease).value();
    one.served = {one.lease->artifact.get(), one.lease->reason, one.lease->first_line};
    for (const ArtifactFault& fault : one.lease->faults) add_fault(faults_, fault);
    return one;
  }

  TieredEngine& engine_;
  const std::string_view project_;
  const std::optional<Clock::time_point> deadline_;
  bool is_cold_ = false;
  std::vector<Borrowed> borrowed_;
  std::vector<ArtifactFault> faults_;
};

namespace {

// For a request with source context: its own artifacts, built with the texts of their sources.
class ContextArtifacts : public ArtifactSource {
 public:
  ContextArtifacts(storage::Catalogue& catalogue, std::string_view project,
                   Clock::time_point deadline, std::chrono::milliseconds read_deadline)
      : catalogue_(catalogue),
        project_(project),
        deadline_(deadline),
        read_deadline_(read_deadline) {}

  [[nodiscard]] Served find(std::string_view url) override {
    const std::string script(without_query_and_fragment(url));
    const auto [at, is_new] = scripts_.try_emplace(script);
    Script& one = at->second;
    if (!is_new) return one.served;
    auto artifacts = catalogue_.find_for(project_, script, deadline_);
    if (!artifacts) {
      one.served.reason = Reason::kUnavailable;
      add_fault(faults_, {script, Reason::kUnavailable, to_string(artifacts.error())});
      return one.served;
    }
    one.files = std::make_unique<CandidateFiles>(catalogue_, project_, std::move(artifacts).value(),
                                                 deadline_, read_deadline_);
    one.artifacts = std::make_unique<ScriptArtifacts>(*one.files, ScriptArtifacts::Sources::kKept);
    one.served = one.artifacts->find(script);
    for (const ArtifactFault& fault : one.artifacts->faults()) add_fault(faults_, fault);
    return one.served;
  }
  [[nodiscard]] const std::vector<ArtifactFault>& faults() const override { return faults_; }

 private:
  struct Script {
    std::unique_ptr<CandidateFiles> files;
    std::unique_ptr<ScriptArtifacts> artifacts;
    Served served;
  };
  storage::Catalogue& catalogue_;
  const std::string project_;
  const Clock::time_point deadline_;
  const std::chrono::milliseconds read_deadline_;
  std::unordered_map<std::string, Script> scripts_;
  std::vector<ArtifactFault> faults_;
};

}  // namespace

TieredEngine::TieredEngine(const Parts& parts, const EngineOptions& options)
    : parts_(parts),
      options_(options),
      catalogue_(parts.raw, parts.snapshots, parts.clock, options.refreshed_every),
      open_(options.open_artifacts),
      negative_(parts.clock) {}

TieredEngine::~TieredEngine() = default;

Answer TieredEngine::symbolicate(std::string_view project, std::string_view trace,
                                 const SymbolicateOptions& options, Clock::time_point deadline) {
  if (options.context_lines) {
    ContextArtifacts artifacts(catalogue_, project, deadline, options_.read_deadline);
    return twofold::symbolicate(trace, artifacts, options);
  }
  RequestArtifacts artifacts(*this, project, deadline);
  return twofold::symbolicate(trace, artifacts, options);
}

std::optional<Answer> TieredEngine::symbolicate_open(std::string_view project,
                                                     std::string_view trace,
                                                     const SymbolicateOptions& options) {
  if (options.context_lines) return std::nullopt;  // built anew for each request
  RequestArtifacts artifacts(*this, project, std::nullopt);
  Answer answer = twofold::symbolicate(trace, artifacts, options);
  if (artifacts.is_cold()) return std::nullopt;
  return answer;
}

Result<StoredArtifact> TieredEngine::add(std::string_view project, std::string_view name,
                                         PaddedBuffer content, Clock::time_point deadline) {
  const auto added = catalogue_.add(project, name, content, deadline);
  if (!added) return added.error();
  negative_.erase_prefix(to_key(project, ""));
  return to_stored(added.value());
}

Result<StoredArtifact> TieredEngine::find(std::string_view project, std::string_view id,
                                          Clock::time_point deadline) {
  const auto found = catalogue_.find(project, id, deadline);
  if (!found) return found.error();
  return to_stored(found.value());
}

bool TieredEngine::is_current(const Open& open) const {
  const os::SteadyTime checked_at{
      os::SteadyTime::duration(open.checked_at.load(std::memory_order_relaxed))};
  return open.version.load(std::memory_order_relaxed) == catalogue_.version() &&
         parts_.clock.now() - checked_at < options_.refreshed_every && !open.is_torn();
}

std::optional<Result<TieredEngine::Lease>> TieredEngine::find_open(std::string_view project,
                                                                   const std::string& script) {
  const std::string key = to_key(project, script);
  if (Lease known = open_.find(key); known != nullptr && is_current(*known)) {
    open_counts_.hits.fetch_add(1, std::memory_order_relaxed);
    return known;
  }
  if (const auto failure = negative_.find(key)) return *failure;
  return std::nullopt;
}

Result<TieredEngine::Lease> TieredEngine::borrow(std::string_view project,
                                                 const std::string& script,
                                                 Clock::time_point deadline) {
  const std::string key = to_key(project, script);
  Lease known = open_.find(key);
  if (known != nullptr && is_current(*known)) {
    open_counts_.hits.fetch_add(1, std::memory_order_relaxed);
    return known;
  }
  open_counts_.misses.fetch_add(1, std::memory_order_relaxed);
  if (const auto failure = negative_.find(key)) return *failure;
  return flights_.run(key, deadline, [&]() -> Result<Lease> {
    // Somebody may have landed between the look above and this flight.
    if (Lease landed = open_.find(key); landed != nullptr && is_current(*landed)) return landed;
    auto loaded = load(std::string(project), script, std::move(known), deadline);
    if (!loaded) {
      negative_.add(key, loaded.error());
      return loaded;
    }
    negative_.erase(key);
    const Lease& lease = loaded.value();
    open_.insert(key, lease, lease->size_bytes);
    return loaded;
  });
}

Result<TieredEngine::Lease> TieredEngine::load(const std::string& project,
                                               const std::string& script, Lease known,
                                               Clock::time_point deadline) {
  const std::uint64_t version = catalogue_.version();
  std::string wanted = script;
  auto artifacts = catalogue_.find_for(project, wanted, read_by(deadline));
  if (artifacts && artifacts.value().empty()) {
    wanted = js::decode_percent(script);
    if (wanted != script) artifacts = catalogue_.find_for(project, wanted, read_by(deadline));
  }
  if (!artifacts) return artifacts.error();
  if (artifacts.value().empty()) return Error{Code::kNotFound, kNoOffset, "no artifact", script};
  const std::string name = name_tw(wanted, artifacts.value());
  const auto finish = [&](Lease lease) {
    lease->tw_name = name;
    lease->version = version;
    lease->checked_at = parts_.clock.now().time_since_epoch().count();
    return lease;
  };
  if (known != nullptr && known->tw_name == name && !known->is_torn()) return finish(known);
  if (known != nullptr && known->is_torn() && parts_.disk != nullptr) {
    parts_.disk->erase(project, name);
  }
  if (Lease lease = open_from_disk(project, name)) return finish(std::move(lease));
  Fetched fetched = fetch_shared(project, name, read_by(deadline));
  if (fetched.lease != nullptr) return finish(std::move(fetched.lease));
  auto built = build(project, wanted, artifacts.value(), name, fetched.is_damaged, deadline);
  if (!built) return built;
  return finish(std::move(built).value());
}

TieredEngine::Lease TieredEngine::open_from_disk(const std::string& project,
                                                 const std::string& name) {
  if (parts_.disk == nullptr) return nullptr;
  auto mapped = parts_.disk->find(project, name);
  ++(mapped ? disk_counts_.hits : disk_counts_.misses);
  if (!mapped) return nullptr;
  auto open = std::make_shared<Open>();
  open->mapped = std::move(mapped).value();
  open->artifact = std::make_unique<ScriptArtifact>(
      ScriptArtifact{open->mapped->view(), {}, {}, name, {}, {}, {}});
  open->size_bytes = open->mapped->view().bytes().size();
  return open;
}

// Whatever comes over a network is verified to the last token.
TieredEngine::Fetched TieredEngine::fetch_shared(const std::string& project,
                                                 const std::string& name,
                                                 Clock::time_point deadline) {
  if (parts_.shared == nullptr) return {};
  auto object = parts_.shared->read(shared_key(project, name), kMostTwBytes, deadline);
  const auto view =
      object ? tw::View::open(object.value().bytes()) : Result<tw::View>(object.error());
  const bool is_sound = view && tw::verify(view.value());
  ++(is_sound ? shared_counts_.hits : shared_counts_.misses);
  // A store that fails does not fail what a build can serve.
  if (!is_sound) return {nullptr, object.ok()};
  const ByteView bytes = object.value().bytes();
  return {keep(project, name, {bytes.begin(), bytes.end()}, deadline), false};
}

// Replicas write the same bytes under one name, the first of them: so nobody overwrites a sound
// object, and only a damaged one is replaced.
void TieredEngine::write_shared(const std::string& project, const std::string& name, ByteView tw,
                                bool replaces, Clock::time_point deadline) {
  if (parts_.shared == nullptr) return;
  const std::string key = shared_key(project, name);
  const bool is_written = replaces ? parts_.shared->write(key, tw, deadline).ok()
                                   : parts_.shared->write_new(key, tw, deadline).ok();
  if (!is_written) ++failed_writes_;
}

Clock::time_point TieredEngine::read_by(Clock::time_point deadline) const {
  return std::min(deadline, Clock::now() + options_.read_deadline);
}

// On disk and mapped, or in memory where the disk takes it not.
TieredEngine::Lease TieredEngine::keep(const std::string& project, const std::string& name,
                                       std::vector<std::uint8_t> tw,
                                       Clock::time_point /*deadline*/) {
  if (parts_.disk != nullptr) {
    if (parts_.disk->write(project, name, tw)) {
      if (Lease lease = open_from_disk(project, name)) return lease;
    } else {
      ++failed_writes_;
    }
  }
  auto open = std::make_shared<Open>();
  open->artifact = std::make_unique<ScriptArtifact>(
      ScriptArtifact{tw::View::open(ByteView(tw)).value(), {}, std::move(tw), name, {}, {}, {}});
  // Moving a vector does not move its bytes: the view holds.
  open->size_bytes = open->artifact->built_bytes.size();
  return open;
}

Result<TieredEngine::Lease> TieredEngine::build(const std::string& project,
                                                const std::string& script,
                                                const std::vector<storage::RawArtifact>& artifacts,
                                                const std::string& name, bool replaces_shared,
                                                Clock::time_point deadline) {
  const auto begin = Clock::now();
  ++builds_;
  CandidateFiles files(catalogue_, project, artifacts, deadline, options_.read_deadline);
  ScriptArtifacts source(files);
  const Served served = source.find(script);
  build_ns_ += static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count());
  if (served.artifact == nullptr) {
    ++failed_builds_;
    if (files.failure()) return *files.failure();
    if (served.reason == Reason::kNoArtifact) {
      return Error{Code::kNotFound, kNoOffset, "no artifact", script};
    }
    auto failed = std::make_shared<Open>();
    failed->reason = served.reason;
    failed->faults = source.faults();
    return failed;
  }
  std::unique_ptr<ScriptArtifact> artifact = source.release(served.artifact);
  const bool fits_tw = artifact->instruction_starts.empty() && artifact->called_names.empty() &&
                       served.first_line == Line(0) && source.faults().empty();
  if (fits_tw) {
    auto tw = to_blocks(*artifact);
    if (!tw) return tw.error();
    write_shared(project, name, tw.value(), replaces_shared, read_by(deadline));
    return keep(project, name, std::move(tw).value(), deadline);
  }
  auto open = std::make_shared<Open>();
  open->artifact = std::move(artifact);
  open->first_line = served.first_line;
  open->faults = source.faults();
  open->size_bytes = open->artifact->built_bytes.size();
  return open;
}

std::vector<Engine::Metric> TieredEngine::metrics() const {
  std::vector<Metric> all;
  const auto add = [&](std::string_view name, std::string_view labels, std::string_view help,
                       double value, bool is_counter = true) {
    all.push_back({name, labels, help, is_counter, value});
  };
  struct Tier {
    std::string_view labels;
    const TierCounts& counts;
  };
  const Tier tiers[] = {{"tier=\"open\"", open_counts_},
                        {"tier=\"disk\"", disk_counts_},
                        {"tier=\"object\"", shared_counts_}};
  for (const Tier& tier : tiers) {
    add("twofold_tier_hits_total", tier.labels, "Artifacts that the tier had.",
        static_cast<double>(tier.counts.hits.load()));
  }
  for (const Tier& tier : tiers) {
    add("twofold_tier_misses_total", tier.labels, "Artifacts that the tier did not have.",
        static_cast<double>(tier.counts.misses.load()));
  }
  add("twofold_builds_total", "", "Builds from raw artifacts.",
      static_cast<double>(builds_.load()));
  add("twofold_failed_builds_total", "", "Builds that gave no artifact.",
      static_cast<double>(failed_builds_.load()));
  add("twofold_build_seconds_total", "", "Time spent building.",
      static_cast<double>(build_ns_.load()) / 1e9);
  add("twofold_failed_writes_total", "", "Built artifacts that a tier did not take.",
      static_cast<double>(failed_writes_.load()));
  add("twofold_negative_hits_total", "", "Requests answered by what is known to be missing.",
      static_cast<double>(negative_.hit_count()));
  add("twofold_negative_entries", "", "What is known to be missing.",
      static_cast<double>(negative_.count()), false);
  add("twofold_open_artifacts", "", "Artifacts that are open.", static_cast<double>(open_.count()),
      false);
  add("twofold_open_bytes", "", "Bytes of the artifacts that are open, mapped or built.",
      static_cast<double>(open_.size_bytes()), false);
  add("twofold_open_evictions_total", "", "Open artifacts dropped for others.",
      static_cast<double>(open_.eviction_count()));
  if (parts_.disk != nullptr) {
    add("twofold_disk_bytes", "", "Bytes of .tw files on disk.",
        static_cast<double>(parts_.disk->size_bytes()), false);
    add("twofold_disk_evictions_total", "", "Files removed for the budget.",
        static_cast<double>(parts_.disk->eviction_count()));
    add("twofold_disk_damaged_total", "", "Files that did not hold together and were removed.",
        static_cast<double>(parts_.disk->damaged_count()));
  }
  return all;
}

}  // namespace twofold::engine
