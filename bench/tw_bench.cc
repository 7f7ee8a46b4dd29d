// A .tw as it is looked up: size, warm and cold, next to baselines over the same tokens.
//
//   tests/build release:tw_bench
//   taskset -c 1 build/release/bench/tw_bench [MAP ...]    without maps: the corpus, and 20 million
//   made up
//
// fixed: the same position again and again. random: positions all over. dependent: the next
// position depends on the answer before, so nothing overlaps. cold: the file is dropped from the
// page cache and mapped anew before every lookup; the pages that this brings in are counted
// (mincore).
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "bench/measure.h"
#include "core/js/compile_js.h"
#include "core/tw/block_builder.h"
#include "core/tw/flat_builder.h"
#include "core/tw/lookup.h"
#include "core/tw/view.h"
#include "native/os/file.h"
#include "native/os/mapped_file.h"
#include "tests/support/corpus.h"

namespace {

using namespace twofold;
using bench::keep;
using bench::measure;
using bench::Timing;

using Bytes = std::vector<std::uint8_t>;

// ---- inputs ----

struct Input {
  std::string name;
  Bytes flat;
  Bytes blocks;
};

Bytes to_blocks(const Bytes& flat) {
  tw::BlockBuilder builder;
  return std::move(builder.build(tw::FlatView::open(flat).value(), {})).value();
}

Input build_map(const std::string& path, const std::string& text) {
  js::JsCompiler compiler;
  const PaddedBuffer map{std::string_view(text)};
  auto compiled = compiler.compile_js(map, {});
  if (!compiled) {
    std::fprintf(stderr, "%s: %s\n", path.c_str(), to_string(compiled.error()).c_str());
    std::exit(1);
  }
  Bytes blocks = to_blocks(compiled.value().tw);
  return {std::filesystem::path(path).filename().string(), std::move(compiled.value().tw),
          std::move(blocks)};
}

// One line of tokens as a minifier leaves them: 8 columns apart on average, in runs through one
// file.
Input make_up(std::uint32_t token_count) {
  std::mt19937 random(1);
  tw::FlatBuilder builder;
  for (int i = 0; i < 2000; ++i) {
    static_cast<void>(builder.intern_file("src/part" + std::to_string(i) + ".js"));
  }
  for (int i = 0; i < 50'000; ++i) {
    static_cast<void>(builder.intern_function("f" + std::to_string(i)));
  }
  tw::Token token;
  std::uint32_t column = 0;
  auto flat = builder.finish_sorted(token_count, [&](std::size_t i) {
    column += 1 + static_cast<std::uint32_t>(random() % 15);
    token.generated = {Line(0), Utf16Column(column)};
    if (i % 5000 == 0) token.file = static_cast<std::uint32_t>(random() % 2000);
    if (i % 40 == 0) token.function = static_cast<std::uint32_t>(random() % 50'000);
    token.original_line = 1 + static_cast<std::uint32_t>(i % 5000 / 4 + random() % 2);
    token.original_column = 1 + static_cast<std::uint32_t>(random() % 80);
    return token;
  });
  Bytes blocks = to_blocks(flat.value());
  return {std::to_string(token_count / 1'000'000) + "M made up", std::move(flat).value(),
          std::move(blocks)};
}

// ---- baselines ----

std::uint64_t to_key64(Position at) {
  return std::uint64_t{at.line.value()} << 32 | at.column.value();
}

// Keys in the order of a binary tree laid out level by level: each step down is one multiplication
// away, and the processor can fetch ahead.
class Eytzinger {
 public:
  explicit Eytzinger(const std::vector<std::uint64_t>& sorted)
      : keys_(sorted.size() + 1), index_(sorted.size() + 1) {
    fill(sorted);
  }
  // Index of the last key <= `key`; sorted.size() if there is none.
  [[nodiscard]] std::size_t floor(std::uint64_t key) const {
    std::size_t at = 1;
    std::size_t found = 0;
    while (at < keys_.size()) {
      const bool is_right = keys_[at] <= key;
      found = is_right ? at : found;
      at = 2 * at + (is_right ? 1 : 0);
    }
    return found == 0 ? keys_.size() - 1 : index_[found];
  }

 private:
  void fill(const std::vector<std::uint64_t>& sorted) {
    std::size_t next = 0;
    std::vector<std::size_t> path;  // the in-order walk, without recursion
    std::size_t at = 1;
    while (at < keys_.size() || !path.empty()) {
      while (at < keys_.size()) {
        path.push_back(at);
        at *= 2;
      }
      at = path.back();
      path.pop_back();
      keys_[at] = sorted[next];
      index_[at] = static_cast<std::uint32_t>(next++);
      at = 2 * at + 1;
    }
  }

  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> index_;
};

// ---- warm ----

struct Warm {
  Timing fixed, random, dependent;
};

// `find` gives the answer as a number that depends on all of it.
template <class Find>
Warm measure_warm(const std::vector<Position>& positions, Find find) {
  constexpr std::size_t kPortion = 1 << 12;
  Warm warm;
  warm.fixed = measure(kPortion, [&] {
    for (std::size_t i = 0; i < kPortion; ++i) keep(find(positions[0]));
  });
  std::size_t from = 0;
  warm.random = measure(kPortion, [&] {
    for (std::size_t i = 0; i < kPortion; ++i) keep(find(positions[from + i]));
    from = (from + kPortion) % positions.size();
  });
  std::size_t at = 0;
  std::size_t salt = 0;
  warm.dependent = measure(kPortion, [&] {
    for (std::size_t i = 0; i < kPortion; ++i) {
      at = (at * 5 + find(positions[at]) % 7 + ++salt) & (positions.size() - 1);
    }
    keep(at);
  });
  return warm;
}

void print_warm(const char* what, double bytes_per_token, const Warm& warm) {
  std::printf("  %-34s %8.2f %8.1f %8.1f %8.1f\n", what, bytes_per_token, warm.fixed.best_ns,
              warm.random.best_ns, warm.dependent.best_ns);
}

// ---- cold ----

struct Cold {
  double major_faults;
  double pages;
  double us;
};

// The page cache holds nothing of the file afterwards. Needs a file system that is a disk's.
void drop_from_cache(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  ::close(file);
}

double count_resident_pages(ByteView bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> resident((bytes.size() + page - 1) / page);
  if (::mincore(const_cast<std::uint8_t*>(bytes.data()), bytes.size(), resident.data()) != 0) {
    return 0;
  }
  return static_cast<double>(std::count_if(resident.begin(), resident.end(),
                                           [](unsigned char c) { return (c & 1) != 0; }));
}

template <class Look>
Cold measure_cold(const std::string& path, const std::vector<Position>& positions,
                  os::ReadAhead read_ahead, Look look) {
  constexpr int kLookups = 60;
  std::vector<double> times;
  Cold cold{0, 0, 0};
  for (int i = 0; i < kLookups; ++i) {
    drop_from_cache(path);
    rusage before{};
    ::getrusage(RUSAGE_SELF, &before);
    timespec start{};
    ::clock_gettime(CLOCK_MONOTONIC, &start);
    const auto file = os::MappedFile::open(path, read_ahead);
    look(file.value().bytes(), positions[static_cast<std::size_t>(i) * 31]);
    timespec end{};
    ::clock_gettime(CLOCK_MONOTONIC, &end);
    rusage after{};
    ::getrusage(RUSAGE_SELF, &after);
    cold.major_faults += static_cast<double>(after.ru_majflt - before.ru_majflt) / kLookups;
    cold.pages += count_resident_pages(file.value().bytes()) / kLookups;
    times.push_back(static_cast<double>(end.tv_sec - start.tv_sec) * 1e6 +
                    static_cast<double>(end.tv_nsec - start.tv_nsec) / 1e3);
  }
  std::sort(times.begin(), times.end());
  cold.us = times[times.size() / 2];
  return cold;
}

void print_cold(const char* what, const Cold& cold) {
  std::printf("  %-34s %8.1f %8.1f %8.0f\n", what, cold.major_faults, cold.pages, cold.us);
}

// ---- one input ----

std::uint64_t sum_of(const std::optional<tw::Location>& found) {
  if (!found) return 0;
  std::uint64_t sum = found->line.value() + found->column.value();
  if (found->file) sum += static_cast<std::uint8_t>(found->file->front());
  if (found->function) sum += static_cast<std::uint8_t>(found->function->front());
  return sum;
}

void bench_input(const Input& input, const std::string& folder) {
  const auto flat = tw::FlatView::open(input.flat).value();
  const auto blocks = tw::BlockView::open(input.blocks).value();
  const std::uint32_t count = flat.token_count();
  std::vector<std::uint64_t> keys(count);
  std::vector<tw::Token> tokens(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    tokens[i] = flat.token(i);
    keys[i] = to_key64(tokens[i].generated);
  }
  std::mt19937 random(1);
  std::vector<Position> positions(1 << 17);
  for (Position& position : positions) {
    const Position at = tokens[random() % count].generated;
    position = {at.line, Utf16Column(at.column.value() + static_cast<std::uint32_t>(random() % 3))};
  }

  std::printf("%s: %u tokens, %u files, %u functions\n", input.name.c_str(), count,
              flat.files().count(), flat.functions().count());
  std::printf("  %-34s %8s %8s %8s %8s\n", "warm, ns", "B/token", "fixed", "random", "dependent");
  const double size = static_cast<double>(input.flat.size());
  print_warm("version 1", size / count, measure_warm(positions, [&](Position at) {
               return sum_of(tw::find_location(flat, at));
             }));
  print_warm(
      "version 2", static_cast<double>(input.blocks.size()) / count,
      measure_warm(positions, [&](Position at) { return sum_of(blocks.find(tw::to_key(at))); }));
  print_warm("std::upper_bound, 24-byte tokens", 24, measure_warm(positions, [&](Position at) {
               const auto behind = std::upper_bound(
                   tokens.begin(), tokens.end(), at,
                   [](Position p, const tw::Token& token) { return p < token.generated; });
               if (behind == tokens.begin()) return std::uint64_t{0};
               const tw::Token& found = *std::prev(behind);
               return std::uint64_t{found.original_line} + found.original_column + found.file;
             }));
  const Eytzinger tree(keys);
  print_warm("Eytzinger keys + 24-byte tokens", 36, measure_warm(positions, [&](Position at) {
               const std::size_t found = tree.floor(to_key64(at));
               if (found == tokens.size()) return std::uint64_t{0};
               const tw::Token& token = tokens[found];
               return std::uint64_t{token.original_line} + token.original_column + token.file;
             }));

  std::printf("  %-34s %8s %8s %8s\n", "cold, file mapped anew", "faults", "pages", "us");
  const auto look = [](ByteView bytes, Position at) {
    const auto view = tw::View::open(bytes);
    keep(sum_of(view.value().find(at)));
  };
  for (const Bytes* bytes : {&input.flat, &input.blocks}) {
    const std::string path = folder + "/bench.tw";
    if (!os::write_file_atomic(path, *bytes)) return;
    const std::string version = bytes == &input.flat ? "version 1" : "version 2";
    print_cold((version + ", page by page").c_str(),
               measure_cold(path, positions, os::ReadAhead::kNone, look));
    print_cold((version + ", read ahead").c_str(),
               measure_cold(path, positions, os::ReadAhead::kWhole, look));
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::string folder = (std::filesystem::current_path() / "build/bench-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) {
    std::fprintf(stderr, "run it where a folder build is: %s\n", std::strerror(errno));
    return 1;
  }
  if (argc > 1) {
    for (int i = 1; i < argc; ++i) {
      bench_input(build_map(argv[i], test::read_file(argv[i])), folder);
    }
  } else if (const auto corpus = test::find_corpus("tw_bench")) {
    for (const char* path :
         {"A-js/symbolic/preact.module.js.map", "A-js/npm/public/chart.js@4.4.5/chart.umd.js.map",
          "A-js/npm/public/mermaid@11.4.0/mermaid.min.js.map.gz"}) {
      bench_input(build_map(path, test::read_file(*corpus / path)), folder);
    }
    bench_input(make_up(20'000'000), folder);
  }
  std::filesystem::remove_all(folder);
  return 0;
}
