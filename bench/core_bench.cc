// The core's fast paths against their targets and baselines, all in one run, so that ratios hold on
// any machine. bench/README.md has the figures and how to repeat them.
//
//   build/release/bench/core_bench [corpus folder]
#include <simdjson.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "bench/measure.h"
#include "core/js/compile_js.h"
#include "core/js/map_json.h"
#include "core/tw/lookup.h"
#include "tests/support/corpus.h"

namespace {
std::uint64_t allocation_count = 0;  // one thread only
}

void* operator new(std::size_t size) {
  ++allocation_count;
  void* block = std::malloc(size == 0 ? 1 : size);
  if (block == nullptr) std::abort();
  return block;
}
void operator delete(void* block) noexcept {
  std::free(block);
}
void operator delete(void* block, std::size_t) noexcept {
  std::free(block);
}

namespace {

using namespace twofold;
using bench::keep;
using bench::measure;
using bench::Timing;

struct Input {
  const char* name;
  const char* path;  // below the corpus folder
};
constexpr Input kInputs[] = {
    {"preact", "A-js/symbolic/preact.module.js.map"},
    {"chart.js", "A-js/npm/public/chart.js@4.4.5/chart.umd.js.map"},
    {"antd", "A-js/npm/public/antd@5.21.6/antd.min.js.map.gz"},
    {"mermaid", "A-js/npm/public/mermaid@11.4.0/mermaid.min.js.map.gz"},
};

void print(const char* what, const char* unit, double per_unit, const Timing& timing) {
  std::printf("  %-42s %9.1f %9.1f  %s\n", what, timing.best_ns / per_unit,
              timing.median_ns / per_unit, unit);
}
void print_target(const char* what, const char* target, bool is_met) {
  std::printf("  %-42s %19s  %s\n", what, target, is_met ? "met" : "MISSED");
}
double ratio(const Timing& ours, const Timing& theirs) {
  return ours.best_ns / theirs.best_ns;
}

// ---- build ----

void bench_build(const Input& input, const PaddedBuffer& map) {
  js::JsCompiler compiler;
  std::uint64_t tokens = 0;
  const Timing warm = measure(1, [&] {
    const auto compiled = compiler.compile_js(map, {});
    keep(compiled);
  });
  const auto compiled = compiler.compile_js(map, {});
  tokens = tw::FlatView::open(compiled.value().tw).value().token_count();
  const std::uint64_t before = allocation_count;
  keep(compiler.compile_js(map, {}));
  const std::uint64_t allocations = allocation_count - before;
  const Timing fresh = measure(1, [&] {
    js::JsCompiler once;
    keep(once.compile_js(map, {}));
  });
  simdjson::dom::parser parser;
  const Timing dom = measure(1, [&] {
    keep(parser.parse(reinterpret_cast<const char*>(map.bytes().data()), map.size_bytes(), false)
             .error());
  });
  const double size = static_cast<double>(map.size_bytes());
  std::printf("build %s: %.0f KB, %llu tokens\n", input.name, size / 1e3,
              static_cast<unsigned long long>(tokens));
  print("compile_js, same compiler again", "us", 1e3, warm);
  print("compile_js, new compiler", "us", 1e3, fresh);
  print("simdjson, whole tree (DOM) of the same map", "us", 1e3, dom);
  std::printf("  compile / DOM %.2f; %.0f MB/s of map; %llu allocations\n", ratio(warm, dom),
              size / warm.best_ns * 1e3, static_cast<unsigned long long>(allocations));
  if (std::string(input.name) == "preact") {
    print_target("build without names", "<= 40 us", warm.best_ns <= 40e3);
  }
}

// ---- decoding ----

void bench_decode(const Input& input, const PaddedBuffer& map) {
  js::MapJson json;
  js::MapFields fields;
  const Timing skim = measure(1, [&] {
    const bool is_ok = json.parse(map, js::Strictness::kTolerant, fields).ok();
    keep(is_ok);
  });
  std::vector<js::Segment> segments;
  const js::MappingBounds bounds{fields.sources.size(), fields.names.size(),
                                 js::Strictness::kTolerant};
  const Timing vlq = measure(1, [&] {
    segments.clear();
    const bool is_ok = js::decode_mappings(fields.mappings, bounds, segments).ok();
    keep(is_ok);
  });
  const auto count = static_cast<double>(segments.size());
  const double rate = static_cast<double>(map.size_bytes()) / skim.best_ns;
  std::string copy(map.text());
  const Timing copying = measure(1, [&] {
    std::memcpy(copy.data(), map.bytes().data(), map.size_bytes());
    keep(copy);
  });
  std::printf("decode %s\n", input.name);
  print("JSON fields, source text skipped", "us", 1e3, skim);
  print("memcpy of the same text", "us", 1e3, copying);
  print("mappings (VLQ) to segments", "ns/token", count, vlq);
  std::printf("  JSON %.1f GB/s; mappings %.0f MB/s\n", rate,
              static_cast<double>(fields.mappings.size()) / vlq.best_ns * 1e3);
  // Larger maps come from memory, not from the cache, and go at the pace of memcpy.
  if (map.size_bytes() < 1'000'000) print_target("JSON", ">= 5 GB/s", rate >= 5);
}

// ---- lookup ----

// What a reader without our search would do: the same 24-byte records, std::upper_bound, the same
// rules.
struct Record {
  std::uint32_t line, column, original_line, original_column, file, function;
};

const Record* baseline(const std::vector<Record>& records, Position at) {
  const auto behind =
      std::upper_bound(records.begin(), records.end(), at, [](Position p, const Record& r) {
        return p < Position{Line(r.line), Utf16Column(r.column)};
      });
  if (behind == records.begin()) return nullptr;
  const Record& found = *std::prev(behind);
  return found.line == at.line.value() && found.original_line != 0 ? &found : nullptr;
}

std::vector<Position> random_positions(const tw::FlatView& view, std::size_t count) {
  std::mt19937 random(1);
  std::vector<Position> positions(count);
  for (Position& position : positions) {
    const Position token =
        view.token(static_cast<std::uint32_t>(random() % view.token_count())).generated;
    position = {token.line,
                Utf16Column(token.column.value() + static_cast<std::uint32_t>(random() % 3))};
  }
  return positions;
}

// In portions that take less than a sample, one after the other, so that no portion is learned by
// heart.
template <class Find>
Timing measure_lookups(const std::vector<Position>& positions, Find find) {
  constexpr std::size_t kPortion = 1 << 12;
  std::size_t from = 0;
  return measure(kPortion, [&] {
    for (std::size_t i = 0; i < kPortion; ++i) keep(find(positions[from + i]));
    from = (from + kPortion) % positions.size();
  });
}

// Both twice, in turn: a shared machine changes its pace within a minute.
template <class Ours, class Theirs>
std::pair<Timing, Timing> measure_in_turn(const std::vector<Position>& positions, Ours ours,
                                          Theirs theirs) {
  const auto better = [](const Timing& a, const Timing& b) {
    return Timing{std::min(a.best_ns, b.best_ns), std::min(a.median_ns, b.median_ns)};
  };
  const Timing ours_first = measure_lookups(positions, ours);
  const Timing theirs_first = measure_lookups(positions, theirs);
  const Timing ours_then = measure_lookups(positions, ours);
  return {better(ours_first, ours_then), better(theirs_first, measure_lookups(positions, theirs))};
}

void bench_lookup(const Input& input, const PaddedBuffer& map) {
  js::JsCompiler compiler;
  const auto compiled = compiler.compile_js(map, {});
  const auto view = tw::FlatView::open(compiled.value().tw).value();
  std::vector<Record> records(view.token_count());
  std::memcpy(records.data(), view.bytes().data() + tw::flat::kHeaderSizeBytes,
              records.size() * sizeof(Record));
  const auto random = random_positions(view, 1 << 16);
  const std::vector<Position> fixed(1 << 12, random[0]);

  const auto ours = [&](Position at) { return tw::find_location(view, at); };
  const auto theirs = [&](Position at) {
    const Record* found = baseline(records, at);
    return found != nullptr ? *found : Record{};
  };
  const auto [fixed_ns, fixed_base] = measure_in_turn(fixed, ours, theirs);
  const auto [random_ns, random_base] = measure_in_turn(random, ours, theirs);
  const std::uint64_t before = allocation_count;
  for (const Position at : random) keep(ours(at));
  const std::uint64_t allocations = allocation_count - before;

  std::printf("lookup %s: %u tokens, .tw version 1, both strings found\n", input.name,
              view.token_count());
  print("same position", "ns", 1, fixed_ns);
  print("same position, std::upper_bound", "ns", 1, fixed_base);
  print("random positions", "ns", 1, random_ns);
  print("random positions, std::upper_bound", "ns", 1, random_base);
  std::printf(
      "  ours / std::upper_bound: %.2f same, %.2f random; %llu allocations in 65,536 lookups\n",
      ratio(fixed_ns, fixed_base), ratio(random_ns, random_base),
      static_cast<unsigned long long>(allocations));
  if (view.token_count() > 10000) return;
  print_target("same position", "<= 20 ns", fixed_ns.best_ns <= 20);
  print_target("random positions", "<= 70 ns", random_ns.best_ns <= 70);
  print_target("allocations", "0", allocations == 0);
}

}  // namespace

int main(int argc, char** argv) {
  std::filesystem::path corpus;
  if (argc > 1) {
    corpus = argv[1];
  } else if (const auto found = test::find_corpus("core_bench")) {
    corpus = *found;
  } else {
    return 1;
  }
  std::printf("%-44s %9s %9s\n", "", "best", "median");
  for (const Input& input : kInputs) {
    const PaddedBuffer map{std::string_view(test::read_file(corpus / input.path))};
    bench_build(input, map);
    bench_decode(input, map);
    bench_lookup(input, map);
  }
  return 0;
}
