// The engine over its tiers: the answers of the command line, the work done once, and whatever
// fails, nothing that a lower tier can serve.
#include "native/engine/tiered_engine.h"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <thread>

#include "core/symbolicate/json.h"
#include "core/symbolicate/script_artifacts.h"
#include "native/os/file.h"
#include "native/store/folder_object_store.h"
#include "tests/support/fake_clock.h"
#include "tests/support/memory_object_store.h"
#include "tests/support/temporary_folder.h"

using namespace twofold;
using namespace std::chrono_literals;

namespace {

const auto kNever = engine::Clock::time_point::max();

constexpr std::string_view kScript = "function a(b){c(()=>b)};var d=function(){throw{e(){}}}";
constexpr std::string_view kMap =
    R"({"version":3,"file":"app.js","sources":["a.js","b.ts"],"names":["first","Second","third"],)"
    R"("mappings":"AAAA,SAASA,EAAMC,GAAIC,UCAA,WAAO",)"
    R"("sourcesContent":["function first(Second) {\n\tthird(() => Second);\n}\n",)"
    R"("const f = (x: string) => {\n\tthrow x;\n}"]})";
constexpr std::string_view kTrace =
    "Error: no\n    at a (https://host/js/app.js?v=1:1:15)\n    at https://host/js/app.js:1:20\n"
    "    at x (https://host/other.js:1:1)\n";

// A server's parts: what a restart keeps is outside.
struct Server {
  Server(storage::ObjectStore& raw, storage::ObjectStore* shared, const std::string& folder,
         const os::Clock& clock, std::size_t most_open = 128) {
    if (!folder.empty()) disk = std::move(storage::DiskCache::open(folder, {}, clock)).value();
    engine.emplace(
        engine::TieredEngine::Parts{
            .raw = raw, .shared = shared, .disk = disk.get(), .clock = clock},
        engine::EngineOptions{.open_artifacts = {.most_entries = most_open}});
  }
  void upload(std::string_view name = "dist/app.js", std::string_view project = "p",
              std::string_view map = kMap) {
    REQUIRE(engine->add(project, name, PaddedBuffer(kScript), kNever));
    REQUIRE(engine->add(project, std::string(name) + ".map", PaddedBuffer(map), kNever));
  }
  std::string answer(std::string_view trace = kTrace, std::string_view project = "p") {
    return to_json(engine->symbolicate(project, trace, {}, kNever));
  }
  std::unique_ptr<storage::DiskCache> disk;
  std::optional<engine::TieredEngine> engine;
};

// What the command line answers for the same files.
std::string direct_answer(std::string_view trace = kTrace, SymbolicateOptions options = {}) {
  MemoryFiles files;
  files.add("dist/app.js", PaddedBuffer(kScript));
  files.add("dist/app.js.map", PaddedBuffer(kMap));
  ScriptArtifacts artifacts(files, options.context_lines ? ScriptArtifacts::Sources::kKept
                                                         : ScriptArtifacts::Sources::kDropped);
  return to_json(symbolicate(trace, artifacts, options));
}

std::string replace_all(std::string_view text, std::string_view from, std::string_view to) {
  std::string out(text);
  for (std::size_t at = 0; (at = out.find(from, at)) != std::string::npos; at += to.size()) {
    out.replace(at, from.size(), to);
  }
  return out;
}

double metric(const engine::TieredEngine& engine, std::string_view name,
              std::string_view labels = "") {
  for (const auto& one : engine.metrics()) {
    if (one.name == name && one.labels == labels) return one.value;
  }
  return -1;
}

}  // namespace

TEST_CASE("TieredEngine.AnswersAsTheCommandLineDoes") {
  const test::FakeClock clock;
  const test::TemporaryFolder folder;
  for (const bool has_disk : {false, true}) {
    CAPTURE(has_disk);
    test::MemoryObjectStore raw;
    Server server(raw, nullptr, has_disk ? folder.path() : "", clock);
    server.upload();
    const std::string wanted = direct_answer();
    CHECK(wanted.find("first") != std::string::npos);
    CHECK(server.answer() == wanted);
    CHECK(server.answer() == wanted);
    CHECK(server.engine->build_count() == 1);
    const SymbolicateOptions context{.context_lines = 1};
    CHECK(to_json(server.engine->symbolicate("p", kTrace, context, kNever)) ==
          direct_answer(kTrace, context));
  }
}

