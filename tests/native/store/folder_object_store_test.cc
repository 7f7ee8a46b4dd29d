#include "native/store/folder_object_store.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <thread>
#include <vector>

#include "native/os/file.h"
#include "tests/support/temporary_folder.h"

using namespace twofold;

namespace {

const auto kNever = storage::Clock::time_point::max();

}  // namespace

TEST_CASE("FolderObjectStore.GivesBackWhatItWasGiven") {
  const test::TemporaryFolder folder;
  storage::FolderObjectStore store(folder.path());
  CHECK(store.read("a/b", 100, kNever).error().code == Code::kNotFound);
  REQUIRE(store.write("a/b", as_byte_view("one"), kNever));
  CHECK(store.read("a/b", 100, kNever).value().text() == "one");
  CHECK(store.read("a/b", 2, kNever).error().code == Code::kTooLarge);
  CHECK(store.write_new("a/b", as_byte_view("two"), kNever).value() ==
        storage::ObjectStore::Written::kWasThere);
  CHECK(store.read("a/b", 100, kNever).value().text() == "one");
  REQUIRE(store.write("a/b", as_byte_view("three"), kNever));
  CHECK(store.read("a/b", 100, kNever).value().text() == "three");
}

// Keys that would leave the folder, hide in it, or name a folder.
TEST_CASE("FolderObjectStore.NoKeyLeadsOutOfTheFolder") {
  for (const std::string_view key :
       {std::string_view("../x"), std::string_view("a/../../x"), std::string_view("/etc/x"),
        std::string_view("."), std::string_view(".."), std::string_view(""),
        std::string_view("a//b"), std::string_view("a/"), std::string_view("a\0b", 3),
        std::string_view("a\nb"), std::string_view("%2e%2e/x"), std::string_view("\xff")}) {
    CAPTURE(std::string(key));
    const test::TemporaryFolder folder;
    storage::FolderObjectStore store(folder / "inner");
    REQUIRE(store.write(key, as_byte_view("x"), kNever));
    CHECK(store.read(key, 100, kNever).value().text() == "x");
    CHECK(os::list_files(folder.path()).value().size() == 1);
    CHECK(os::list_files(folder / "inner").value().size() == 1);
  }
}

TEST_CASE("FolderObjectStore.OfTwelveRacingWritersOneStores") {
  const test::TemporaryFolder folder;
  storage::FolderObjectStore store(folder.path());
  for (int round = 0; round < 20; ++round) {
    const std::string key = "race/" + std::to_string(round);
    std::atomic<int> stored{0};
    std::atomic<int> winner{-1};
    std::vector<std::thread> threads;
    for (int i = 0; i < 12; ++i) {
      threads.emplace_back([&, i] {
        const std::string own = std::to_string(i);
        const auto written = store.write_new(key, as_byte_view(own), kNever);
        if (!written || written.value() != storage::ObjectStore::Written::kStored) return;
        ++stored;
        winner = i;
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(stored == 1);
    CHECK(store.read(key, 100, kNever).value().text() == std::to_string(winner));
  }
  CHECK(os::list_files(folder.path()).value().size() == 20);
}
