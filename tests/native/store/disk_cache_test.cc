// Files of the disk tier: there whole or not at all, whatever happens to them.
#include "native/store/disk_cache.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "core/tw/block_builder.h"
#include "core/tw/flat_builder.h"
#include "core/tw/verify.h"
#include "native/os/file.h"
#include "tests/support/fake_clock.h"
#include "tests/support/temporary_folder.h"

using namespace twofold;
using namespace std::chrono_literals;

namespace {

using Bytes = std::vector<std::uint8_t>;

// A .tw whose first token is on original line `line`.
Bytes build_tw(std::uint32_t line, std::uint32_t token_count = 100) {
  tw::FlatBuilder builder;
  const std::uint32_t file = builder.intern_file("a.js");
  for (std::uint32_t i = 0; i < token_count; ++i) {
    tw::Token token;
    token.generated = {Line(0), Utf16Column(i * 5)};
    token.original_line = line + i;
    token.original_column = 1;
    token.file = file;
    builder.add(token);
  }
  const Bytes flat = std::move(builder.finish()).value();
  tw::BlockBuilder blocks;
  return blocks.build(tw::FlatView::open(flat).value(), {}).value();
}

std::uint32_t first_line(const storage::MappedTw& tw) {
  const auto found = tw.view().find({Line(0), Utf16Column(0)});
  return found ? found->line.value() : 0;
}

std::unique_ptr<storage::DiskCache> open_cache(const std::string& folder,
                                               const storage::DiskLimits& limits,
                                               const os::Clock& clock) {
  auto cache = storage::DiskCache::open(folder, limits, clock);
  REQUIRE(cache);
  return std::move(cache).value();
}

void set_modified(const std::string& path, std::int64_t seconds) {
  const timespec stamps[2] = {{0, UTIME_OMIT}, {static_cast<time_t>(seconds), 0}};
  REQUIRE(::utimensat(AT_FDCWD, path.c_str(), stamps, 0) == 0);
}
std::int64_t modified(const std::string& path) {
  struct stat info {};
  REQUIRE(::stat(path.c_str(), &info) == 0);
  return info.st_mtim.tv_sec;
}
std::int64_t seconds_of(const test::FakeClock& clock) {
  return std::chrono::duration_cast<std::chrono::seconds>(clock.wall_now().time_since_epoch())
      .count();
}

}  // namespace

TEST_CASE("DiskCache.KeepsFilesOverRestarts") {
  const test::TemporaryFolder folder;
  const test::FakeClock clock;
  {
    const auto cache = open_cache(folder.path(), {}, clock);
    CHECK(cache->find("p", "k").error().code == Code::kNotFound);
    REQUIRE(cache->write("p", "k", build_tw(7)));
    CHECK(first_line(*cache->find("p", "k").value()) == 7);
    CHECK(cache->find("q", "k").error().code == Code::kNotFound);  // another project's
  }
  const auto cache = open_cache(folder.path(), {}, clock);
  CHECK(cache->size_bytes() == build_tw(7).size());
  CHECK(first_line(*cache->find("p", "k").value()) == 7);
  REQUIRE(cache->write("p", "k", build_tw(8)));
  CHECK(first_line(*cache->find("p", "k").value()) == 8);
}

TEST_CASE("DiskCache.NamesDoNotLeaveTheFolder") {
  const test::TemporaryFolder folder;
  const test::FakeClock clock;
  const auto cache = open_cache(folder / "inner", {}, clock);
  for (const char* name : {"..", ".", "", "a/b", "../x", "a.b", "/etc"}) {
    CAPTURE(name);
    CHECK(cache->write(name, "k", build_tw(1)).error().code == Code::kUsage);
    CHECK(cache->write("p", name, build_tw(1)).error().code == Code::kUsage);
    CHECK(cache->find(name, "k").error().code == Code::kUsage);
  }
}

