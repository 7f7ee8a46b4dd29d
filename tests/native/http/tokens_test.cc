#include "native/http/tokens.h"

#include <catch2/catch.hpp>

using namespace twofold;
using namespace twofold::http;

namespace {

constexpr std::string_view kFile =
    "projects:\n"
    "  shop:\n"
    "    read: [shop-read-0123456789, both-0123456789abc]\n"
    "    upload: [shop-upload-0123456789, both-0123456789abc]\n"
    "  blog:\n"
    // printf %s hashed-0123456789 | sha256sum
    "    read: [\"sha256:HASH\"]\n";

std::string hex(const Tokens::Hash& hash) {
  std::string text;
  for (const std::uint8_t byte : hash) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

}  // namespace

TEST_CASE("Tokens.HashIsSha256") {
  CHECK(hex(hash_token("abc")) ==
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(hex(hash_token("")) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST_CASE("Tokens.GrantWhatTheFileSaysAndNothingElse") {
  std::string file(kFile);
  file.replace(file.find("HASH"), 4, hex(hash_token("hashed-0123456789")));
  const auto tokens = Tokens::parse(file);
  REQUIRE(tokens);
  struct Row {
    std::string_view authorization;
    std::string_view project;  // "" for no token of ours
    bool can_read;
    bool can_upload;
  };
  const Row rows[] = {
      {"Bearer shop-read-0123456789", "shop", true, false},
      {"bearer shop-upload-0123456789", "shop", false, true},
      {"BEARER both-0123456789abc", "shop", true, true},
      {"Bearer hashed-0123456789", "blog", true, false},
      {"Bearer shop-read-012345678", "", false, false},
      {"Bearer shop-read-01234567890", "", false, false},
      {"Bearer  shop-read-0123456789", "", false, false},
      {"Bearer ", "", false, false},
      {"Bearer", "", false, false},
      {"", "", false, false},
      {"Basic shop-read-0123456789", "", false, false},
      {"shop-read-0123456789", "", false, false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.authorization);
    const auto grant = tokens.value().find(row.authorization);
    CHECK(grant.has_value() == !row.project.empty());
    if (!grant) continue;
    CHECK(grant->project == row.project);
    CHECK(grant->can_read == row.can_read);
    CHECK(grant->can_upload == row.can_upload);
  }
  // The hash is no token.
  CHECK_FALSE(tokens.value().find("Bearer sha256:" + hex(hash_token("hashed-0123456789"))));
}

TEST_CASE("Tokens.NoneMeansAnybodyOnlyWithoutAFile") {
  CHECK(Tokens().is_anonymous());
  CHECK(Tokens().find("")->project == "default");
  for (const char* const file :
       {"", "projects:\n", "projects: {}\n", "projects: {shop: {read: []}}\n", "tokens: {}\n",
        "projects: {shop: {}}\n", "- a\n", "projects: [a]\n", "projects: {shop: [a]}\n",
        "projects: {shop: {admin: [0123456789abcdef]}}\n",
        "projects: {\"../x\": {read: [0123456789abcdef]}}\n",
        "projects: {shop: {read: 0123456789abcdef}}\n", "projects: {shop: {read: [short]}}\n",
        "projects: {shop: {read: [[0123456789abcdef]]}}\n",
        "projects: {shop: {read: [\"sha256:12\"]}}\n",
        "projects: {a: {read: [0123456789abcdef]}, b: {read: [0123456789abcdef]}}\n",
        "projects: {a: {read: [0123456789abcdef]}}\nmore: 1\n"}) {
    CAPTURE(file);
    const auto tokens = Tokens::parse(file);
    REQUIRE_FALSE(tokens);
    CHECK(tokens.error().detail.starts_with("line "));
    // An error about tokens holds none.
    CHECK(tokens.error().detail.find("0123456789abcdef") == std::string::npos);
  }
}

TEST_CASE("Tokens.NamesOfProjectsAreNamesOfFolders") {
  for (const char* const good : {"a", "A-b_9", "default"}) CHECK(is_project_name(good));
  for (const char* const bad : {"", ".", "..", "a/b", "a b", "ä"})
    CHECK_FALSE(is_project_name(bad));
  CHECK(is_project_name(std::string(64, 'a')));
  CHECK_FALSE(is_project_name(std::string(65, 'a')));
}
