#include "native/http/multipart.h"

#include <catch2/catch.hpp>

using namespace twofold;
using namespace twofold::http;

namespace {

const std::string kBody =
    "--b\r\n"
    "Content-Disposition: form-data; name=\"map\"; filename=\"dist/app.js.map\"\r\n"
    "Content-Type: application/json\r\n\r\n"
    "{}\r\n--x\r\n"
    "\r\n--b\r\n"
    "content-disposition: form-data; name=field\r\n\r\n"
    "\r\n--b\r\n"
    "Content-Disposition: form-data; name=\"q\"; filename=\"a%22b\\\\c;.js\"\r\n"
    "Content-Encoding: GZIP\r\n\r\n"
    "\r\n\r\n"
    "\r\n--b--\r\nepilogue";

}  // namespace

TEST_CASE("Multipart.PartsComeWithTheirNamesAndBytes") {
  for (const std::string& body : {kBody, "a preamble\r\n" + kBody}) {
    const auto parts = parse_multipart(body, "b");
    REQUIRE(parts);
    REQUIRE(parts.value().size() == 3);
    CHECK(parts.value()[0].name == "map");
    CHECK(parts.value()[0].filename == "dist/app.js.map");
    CHECK(parts.value()[0].content == "{}\r\n--x\r\n");
    CHECK(parts.value()[1].name == "field");
    CHECK(parts.value()[1].filename.empty());
    CHECK(parts.value()[1].content.empty());
    CHECK(parts.value()[2].filename == "a\"b\\c;.js");
    CHECK(parts.value()[2].content_encoding == "gzip");
    CHECK(parts.value()[2].content == "\r\n\r\n");
  }
}

TEST_CASE("Multipart.NoPartAndAnEmptyPart") {
  CHECK(parse_multipart("--b--", "b").value().empty());
  const auto one = parse_multipart("--b \t\r\n\r\n--b--", "b");
  REQUIRE(one);
  REQUIRE(one.value().size() == 1);
  CHECK(one.value()[0].content.empty());
}

TEST_CASE("Multipart.CutAnywhereIsAnErrorNotAPart") {
  const std::size_t last = kBody.rfind("--\r\nepilogue");
  for (std::size_t size = 0; size < last + 2; ++size) {
    CAPTURE(size);
    CHECK_FALSE(parse_multipart(std::string_view(kBody).substr(0, size), "b"));
  }
}

TEST_CASE("Multipart.HostileBodiesAreRefused") {
  CHECK_FALSE(parse_multipart(kBody, ""));
  CHECK_FALSE(parse_multipart(kBody, std::string(71, 'b')));
  CHECK_FALSE(parse_multipart(kBody, "b\r\n"));
  CHECK_FALSE(parse_multipart(kBody, "c"));
  std::string many;
  for (std::size_t i = 0; i <= kMostParts; ++i) many += "--b\r\n\r\n\r\n";
  const auto refused = parse_multipart(many + "--b--", "b");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kTooLarge);
  std::string head = "--b\r\n";
  for (int i = 0; i < 2000; ++i) head += "X: y\r\n";
  CHECK_FALSE(parse_multipart(head + "\r\nx\r\n--b--", "b"));
}
