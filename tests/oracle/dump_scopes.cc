// Prints the scopes of JavaScript files, for comparison with other parsers: per file a line `=
// path`, then a line per scope, `kind line:column line:column` of its begin and end, 0-based,
// columns in UTF-16. Paths come one per line on standard input.
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "core/base/utf.h"
#include "core/js/scopes.h"
#include "core/js/text_positions.h"

namespace {

using namespace twofold;

const char* to_word(js::ScopeKind kind) {
  switch (kind) {
    case js::ScopeKind::kClass:
      return "class";
    case js::ScopeKind::kStaticBlock:
      return "static";
    case js::ScopeKind::kArrow:
      return "arrow";
    default:
      return "function";
  }
}

void print(std::string_view text) {
  const js::TextPositions positions(text);
  for (const js::Scope& scope : js::find_functions(text).scopes) {
    const Position begin = positions.position(scope.begin);
    const Position end = positions.position(scope.end);
    std::cout << to_word(scope.kind) << ' ' << begin.line.value() << ':' << begin.column.value()
              << ' ' << end.line.value() << ':' << end.column.value() << '\n';
  }
}

}  // namespace

int main() {
  std::string path;
  while (std::getline(std::cin, path)) {
    std::ifstream file(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)),
                           std::istreambuf_iterator<char>());
    std::cout << "= " << path << '\n';
    print(text);
  }
  return 0;
}
