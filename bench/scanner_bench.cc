// MB/s of the function-scope scanner on the given files, the best of several runs each, in
// processor time.
//
//   scanner_bench app.min.js [more.js ...]
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "bench/measure.h"
#include "core/js/scope_scanner.h"

using namespace twofold;

int main(int count, char** arguments) {
  js::ScopeScanner scanner;
  js::FunctionScopes scopes;
  for (int i = 1; i < count; ++i) {
    std::ifstream file(arguments[i], std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)),
                           std::istreambuf_iterator<char>());
    const std::size_t runs = std::clamp<std::size_t>(100'000'000 / (text.size() + 1), 5, 2000);
    std::int64_t best_ns = INT64_MAX;
    for (std::size_t run = 0; run < runs; ++run) {
      const std::int64_t start = bench::now_ns();
      scanner.scan(text, scopes);
      best_ns = std::min(best_ns, bench::now_ns() - start);
    }
    std::printf("%8.1f MB/s %10zu bytes %8zu scopes %8zu bindings  %s\n",
                static_cast<double>(text.size()) / static_cast<double>(best_ns) * 1e3, text.size(),
                scopes.scopes.size(), scopes.bindings.size(), arguments[i]);
  }
  return 0;
}
