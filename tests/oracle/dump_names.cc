// Prints the function name at places of bundles, for comparison with expected answers. Standard
// input, a line each:
//   = bundle <tab> map <tab> contents     opens a pair; contents: a file with the sources' texts,
//   or empty line column                           asks, 0-based
// Answers are lines: what the bundle's function is (`?named`, `?anonymous`, `?global`) and, after a
// space, the name, empty for none; or `?unmapped`.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>

#include "core/base/padded.h"
#include "core/js/function_names.h"
#include "core/js/map_reader.h"
#include "core/js/names.h"
#include "core/js/text_positions.h"

namespace {

using namespace twofold;

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// A source text, whose functions have their own names.
class Original {
 public:
  explicit Original(const std::string& text)
      : positions_(text),
        scopes_(js::find_functions(text)),
        names_(js::infer_names({text, scopes_})) {}

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
  js::TextPositions positions_;
  js::FunctionScopes scopes_;
  js::ScopeNames names_;
};

// One bundle with its map, ready to be asked.
class Pair {
 public:
  Pair(const std::string& bundle_path, const std::string& map_path,
       const std::string& contents_path)
      : bundle_(read_file(bundle_path)) {
    if (map_path.empty()) {
      original_ = std::make_unique<Original>(bundle_);
      return;
    }
    const PaddedBuffer json(read_file(map_path));
    js::MapReader reader;
    if (const Status status = reader.parse(json, js::Strictness::kTolerant, map_); !status) {
      std::cerr << map_path << ": " << to_string(status.error()) << '\n';
    }
    read_contents(contents_path);
    names_ = js::name_functions({bundle_, js::find_functions(bundle_), map_, contents_});
  }

  void print(Position at) const {
    if (original_ != nullptr) {
      original_->print(at);
      return;
    }
    const auto behind = std::upper_bound(
        names_.tokens.begin(), names_.tokens.end(), at,
        [](Position place, const js::FunctionToken& token) { return place < token.generated; });
    if (behind == names_.tokens.begin() || (behind - 1)->generated.line != at.line) {
      std::cout << "?unmapped\n";
      return;
    }
    auto token = behind - 1;
    if (token->generated == at) {  // of several at this place the first counts
      while (token != names_.tokens.begin() && (token - 1)->generated == at) --token;
    }
    const char* const natures[] = {"?global", "?anonymous", "?named"};
    std::cout << natures[static_cast<int>(token->nature)] << ' '
              << (token->name == js::kNoIndex ? std::string_view() : names_.names[token->name])
              << '\n';
  }

 private:
  // The texts one after the other, each followed by a NUL.
  void read_contents(const std::string& path) {
    if (path.empty()) return;
    contents_text_ = read_file(path);
    for (std::size_t at = 0; at < contents_text_.size();) {
      const std::size_t end = contents_text_.find('\0', at);
      contents_.push_back(std::string_view(contents_text_).substr(at, end - at));
      at = end + 1;
    }
  }

  std::string bundle_;
  std::unique_ptr<Original> original_;  // in place of a bundle and its map
  js::SourceMap map_;
  std::string contents_text_;
  std::vector<std::string_view> contents_;
  js::FunctionNames names_;
};

}  // namespace

int main() {
  std::unique_ptr<Pair> pair;
  std::string line;
  while (std::getline(std::cin, line)) {
    if (line.substr(0, 2) == "= ") {
      std::istringstream fields(line.substr(2));
      std::string paths[3];
      for (std::string& path : paths) std::getline(fields, path, '\t');
      pair = std::make_unique<Pair>(paths[0], paths[1], paths[2]);
    } else if (pair != nullptr) {
      std::istringstream numbers(line);
      std::uint32_t row = 0;
      std::uint32_t column = 0;
      numbers >> row >> column;
      pair->print({Line(row), Utf16Column(column)});
    }
  }
  return 0;
}
