// 25 bundles from npm, 250 positions each, answered by another engine (corpus/A-js/npm/lookups).
//
// Their positions are 1-based, line and column, and what they expect is too. The oracle normalises
// source paths; we keep what the map says, so both are compared without `.` and `x/..` segments.
#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "core/js/compile_js.h"
#include "core/tw/lookup.h"
#include "tests/support/corpus.h"
#include "tests/support/json.h"

using namespace twofold;
using namespace twofold::test;

namespace {

// Answers of the oracle that we hold to be wrong, each with the reason. None so far.
struct Contested {
  const char* package;
  std::uint32_t line;
  std::uint32_t column;
  const char* reason;
};
constexpr std::array<Contested, 0> kContested{};

bool is_contested(std::string_view package, std::uint32_t line, std::uint32_t column) {
  for (const Contested& c : kContested) {
    if (package == c.package && line == c.line && column == c.column) return true;
  }
  return false;
}

// `./a/../b` to `b`; leading `..` and everything up to `://` stay.
std::string normalise(std::string_view path) {
  std::string out;
  const std::size_t scheme = path.find("://");
  if (scheme != std::string_view::npos) {
    out = path.substr(0, scheme + 3);
    path.remove_prefix(scheme + 3);
  }
  std::vector<std::string_view> parts;
  const bool is_absolute = !path.empty() && path[0] == '/';
  while (!path.empty()) {
    const std::size_t end = path.find('/');
    const std::string_view part = path.substr(0, end);
    path.remove_prefix(end == std::string_view::npos ? path.size() : end + 1);
    if (part.empty() || part == ".") continue;
    if (part == ".." && !parts.empty() && parts.back() != "..") {
      parts.pop_back();
    } else {
      parts.push_back(part);
    }
  }
  if (is_absolute) out += '/';
  for (std::size_t i = 0; i < parts.size(); ++i) out += (i > 0 ? "/" : "") + std::string(parts[i]);
  return out;
}

std::string expected_text(const Json& lookup) {
  if (is_null(lookup, "source")) return "-";
  return normalise(text_of(lookup, "source")) + ":" + std::to_string(number_of(lookup, "line")) +
         ":" + std::to_string(number_of(lookup, "column"));
}

std::string our_text(const tw::FlatView& view, std::uint32_t line, std::uint32_t column) {
  const auto zero_based_line = to_line(OneBasedLine(line));
  const auto zero_based_column = to_column(OneBasedColumn(column));
  const auto found = tw::find_location(view, {zero_based_line.value(), zero_based_column.value()});
  if (!found) return "-";
  return normalise(found->file.value_or("")) + ":" + std::to_string(found->line.value()) + ":" +
         std::to_string(found->column.value());
}

std::filesystem::path find_map(const std::filesystem::path& folder, const Json& pair) {
  const std::filesystem::path listed(text_of(pair, "map"));
  std::string package = text_of(pair, "pkg");
  for (char& c : package) c = c == '/' ? '+' : c;
  const auto plain = folder / package / listed.filename();
  return std::filesystem::exists(plain) ? plain : std::filesystem::path(plain.string() + ".gz");
}

}  // namespace

TEST_CASE("NpmLookups.EqualTheOracle") {
  const auto corpus = find_corpus("NpmLookups.EqualTheOracle");
  if (!corpus) return;
  const auto npm = *corpus / "A-js" / "npm";
  js::JsCompiler compiler;
  std::size_t pairs = 0;
  std::size_t positions = 0;
  for (const auto& entry : std::filesystem::directory_iterator(npm / "lookups")) {
    INFO(entry.path().string());
    simdjson::dom::parser parser;
    Json pair;
    const std::string text = read_file(entry.path());
    REQUIRE(parser.parse(text).get(pair) == simdjson::SUCCESS);
    const PaddedBuffer map{std::string_view(read_file(find_map(npm / "public", pair)))};
    const auto compiled = compiler.compile_js(map, {});
    REQUIRE(compiled.ok());
    const auto view = tw::FlatView::open(compiled.value().tw);
    REQUIRE(view.ok());
    ++pairs;
    for (const Json& lookup : list_of(pair, "lookups")) {
      std::uint64_t numbers[2] = {};
      REQUIRE(lookup["at"].at(0).get(numbers[0]) == simdjson::SUCCESS);
      REQUIRE(lookup["at"].at(1).get(numbers[1]) == simdjson::SUCCESS);
      const auto line = static_cast<std::uint32_t>(numbers[0]);
      const auto column = static_cast<std::uint32_t>(numbers[1]);
      if (is_contested(text_of(pair, "pkg"), line, column)) continue;
      CAPTURE(line, column);
      CHECK(our_text(view.value(), line, column) == expected_text(lookup));
      ++positions;
    }
  }
  std::printf("npm lookups: %zu pairs, %zu positions, %zu contested\n", pairs, positions,
              kContested.size());
  CHECK(pairs == 25);
  CHECK(positions + kContested.size() == std::size_t{25} * 250);
}
