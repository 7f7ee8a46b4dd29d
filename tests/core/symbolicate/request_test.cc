#include "core/symbolicate/request.h"

#include <catch2/catch.hpp>

using namespace twofold;

TEST_CASE("Request.IsAnObjectOrAString") {
  struct Row {
    std::string_view json;
    std::string_view trace;
    std::optional<std::uint32_t> context_lines;
  };
  const Row rows[] = {
      {R"("a\nb")", "a\nb", {}},
      {R"( {"trace":"a"} )", "a", {}},
      {R"({"context":2,"trace":"a"})", "a", 2},
      {R"({"trace":"a","context":null})", "a", {}},
      {R"({"id":[1,{"trace":"no"}],"trace":"é\u00e9\ud83d\ude00"})", "éé😀", {}},
      {R"({"trace":"\ud800x"})", "\xEF\xBF\xBDx", {}},
      {R"({"trace":"one","trace":"two"})", "two", {}},
      {R"({"trace":""})", "", {}},
  };
  RequestReader reader;
  for (const Row& row : rows) {
    CAPTURE(row.json);
    const PaddedBuffer json(row.json);
    const auto request = reader.parse(json);
    REQUIRE(request);
    CHECK(request.value().trace == row.trace);
    CHECK(request.value().context_lines == row.context_lines);
  }
}

TEST_CASE("Request.WhatIsNoneSaysWhere") {
  struct Row {
    std::string_view json;
    std::uint64_t offset;
  };
  const Row rows[] = {
      {"", 0},
      {"  ", 0},
      {"nonsense", 0},
      {"[\"a\"]", 0},
      {"12", 0},
      {R"({"trace":5})", 9},
      {R"({"trace":null})", 9},
      {R"( {"other":"a"})", 1},
      {R"({"trace":"a","context":"2"})", 23},
      {R"({"trace":"a","context":-1})", 23},
      {R"({"trace":"a","context":4294967296})", 23},
      {R"({"trace":"a"} x)", 14},
      {R"("a" "b")", 4},
      {R"({"trace":"a)", 11},
      {"{\"trace\":\"a\xff\"}", 11},
  };
  RequestReader reader;
  for (const Row& row : rows) {
    CAPTURE(row.json);
    const PaddedBuffer json(row.json);
    const auto request = reader.parse(json);
    REQUIRE_FALSE(request);
    CHECK(request.error().code == Code::kBadJson);
    CHECK(request.error().offset == row.offset);
  }
}

TEST_CASE("Request.CutAnywhereIsAnErrorInside") {
  const std::string_view whole =
      R"x({"id":[1,true],"trace":"Error\n    at a (b.js:1:2)","context":3})x";
  RequestReader reader;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    const PaddedBuffer json(whole.substr(0, size));
    const auto request = reader.parse(json);
    REQUIRE_FALSE(request);
    CHECK(request.error().offset <= size);
  }
}

TEST_CASE("Request.AReaderIsUsedAgainAfterAnError") {
  RequestReader reader;
  const PaddedBuffer bad(std::string_view("{"));
  const PaddedBuffer large("\"" + std::string(100'000, 'a') + "\"");
  const PaddedBuffer good(std::string_view("\"b\""));
  CHECK_FALSE(reader.parse(bad));
  CHECK(reader.parse(large).value().trace.size() == 100'000);
  CHECK_FALSE(reader.parse(bad));
  CHECK(reader.parse(good).value().trace == "b");
}

TEST_CASE("Request.AnErrorHasOneSpelling") {
  CHECK(to_json(Error{Code::kBadJson, 3, "no \"x\""}) ==
        R"({"error":{"code":"bad_json","offset":3,"detail":"no \"x\""}})");
  CHECK(to_json(Error{Code::kIo, kNoOffset, "gone"}) ==
        R"({"error":{"code":"io","detail":"gone"}})");
}
