// Prints the function name at places of bundles, for comparison with expected answers. Standard
// input, a line each:
//   = bundle <tab> map     opens a pair; without a map the bundle's own functions answer
//   line column            asks, 0-based
// Answers are lines: what the function is (`?named`, `?anonymous`, `?global`) and, after a space,
// the name, empty for none; or `?unmapped`. With a map it is the product that answers: a .tw is
// compiled and looked up.
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>

#include "core/base/padded.h"
#include "core/js/compile_js.h"
#include "core/js/function_of_token.h"
#include "core/js/names.h"
#include "core/js/text_positions.h"
#include "core/tw/lookup.h"

namespace {

using namespace twofold;

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// A text with the names of its own functions.
class Original {
 public:
  explicit Original(std::string text)
      : text_(std::move(text)),
        positions_(text_),
        scopes_(js::find_functions(text_)),
        names_(js::infer_names({text_, &scopes_})) {}

  void print(Position at) const {
    const std::uint32_t scope =
        js::find_innermost(js::list_changes(scopes_), positions_.offset(at));
    if (scope == js::kNoEntry) {
      std::cout << "?global \n";
    } else {
      std::cout << (names_[scope].empty() ? "?anonymous " : "?named ") << names_[scope] << '\n';
    }
  }

 private:
  std::string text_;
  js::TextPositions positions_;
  js::FunctionScopes scopes_;
  js::ScopeNames names_;
};

class Compiled {
 public:
  Compiled(const std::string& bundle, const std::string& map_path) {
    const PaddedBuffer map(read_file(map_path));
    js::JsCompiler compiler;
    auto compiled = compiler.compile_js(map, {.script = bundle});
    if (!compiled) {
      std::cerr << map_path << ": " << to_string(compiled.error()) << '\n';
      return;
    }
    tw_ = std::move(compiled.value().tw);
  }

  void print(Position at) const {
    const auto view = tw::FlatView::open(tw_);
    const auto location = view ? tw::find_location(view.value(), at) : std::nullopt;
    if (!location || !location->function) {
      std::cout << "?unmapped\n";
    } else if (*location->function == js::kTopLevel) {
      std::cout << "?global \n";
    } else if (*location->function == js::kAnonymousFunction) {
      std::cout << "?anonymous \n";
    } else {
      std::cout << "?named " << *location->function << '\n';
    }
  }

 private:
  std::vector<std::uint8_t> tw_;
};

}  // namespace

int main() {
  std::optional<Original> original;
  std::optional<Compiled> compiled;
  std::string line;
  while (std::getline(std::cin, line)) {
    if (line.starts_with("= ")) {
      original.reset();
      compiled.reset();
      const std::size_t tab = line.find('\t');
      const std::string bundle = read_file(line.substr(2, tab - 2));
      if (tab == std::string::npos) {
        original.emplace(bundle);
      } else {
        compiled.emplace(bundle, line.substr(tab + 1));
      }
      continue;
    }
    std::istringstream numbers(line);
    std::uint32_t row = 0;
    std::uint32_t column = 0;
    numbers >> row >> column;
    const Position at{Line(row), Utf16Column(column)};
    if (original) original->print(at);
    if (compiled) compiled->print(at);
  }
  return 0;
}
