// The folder of real artifacts that tests may use but the project does not hold.
//
// Where it is: the environment variable TWOFOLD_CORPUS, else the CMake variable of that name, else
// ../shared/corpus beside the checkout. A test that needs it asks `find_corpus()` and, without an
// answer, prints why and passes; it must not fail on a fresh clone.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace twofold::test {

// No value: there is no corpus here; says so on standard output, naming the test.
[[nodiscard]] std::optional<std::filesystem::path> find_corpus(const char* test_name);

// The bytes of a file; a `.gz` file is unpacked. Fails the process when it cannot be read: a corpus
// that is there but broken must not look like a pass.
[[nodiscard]] std::string read_file(const std::filesystem::path& path);

// Every source map below `folder`, sorted by path. `.map`, `.map.gz`.
[[nodiscard]] std::vector<std::filesystem::path> list_maps(const std::filesystem::path& folder);

}  // namespace twofold::test
