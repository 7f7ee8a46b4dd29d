// Prints the function name at places of bundles, for comparison with expected answers. Standard
// input, a line each:
//   = bundle <tab> map <tab> contents     opens a pair; contents: a file with the sources' texts,
//   or empty line column                           asks, 0-based
// Answers are lines: `name`, `?anonymous` or `?global`.
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>

#include "core/base/padded.h"
#include "core/js/map_reader.h"
#include "core/js/names.h"

namespace {

using namespace twofold;

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// One bundle with its map, ready to be asked.
class Pair {
 public:
  Pair(const std::string& bundle_path, const std::string& map_path,
       const std::string& contents_path)
      : bundle_(read_file(bundle_path)), positions_(bundle_), scopes_(js::find_functions(bundle_)) {
    const PaddedBuffer json(read_file(map_path));
    js::MapReader reader;
    if (const Status status = reader.parse(json, js::Strictness::kTolerant, map_); !status) {
      std::cerr << map_path << ": " << to_string(status.error()) << '\n';
    }
    read_contents(contents_path);
    js::MapNames map_names(map_, contents_);
    names_ = js::infer_names({bundle_, scopes_, positions_, map_names});
  }

  void print(Position at) const {
    const std::uint32_t scope = scopes_.find_innermost(positions_.offset(at));
    if (scope == js::kNoEntry) {
      std::cout << "?global\n";
    } else {
      std::cout << (names_[scope].empty() ? "?anonymous" : names_[scope]) << '\n';
    }
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
  js::TextPositions positions_;
  js::FunctionScopes scopes_;
  js::SourceMap map_;
  std::string contents_text_;
  std::vector<std::string_view> contents_;
  js::ScopeNames names_;
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
