#include "core/symbolicate/paths.h"

#include <catch2/catch.hpp>

#include "core/base/debug_id.h"

using namespace twofold;

TEST_CASE("CountCommonTail.CountsComponentsFromTheEnd") {
  struct Row {
    const char* a;
    const char* b;
    std::size_t common;
  };
  const Row rows[] = {
      {"/srv/assets/app.js", "https://x.example/assets/app.js", 2},
      {"app.js", "https://x.example/assets/app.js", 1},
      {"C:\\srv\\assets\\app.js", "dist/assets/app.js", 2},
      {"./assets/./app.js", "assets//app.js", 2},
      {"myapp.js", "app.js", 0},
      {"app.js", "", 0},
      {"", "", 0},
      {"/", "/", 0},
  };
  for (const Row& row : rows) {
    CAPTURE(row.a, row.b);
    CHECK(count_common_tail(row.a, row.b) == row.common);
    CHECK(count_common_tail(row.b, row.a) == row.common);
  }
}

TEST_CASE("ResolveBeside.ResolvesLikeAUrlBesideTheScript") {
  struct Row {
    const char* base;
    const char* url;
    const char* resolved;
  };
  const Row rows[] = {
      {"dist/js/a.js", "a.js.map", "dist/js/a.js.map"},
      {"dist/js/a.js", "./a.js.map", "dist/js/a.js.map"},
      {"dist/js/a.js", "../maps/a.map", "dist/maps/a.map"},
      {"dist/js/a.js", "../../a.map", "a.map"},
      {"a.js", "../a.map", "../a.map"},
      {"../a.js", "../a.map", "../../a.map"},
      {"dist/a.js", "/maps/a.map", "/maps/a.map"},
      {"dist/a.js", "https://cdn.example/a.map", "https://cdn.example/a.map"},
      {"a.js", "", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.base, row.url);
    CHECK(resolve_beside(row.base, row.url) == row.resolved);
  }
}

TEST_CASE("SamePath.IgnoresSlashKindAndDotsOnly") {
  CHECK(same_path("a/./b.js", "a\\b.js"));
  CHECK(same_path("/a/b.js", "//a/b.js"));
  CHECK_FALSE(same_path("/a/b.js", "a/b.js"));
  CHECK_FALSE(same_path("b.js", "a/b.js"));
  CHECK_FALSE(same_path("", "b.js"));
}

TEST_CASE("SameDebugId.IgnoresCaseAndDashes") {
  CHECK(same_debug_id("85314830-023f-4cf1-a267-535f4e37bb17", "85314830023F4CF1A267535F4E37BB17"));
  CHECK_FALSE(same_debug_id("85314830", "85314831"));
  CHECK_FALSE(same_debug_id("8531", "853148"));
  CHECK_FALSE(same_debug_id("", "8"));
  CHECK(same_debug_id("", "--"));
}