// A map without its script takes names from callers, which no .tw holds.
TEST_CASE("TieredEngine.AnswersTheSameWithoutTheScript") {
  const test::FakeClock clock;
  const test::TemporaryFolder folder;
  test::MemoryObjectStore raw;
  Server server(raw, nullptr, folder.path(), clock);
  REQUIRE(server.engine->add("p", "app.js.map", PaddedBuffer(kMap), kNever));
  MemoryFiles files;
  files.add("app.js.map", PaddedBuffer(kMap));
  ScriptArtifacts artifacts(files);
  const std::string wanted = to_json(symbolicate(kTrace, artifacts));
  CHECK(server.answer() == wanted);
  CHECK(server.answer() == wanted);
  CHECK(server.engine->build_count() == 1);
}

TEST_CASE("TieredEngine.AStampedeBuildsOnceAndReadsOnce") {
  const test::FakeClock clock;
  const test::TemporaryFolder folder;
  test::MemoryObjectStore raw, shared;
  Server server(raw, &shared, folder.path(), clock);
  server.upload();
  const std::size_t reads_before = raw.read_count("raw");
  std::atomic<int> waiting{0}, right{0};
  const std::string wanted = direct_answer();
  std::vector<std::thread> threads;
  for (int i = 0; i < 1000; ++i) {
    threads.emplace_back([&] {
      ++waiting;
      while (waiting < 1000) std::this_thread::yield();
      if (server.answer() == wanted) ++right;
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(right == 1000);
  CHECK(server.engine->build_count() == 1);
  CHECK(raw.read_count("raw") - reads_before == 2);  // the script and its map
  CHECK(shared.read_count("tw") == 1);
}

TEST_CASE("TieredEngine.AWarmFolderNeedsNoBuild") {
  const test::FakeClock clock;
  const test::TemporaryFolder folder;
  storage::FolderObjectStore raw(folder / "raw");
  {
    Server server(raw, nullptr, folder / "cache", clock);
    server.upload();
    CHECK(server.answer() == direct_answer());
  }
  Server server(raw, nullptr, folder / "cache", clock);
  CHECK(server.answer() == direct_answer());
  CHECK(server.engine->build_count() == 0);
  CHECK(metric(*server.engine, "twofold_tier_hits_total", "tier=\"disk\"") == 1);
}

TEST_CASE("TieredEngine.AReplicaWithAnEmptyDiskNeedsNoBuild") {
  const test::FakeClock clock;
  const test::TemporaryFolder one, two;
  test::MemoryObjectStore bucket;
  Server first(bucket, &bucket, one.path(), clock);
  first.upload();
  CHECK(first.answer() == direct_answer());
  Server second(bucket, &bucket, two.path(), clock);
  CHECK(second.answer() == direct_answer());
  CHECK(second.engine->build_count() == 0);
  CHECK(bucket.count("tw/") == 1);
}

// Two processes share a folder: one build each at most, and the same bytes.
TEST_CASE("TieredEngine.TwoProcessesShareAFolder") {
  const test::TemporaryFolder folder;
  const os::Clock clock;
  storage::FolderObjectStore raw(folder / "raw");
  Server(raw, nullptr, folder / "cache", clock).upload();
  const auto run = [&] {
    Server server(raw, nullptr, folder / "cache", clock);
    for (int i = 0; i < 50; ++i) {
      if (server.answer() != direct_answer()) return 1;
    }
    return server.engine->build_count() <= 1 ? 0 : 2;
  };
  const pid_t child = ::fork();
  if (child == 0) ::_exit(run());
  CHECK(run() == 0);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(os::list_files(folder / "cache/tw").value().size() == 1);
}

TEST_CASE("TieredEngine.AnUploadIsSeenAtOnce") {
  const test::FakeClock clock;
  const test::TemporaryFolder folder;
  test::MemoryObjectStore raw;
  Server server(raw, nullptr, folder.path(), clock);
  CHECK(server.answer().find("no_artifact") != std::string::npos);
  CHECK(server.answer().find("no_artifact") != std::string::npos);
  CHECK(metric(*server.engine, "twofold_negative_hits_total") > 0);
  server.upload();
  CHECK(server.answer() == direct_answer());
  // The same names with another map: never the old answer again.
  server.upload("dist/app.js", "p", replace_all(kMap, "first", "FIRST"));
  CHECK(server.answer().find("FIRST") != std::string::npos);
  CHECK(server.engine->build_count() == 2);
  // Serves nothing of this trace.
  server.upload("unrelated/z.js", "p", replace_all(kMap, "app.js", "z.js"));
  CHECK(server.answer().find("FIRST") != std::string::npos);
  CHECK(server.engine->build_count() == 2);
}

// What another replica uploads is seen when what is known has become old.
TEST_CASE("TieredEngine.AnotherReplicasUploadIsSeenWithinAMinute") {
  test::FakeClock clock;
  const test::TemporaryFolder one, two;
  test::MemoryObjectStore bucket;
  Server first(bucket, &bucket, one.path(), clock);
  Server second(bucket, &bucket, two.path(), clock);
  CHECK(second.answer().find("no_artifact") != std::string::npos);
  first.upload();
  CHECK(second.answer().find("no_artifact") != std::string::npos);
  clock.advance(60s);
  CHECK(second.answer() == direct_answer());
}

TEST_CASE("TieredEngine.OneProjectDoesNotSeeAnothers") {
  const test::FakeClock clock;
  const test::TemporaryFolder folder;
  test::MemoryObjectStore raw;
  Server server(raw, &raw, folder.path(), clock);
  server.upload("dist/app.js", "mine");
  CHECK(server.answer(kTrace, "mine") == direct_answer());
  CHECK(server.answer(kTrace, "theirs").find("no_artifact") != std::string::npos);
  const auto added = server.engine->add("mine", "x.js", PaddedBuffer(kScript), kNever);
  REQUIRE(added);
  CHECK(server.engine->find("mine", added.value().id, kNever));
  const auto other = server.engine->find("theirs", added.value().id, kNever);
  REQUIRE_FALSE(other);
  CHECK(other.error().code == Code::kNotFound);
}

TEST_CASE("TieredEngine.DamagedObjectsAreNeverServed") {
  const test::FakeClock clock;
  const test::TemporaryFolder one, two;
  test::MemoryObjectStore raw, shared;
  Server first(raw, &shared, one.path(), clock);
  first.upload();
  CHECK(first.answer() == direct_answer());
  CHECK(shared.corrupt("tw/") == 1);
  Server second(raw, &shared, two.path(), clock);
  CHECK(second.answer() == direct_answer());  // built anew
  CHECK(second.engine->build_count() == 1);
  // Raw artifacts are compared with what was uploaded.
  const test::TemporaryFolder three;
  CHECK(raw.corrupt("raw/") == 2);
  Server third(raw, nullptr, three.path(), clock);
  CHECK(third.answer().find("\"unavailable\"") != std::string::npos);
}

TEST_CASE("TieredEngine.AStoreThatIsDownFailsNothingThatIsHere") {
  test::FakeClock clock;
  const test::TemporaryFolder folder;
  test::MemoryObjectStore raw, shared;
  Server server(raw, &shared, folder.path(), clock);
  server.upload();
  CHECK(server.answer() == direct_answer());
  shared.fail_with(Error{Code::kUnavailable, kNoOffset, "503 SlowDown"});
  server.upload("dist/b.js");
  const std::string trace = "    at b (b.js:1:15)\n";
  CHECK(server.answer(trace).find("first") != std::string::npos);  // built, though nobody shares
  raw.fail_with(Error{Code::kUnavailable, kNoOffset, "503 SlowDown"});
  CHECK(server.answer(trace).find("first") != std::string::npos);  // open
  const std::string unknown = "    at c (c.js:1:15)\n";
  const std::string failed = server.answer(unknown);
  CHECK(failed.find("\"unavailable\"") != std::string::npos);
  CHECK(failed.find("503 SlowDown") != std::string::npos);
  // Believed for 15 s, then tried again.
  raw.fail_with(std::nullopt);
  const std::size_t reads = raw.read_count("catalogue");
  CHECK(server.answer(unknown).find("\"unavailable\"") != std::string::npos);
  CHECK(raw.read_count("catalogue") == reads);
  clock.advance(15s);
  CHECK(server.answer(unknown).find("no_artifact") != std::string::npos);
}

// An artifact that fails is looked at once for a trace, and its fault is said once.
TEST_CASE("TieredEngine.ABrokenArtifactIsTriedOnce") {
  const test::FakeClock clock;
  const test::TemporaryFolder folder;
  test::MemoryObjectStore raw;
  Server server(raw, nullptr, folder.path(), clock);
  server.upload("app.js", "p", R"({"version":3,"sources":["a"],"mappings":"A!"})");
  const std::string answer = server.answer();
  CHECK(answer.find("bad_artifact") != std::string::npos);
  CHECK(answer.find("bad_mapping") != std::string::npos);
  CHECK(server.answer() == answer);
  CHECK(server.engine->build_count() == 1);
}

TEST_CASE("TieredEngine.ATornMappingIsBuiltAnew") {
  const test::FakeClock clock;
  const test::TemporaryFolder folder;
  test::MemoryObjectStore raw;
  Server server(raw, nullptr, folder.path(), clock);
  server.upload();
  CHECK(server.answer() == direct_answer());
  const auto files = os::list_files(folder / "tw").value();
  REQUIRE(files.size() == 1);
  REQUIRE(::truncate(files.front().c_str(), 0) == 0);
  (void)server.answer();  // may still be whole in memory, or torn: alive in any case
  CHECK(server.answer() == direct_answer());
}

// More artifacts than may be open: each request is answered, and no more stay open than may.
TEST_CASE("TieredEngine.CyclesThroughMoreArtifactsThanMayBeOpen") {
  const test::FakeClock clock;
  const test::TemporaryFolder folder;
  test::MemoryObjectStore raw;
  Server server(raw, nullptr, folder.path(), clock, 8);
  for (int i = 0; i < 40; ++i) server.upload("dist/app" + std::to_string(i) + ".js");
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 40; ++i) {
      const std::string trace = "    at b (app" + std::to_string(i) + ".js:1:15)\n";
      REQUIRE(server.answer(trace).find("first") != std::string::npos);
    }
  }
  CHECK(server.engine->build_count() == 40);
  CHECK(metric(*server.engine, "twofold_open_artifacts") == 8);
}

// Uploads, hits, misses and evictions at once; for the thread sanitizer.
TEST_CASE("TieredEngine.ManyThreadsAtOnce") {
  const os::Clock clock;
  const test::TemporaryFolder folder;
  test::MemoryObjectStore raw, shared;
  Server server(raw, &shared, folder.path(), clock, 4);
  for (int i = 0; i < 8; ++i) server.upload("app" + std::to_string(i) + ".js");
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 200; ++i) {
        const int number = (i * 5 + thread * 3) % 10;  // two of them are missing
        const std::string trace = "    at b (app" + std::to_string(number) + ".js:1:15)\n";
        const bool is_found = server.answer(trace).find("first") != std::string::npos;
        if (is_found != (number < 8)) ++wrong;
        if (i % 50 == thread) {
          const auto added = server.engine->add("p", "extra" + std::to_string(i) + ".js",
                                                PaddedBuffer(kScript), kNever);
          if (!added) ++wrong;
        }
        if (i % 100 == 0) (void)server.engine->metrics();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}
