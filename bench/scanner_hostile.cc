// How the time of the scanner, and of naming functions, grows on text made to hurt them: every text
// at 5 MB and at 50 MB. Linear means that a byte takes as long in the second as in the first.
//
//   scanner_hostile [BYTES]     of the larger text; the other has a tenth
#include <cstdio>
#include <cstdlib>
#include <string>

#include "bench/measure.h"
#include "core/js/function_names.h"
#include "core/js/scope_scanner.h"
#include "core/js/text_positions.h"
#include "tests/support/hostile_texts.h"

namespace {

using namespace twofold;
using namespace twofold::js;

// A segment every 64 bytes that says: this is where it was in the source.
SourceMap map_onto_itself(std::string_view text) {
  SourceMap map;
  map.sources.add("a.js");
  map.is_ignored = {false};
  const TextPositions positions(text);
  for (std::uint32_t offset = 0; offset < text.size(); offset += 64) {
    Segment segment;
    segment.generated = segment.original = positions.position(offset);
    segment.source = 0;
    map.segments.push_back(segment);
  }
  return map;
}

struct Cost {
  double scan_ns;  // per byte
  double name_ns;  // per byte, scanning of the source text included
};

Cost measure_cost(const std::string& text) {
  const SourceMap map = map_onto_itself(text);
  const std::string_view contents[] = {text};
  const auto size = static_cast<double>(text.size());
  const std::int64_t start = bench::now_ns();
  FunctionScopes scopes;
  ScopeScanner().scan(text, scopes);
  const std::int64_t scanned = bench::now_ns();
  SourceTexts texts(contents);
  bench::keep(name_functions({text, scopes, map, texts}));
  return {static_cast<double>(scanned - start) / size,
          static_cast<double>(bench::now_ns() - scanned) / size};
}

std::string show(const test::HostileText& text) {
  std::string shown;
  for (const char* part : {text.open, text.middle, text.close}) {
    for (; *part != '\0'; ++part)
      shown += *part == '\n' ? std::string("\\n") : std::string(1, *part);
    if (part != text.close && *text.close != '\0') shown += ' ';
  }
  return shown;
}

}  // namespace

int main(int count, char** arguments) {
  const std::size_t large_bytes =
      count > 1 ? std::strtoul(arguments[1], nullptr, 10) : std::size_t{50'000'000};
  std::printf("%-40s %8s %8s %6s   %8s %8s %6s\n", "ns per byte, a tenth and all of the text",
              "scan", "scan", "ratio", "name", "name", "ratio");
  double worst = 0;
  for (const test::HostileText& text : test::hostile_texts()) {
    const Cost small = measure_cost(text.write(large_bytes / 10));
    const Cost large = measure_cost(text.write(large_bytes));
    const double scan_ratio = large.scan_ns / small.scan_ns;
    const double name_ratio = large.name_ns / small.name_ns;
    worst = std::max({worst, scan_ratio, name_ratio});
    std::printf("%-40s %8.1f %8.1f %6.2f   %8.1f %8.1f %6.2f\n", show(text).c_str(), small.scan_ns,
                large.scan_ns, scan_ratio, small.name_ns, large.name_ns, name_ratio);
    std::fflush(stdout);
  }
  std::printf("worst ratio %.2f\n", worst);
  return 0;
}
