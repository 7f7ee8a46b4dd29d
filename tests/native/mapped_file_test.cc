#include "native/os/mapped_file.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "native/os/file.h"

using namespace twofold;

namespace {

// Removed with all that is in it.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "twofold-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  [[nodiscard]] std::string operator/(const char* name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

std::vector<std::uint8_t> numbered_bytes(std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(i * 7 + i / 256);
  return bytes;
}

std::vector<std::uint8_t> copy(ByteView bytes) {
  return {bytes.begin(), bytes.end()};
}

}  // namespace

TEST_CASE("MappedFile.HasTheBytesOfTheFile") {
  const Folder folder;
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{4096},
                                 os::kSmallFileBytes, os::kSmallFileBytes + 1}) {
    for (const os::ReadAhead read_ahead :
         {os::ReadAhead::kBySize, os::ReadAhead::kWhole, os::ReadAhead::kNone}) {
      CAPTURE(size);
      const auto bytes = numbered_bytes(size);
      REQUIRE(os::write_file_atomic(folder / "a.tw", bytes));
      const auto mapped = os::MappedFile::open(folder / "a.tw", read_ahead);
      REQUIRE(mapped);
      CHECK(copy(mapped.value().bytes()) == bytes);
    }
  }
}

// What a reader has mapped stays as it is when a new build takes the file's name.
TEST_CASE("MappedFile.KeepsItsBytesWhenTheFileIsReplaced") {
  const Folder folder;
  const auto bytes = numbered_bytes(10'000);
  REQUIRE(os::write_file_atomic(folder / "a.tw", bytes));
  const auto mapped = os::MappedFile::open(folder / "a.tw");
  REQUIRE(mapped);
  REQUIRE(os::write_file_atomic(folder / "a.tw", numbered_bytes(3)));
  CHECK(copy(mapped.value().bytes()) == bytes);
}

TEST_CASE("MappedFile.MovesWithoutMovingItsBytes") {
  const Folder folder;
  REQUIRE(os::write_file_atomic(folder / "a.tw", numbered_bytes(5000)));
  REQUIRE(os::write_file_atomic(folder / "b.tw", numbered_bytes(6000)));
  auto first = os::MappedFile::open(folder / "a.tw");
  const std::uint8_t* const begin = first.value().bytes().data();
  os::MappedFile moved(std::move(first).value());
  CHECK(moved.bytes().data() == begin);
  auto second = os::MappedFile::open(folder / "b.tw");
  moved = std::move(second).value();
  CHECK(copy(moved.bytes()) == numbered_bytes(6000));
}

TEST_CASE("MappedFile.SaysWhyItCannot") {
  const Folder folder;
  const auto missing = os::MappedFile::open(folder / "none.tw");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == Code::kNotFound);
  CHECK(missing.error().input == folder / "none.tw");
  const auto is_folder = os::MappedFile::open(folder / ".");
  REQUIRE_FALSE(is_folder);
  CHECK(is_folder.error().code == Code::kIo);
}
