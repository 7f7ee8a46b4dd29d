// The engine's hot path: what a request pays for tiers that it does not need, and that many
// artifacts through few mappings do not grow.
//
//   tests/build release:engine_bench && taskset -c 1 build/release/bench/engine_bench
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "bench/measure.h"
#include "core/js/compile_js.h"
#include "core/symbolicate/json.h"
#include "core/symbolicate/script_artifacts.h"
#include "native/engine/tiered_engine.h"
#include "native/store/folder_object_store.h"
#include "tests/support/corpus.h"
#include "tests/support/temporary_folder.h"

namespace {

using namespace twofold;
using bench::keep;
using bench::measure;

const auto kNever = engine::Clock::time_point::max();

std::uint64_t resident_kb() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:")) return std::strtoull(line.c_str() + 6, nullptr, 10);
  }
  return 0;
}

// Twelve frames all over preact's bundle.
std::string make_trace(const std::string& script) {
  std::string trace = "TypeError: x is not a function\n";
  for (int i = 0; i < 12; ++i) {
    trace += "    at f" + std::to_string(i) + " (https://host/js/" + script +
             ":1:" + std::to_string(100 + 797 * i) + ")\n";
  }
  return trace;
}

void bench_hot(const std::string& map, const std::string& script) {
  const test::TemporaryFolder folder;
  const os::Clock clock;
  storage::FolderObjectStore raw(folder / "raw");
  const auto disk = std::move(storage::DiskCache::open(folder / "cache", {}, clock)).value();
  engine::TieredEngine tiers({.raw = raw, .disk = disk.get(), .clock = clock}, {});
  (void)tiers.add("p", "app.js", PaddedBuffer(std::string_view(script)), kNever);
  (void)tiers.add("p", "app.js.map", PaddedBuffer(std::string_view(map)), kNever);
  MemoryFiles files;
  files.add("app.js", PaddedBuffer(std::string_view(script)));
  files.add("app.js.map", PaddedBuffer(std::string_view(map)));
  ScriptArtifacts direct(files);
  const std::string trace = make_trace("app.js");
  if (to_json(tiers.symbolicate("p", trace, {}, kNever)) != to_json(symbolicate(trace, direct))) {
    std::puts("the engine answers something else");
    std::exit(1);
  }
  constexpr std::size_t kTimes = 2000;
  const auto without = measure(kTimes, [&] {
    for (std::size_t i = 0; i < kTimes; ++i) keep(symbolicate(trace, direct).text.size());
  });
  js::JsCompiler compiler;
  const PaddedBuffer map_buffer{std::string_view(map)};
  const auto compiled =
      compiler.compile_js(map_buffer, {.script = script, .layout = tw::Layout::kBlocks});
  MemoryFiles tw_files;
  tw_files.add("app.js.tw", PaddedBuffer(ByteView(compiled.value().tw)));
  ScriptArtifacts own_tw(tw_files);
  const auto blocks = measure(kTimes, [&] {
    for (std::size_t i = 0; i < kTimes; ++i) keep(symbolicate(trace, own_tw).text.size());
  });
  const auto with = measure(kTimes, [&] {
    for (std::size_t i = 0; i < kTimes; ++i) {
      keep(tiers.symbolicate("p", trace, {}, kNever).text.size());
    }
  });
  std::printf("12 frames, one script                     ns    frames/s\n");
  std::printf("  artifacts of its own          %12.0f %11.0f\n", without.best_ns,
              12e9 / without.best_ns);
  std::printf("  a .tw of its own              %12.0f %11.0f\n", blocks.best_ns,
              12e9 / blocks.best_ns);
  std::printf("  through the engine, all open  %12.0f %11.0f\n", with.best_ns, 12e9 / with.best_ns);
  std::printf("  the engine adds %.0f ns to a request, %.1f to a frame (target: 100)\n",
              with.best_ns - blocks.best_ns, (with.best_ns - blocks.best_ns) / 12);
}

void bench_many(int artifact_count) {
  const test::TemporaryFolder folder;
  const os::Clock clock;
  storage::FolderObjectStore raw(folder / "raw");
  const auto disk = std::move(storage::DiskCache::open(folder / "cache", {}, clock)).value();
  engine::TieredEngine tiers({.raw = raw, .disk = disk.get(), .clock = clock}, {});
  const std::string_view script = "function a(b){c(()=>b)};var d=function(){throw{e(){}}}";
  const std::string_view map =
      R"({"version":3,"sources":["a.js"],"names":["f","g","h"],"mappings":"AAAA,SAASA,EAAMC,GAAIC"})";
  for (int i = 0; i < artifact_count; ++i) {
    const std::string name = "app" + std::to_string(i) + ".js";
    (void)tiers.add("p", name, PaddedBuffer(script), kNever);
    (void)tiers.add("p", name + ".map", PaddedBuffer(map), kNever);
  }
  std::printf("%d artifacts through 128 open ones, resident KB:", artifact_count);
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < artifact_count; ++i) {
      const std::string trace = "    at b (app" + std::to_string(i) + ".js:1:15)\n";
      keep(tiers.symbolicate("p", trace, {}, kNever).text.size());
    }
    std::printf(" %llu", static_cast<unsigned long long>(resident_kb()));
  }
  std::printf("; %llu builds\n", static_cast<unsigned long long>(tiers.build_count()));
}

}  // namespace

int main() {
  const auto corpus = test::find_corpus("engine_bench");
  if (!corpus) return 1;
  const auto folder = *corpus / "A-js/symbolic";
  bench_hot(test::read_file(folder / "preact.module.js.map"),
            test::read_file(folder / "preact.module.js"));
  bench_many(std::getenv("QUICK") ? 10 : 10000);
}