// Cut at any length, any byte changed, or nothing of ours: missing, and gone.
TEST_CASE("DiskCache.RemovesWhatIsDamaged") {
  const test::TemporaryFolder folder;
  const test::FakeClock clock;
  const Bytes good = build_tw(7, 40);
  const std::string path = folder / "tw/p/k.tw";
  const auto check_gone = [&](const Bytes& bad) {
    const auto cache = open_cache(folder.path(), {}, clock);  // a process that has not seen it
    REQUIRE(os::write_file_atomic(path, bad));
    const auto found = cache->find("p", "k");
    REQUIRE_FALSE(found);
    CHECK(found.error().code == Code::kNotFound);
    CHECK(os::path_kind(path) == os::PathKind::kMissing);
    CHECK(cache->damaged_count() == 1);
  };
  REQUIRE(open_cache(folder.path(), {}, clock)->write("p", "k", good));
  for (std::size_t size = 0; size < good.size(); size += 7) {
    check_gone(Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)));
  }
  for (std::size_t at = 0; at < good.size(); ++at) {
    CAPTURE(at);
    Bytes bad = good;
    bad[at] ^= 1;
    check_gone(bad);
  }
  check_gone(Bytes(5000, 'x'));
}

TEST_CASE("DiskCache.EvictsWhatWasNotUsedForLongest") {
  const test::TemporaryFolder folder;
  test::FakeClock clock;
  const std::uint64_t size = build_tw(1).size();
  const auto cache = open_cache(folder.path(), {.most_bytes = size * 10 + 5}, clock);
  for (int i = 0; i < 10; ++i) {
    REQUIRE(cache->write("p", std::to_string(i), build_tw(1)));
    set_modified(folder / ("tw/p/" + std::to_string(i) + ".tw"), seconds_of(clock));
    clock.advance(11min);
  }
  REQUIRE(cache->find("p", "0"));  // used, so it is renewed
  const auto lease = cache->find("p", "1");
  clock.advance(1s);
  set_modified(folder / "tw/p/1.tw", seconds_of(clock) - 100'000);  // the oldest all the same
  REQUIRE(cache->write("p", "10", build_tw(1)));
  CHECK(cache->find("p", "0"));
  CHECK_FALSE(cache->find("p", "1"));
  CHECK_FALSE(cache->find("p", "2"));
  CHECK(cache->find("p", "9"));
  CHECK(cache->eviction_count() == 2);  // to nine tenths of the budget
  CHECK(cache->size_bytes() <= size * 10);
  CHECK(first_line(*lease.value()) == 1);  // mapped: unlinking does not reach it
}

TEST_CASE("DiskCache.RenewsAStampEveryTenMinutes") {
  const test::TemporaryFolder folder;
  test::FakeClock clock;
  const auto cache = open_cache(folder.path(), {}, clock);
  REQUIRE(cache->write("p", "k", build_tw(1)));
  const std::string path = folder / "tw/p/k.tw";
  const std::int64_t begin = seconds_of(clock);
  struct Case {
    std::int64_t stamp;
    bool is_renewed;
  };
  // Now, a little ago, long ago; and from before somebody put the clock back by an hour.
  for (const Case& one : {Case{begin, false}, Case{begin - 599, false}, Case{begin - 601, true},
                          Case{begin + 599, false}, Case{begin + 3600, true}}) {
    CAPTURE(one.stamp - begin);
    set_modified(path, one.stamp);
    REQUIRE(cache->find("p", "k"));
    CHECK(modified(path) == (one.is_renewed ? begin : one.stamp));
  }
}

TEST_CASE("DiskCache.RemovesWhatDeadWritersLeft") {
  const test::TemporaryFolder folder;
  const test::FakeClock clock;
  REQUIRE(open_cache(folder.path(), {}, clock)->write("p", "k", build_tw(1)));
  const std::string dead = folder / "tw/p/k.tw.tmp-abcdef";
  const std::string alive = folder / "tw/p/k.tw.tmp-ghijkl";
  for (const std::string& path : {dead, alive}) {
    std::FILE* const file = std::fopen(path.c_str(), "w");
    REQUIRE(file != nullptr);
    std::fclose(file);
  }
  set_modified(dead, seconds_of(clock) - 3601);
  set_modified(alive, seconds_of(clock) - 60);
  (void)open_cache(folder.path(), {}, clock);
  CHECK(os::path_kind(dead) == os::PathKind::kMissing);
  CHECK(os::path_kind(alive) == os::PathKind::kFile);
}

// Somebody cuts a file short while it is mapped: without the guard this kills the process.
TEST_CASE("DiskCache.SurvivesATruncationUnderALiveMapping") {
  const test::TemporaryFolder folder;
  const test::FakeClock clock;
  const auto cache = open_cache(folder.path(), {}, clock);
  REQUIRE(cache->write("p", "k", build_tw(7, 20'000)));
  const auto lease = cache->find("p", "k");
  CHECK_FALSE(lease.value()->is_torn());
  REQUIRE(::truncate((folder / "tw/p/k.tw").c_str(), 5000) == 0);
  std::size_t answered = 0;
  for (std::uint32_t column = 0; column < 100'000; column += 777) {
    if (lease.value()->view().find({Line(0), Utf16Column(column)})) ++answered;
  }
  CHECK(answered < 100'000 / 777);
  CHECK(lease.value()->is_torn());
  CHECK_FALSE(cache->find("p", "k"));  // and the next one to ask finds it damaged
}

// 200 times a process is killed while it writes, evicts and writes anew: what is left is whole.
TEST_CASE("DiskCache.AKilledWriterLeavesWholeFilesOrNone") {
  const test::TemporaryFolder folder;
  const test::FakeClock clock;
  const Bytes versions[] = {build_tw(1, 3000), build_tw(2, 5000)};
  const storage::DiskLimits limits{.most_bytes = versions[1].size() * 4};
  std::size_t found = 0;
  for (int round = 0; round < 200; ++round) {
    int written[2];  // a byte for each write that is done
    REQUIRE(::pipe(written) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
      auto cache = storage::DiskCache::open(folder.path(), limits, clock);
      for (int i = 0; cache; ++i) {
        (void)cache.value()->write("p", std::to_string(i % 7), versions[i % 2]);
        if (::write(written[1], "", 1) != 1) break;
      }
      ::_exit(1);
    }
    ::close(written[1]);
    // Somewhere in a later write, however fast the machine is.
    char byte = 0;
    for (int i = 0; i <= round % 9; ++i) REQUIRE(::read(written[0], &byte, 1) == 1);
    ::usleep(static_cast<useconds_t>(37 * (round % 50)));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::close(written[0]);
    const auto paths = os::list_files(folder / "tw");
    REQUIRE(paths);
    for (const std::string& path : paths.value()) {
      if (!path.ends_with(".tw")) continue;
      const auto content = os::read_file(path);
      if (!content) continue;
      const auto view = tw::View::open(content.value().bytes());
      REQUIRE(view);
      REQUIRE(tw::verify_checksums(view.value()));
      ++found;
    }
  }
  CHECK(found >= 200);
}

TEST_CASE("DiskCache.AFullDiskIsAnErrorAndLeavesNothing") {
  const test::TemporaryFolder folder;
  const test::FakeClock clock;
  if (::mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=64k") != 0) {
    std::puts("skipped: no permission to mount a small tmpfs");
    return;
  }
  {
    const auto cache = open_cache(folder.path(), {}, clock);
    REQUIRE(cache->write("p", "small", build_tw(1, 500)));
    const Status full = cache->write("p", "large", build_tw(1, 60'000));
    REQUIRE_FALSE(full);
    CHECK(full.error().code == Code::kIo);
    CHECK(cache->failed_write_count() == 1);
    CHECK(os::list_files(folder / "tw").value().size() == 1);
    CHECK(cache->find("p", "small"));
  }
  ::umount(folder.path().c_str());
}

TEST_CASE("DiskCache.APlaceThatCannotBeAFolderIsAnError") {
  const test::TemporaryFolder folder;
  const test::FakeClock clock;
  const std::string file = folder / "file";
  REQUIRE(os::write_file_atomic(file, as_byte_view("x")));
  const auto cache = storage::DiskCache::open(file, {}, clock);
  REQUIRE_FALSE(cache);
  CHECK(cache.error().code == Code::kIo);
  // A project whose folder somebody made a file.
  const auto other = open_cache(folder / "cache", {}, clock);
  REQUIRE(os::write_file_atomic(folder / "cache/tw/p", as_byte_view("x")));
  CHECK_FALSE(other->write("p", "k", build_tw(1)));
  CHECK_FALSE(other->find("p", "k"));
}
