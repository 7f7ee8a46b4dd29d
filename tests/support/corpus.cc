#include "tests/support/corpus.h"

#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace twofold::test {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void die(const fs::path& path) {
  std::fprintf(stderr, "cannot read %s\n", path.c_str());
  std::abort();
}

bool is_map(const std::string& name) {
  const auto ends = [&](const std::string& tail) {
    return name.size() >= tail.size() &&
           name.compare(name.size() - tail.size(), tail.size(), tail) == 0;
  };
  return ends(".map") || ends(".map.gz");
}

}  // namespace

std::optional<fs::path> find_corpus(const char* test_name) {
  const char* from_environment = std::getenv("TWOFOLD_CORPUS");
  const fs::path folder = from_environment != nullptr ? from_environment : TWOFOLD_CORPUS_DIR;
  std::error_code ignored;
  if (fs::is_directory(folder, ignored)) return folder;
  std::printf("SKIPPED %s: no corpus at %s (set TWOFOLD_CORPUS)\n", test_name, folder.c_str());
  return std::nullopt;
}

// gzread passes plain files through unchanged.
std::string read_file(const fs::path& path) {
  gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) die(path);
  std::string text;
  char block[1 << 16];
  int got = 0;
  while ((got = gzread(file, block, sizeof block)) > 0)
    text.append(block, static_cast<std::size_t>(got));
  gzclose(file);
  if (got < 0) die(path);
  return text;
}

std::vector<fs::path> list_maps(const fs::path& folder) {
  std::vector<fs::path> maps;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && is_map(entry.path().filename().string())) {
      maps.push_back(entry.path());
    }
  }
  std::sort(maps.begin(), maps.end());
  return maps;
}

}  // namespace twofold::test
