// MB/s of the function-scope scanner on the given files, the best of several runs each.
//
//   scanner_bench app.min.js [more.js ...]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "core/js/scope_scanner.h"

int main(int count, char** arguments) {
  using Clock = std::chrono::steady_clock;
  twofold::js::ScopeScanner scanner;
  twofold::js::FunctionScopes scopes;
  for (int i = 1; i < count; ++i) {
    std::ifstream file(arguments[i], std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)),
                           std::istreambuf_iterator<char>());
    const std::size_t runs = std::clamp<std::size_t>(100'000'000 / (text.size() + 1), 5, 2000);
    double best_seconds = 1e9;
    for (std::size_t run = 0; run < runs; ++run) {
      const Clock::time_point start = Clock::now();
      scanner.scan(text, scopes);
      best_seconds =
          std::min(best_seconds, std::chrono::duration<double>(Clock::now() - start).count());
    }
    std::printf("%8.1f MB/s %10zu bytes %8zu scopes %8zu bindings  %s\n",
                static_cast<double>(text.size()) / best_seconds / 1e6, text.size(),
                scopes.scopes.size(), scopes.bindings.size(), arguments[i]);
  }
  return 0;
}
