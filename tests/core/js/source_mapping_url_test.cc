#include "core/js/source_mapping_url.h"

#include <catch2/catch.hpp>
#include <string>

#include "core/js/scopes.h"

using namespace twofold::js;

namespace {

using Text = std::optional<std::string_view>;

struct Row {
  std::string bundle;
  Text url;
  Text id;
};

const Row kRows[] = {
    {"", {}, {}},
    {"a();", {}, {}},
    {"a();\n//# sourceMappingURL=a.js.map", "a.js.map", {}},
    {"a();\n//# sourceMappingURL=a.js.map\n\n", "a.js.map", {}},
    {"a();\r\n//@ sourceMappingURL=a.js.map\r\n", "a.js.map", {}},
    {"a();//# sourceMappingURL=a.js.map", "a.js.map", {}},
    {"a();\n/*# sourceMappingURL=a.js.map */", "a.js.map", {}},
    {"a();\n/*#\n sourceMappingURL=a.js.map*/", "a.js.map", {}},
    {"a();\n//#sourceMappingURL = a.js.map x", "a.js.map", {}},
    {"\t//# sourceMappingURL=data:application/json;base64,e30=",
     "data:application/json;base64,e30=",
     {}},
    // The last one counts, wherever it is; code may follow it.
    {"//# sourceMappingURL=1\na()\n//# sourceMappingURL=2\n", "2", {}},
    {"//# sourceMappingURL=1\na();b='c'", "1", {}},
    {"//# sourceMappingURL=1\na=`b`", "1", {}},
    {"//# sourceMappingURL=1\n/*a*/", "1", {}},
    // No comments, though they look like some.
    {"a='//# sourceMappingURL=1'", {}, {}},
    {"a=`\n//# sourceMappingURL=1\n`", {}, {}},
    {"a=`${b}\n//# sourceMappingURL=1\n`", {}, {}},
    {"/*\n//# sourceMappingURL=1\n*/", {}, {}},
    {"a='\\\n//# sourceMappingURL=1'", {}, {}},
    {"a=/[//# sourceMappingURL=1]/", {}, {}},
    {"// sourceMappingURL=1", {}, {}},
    {"/// # sourceMappingURL=1", {}, {}},
    {"//# sourceMappingURL=", {}, {}},
    {"//# sourceMappingURL=\nx", {}, {}},
    {"//#\nsourceMappingURL=1", {}, {}},
    {"/*# sourceMappingURL=*/", {}, {}},
    {"//# sourceMappingURLs=1", {}, {}},
    {"//# sourceMappingURL=0\na='//# sourceMappingURL=1'", "0", {}},
    {"//# sourceMappingURL=0\na=`\n//# sourceMappingURL=1\n`", "0", {}},
    {"a=`${`//# sourceMappingURL=1`}\n`\n//# sourceMappingURL=2", "2", {}},
    // Identity.
    {"//# debugId=85314830-0\n//# sourceMappingURL=a.map", "a.map", "85314830-0"},
    {"//# sourceMappingURL=a.map\n//# debug_id=1", "a.map", "1"},
    {"//# debugId=1\n//# debugId=2", {}, "2"},
    {"//# chunkId=1", {}, "1"},
    {"//# debugId=1\n//# chunkId=2", {}, "1"},
    {"//# chunkId=2\n//# debugId=1", {}, "1"},
    {"//# chunkId=2\nx\n//# chunkId=3\n", {}, "3"},
    {"a='//# debugId=0'\n//# sourceMappingURL=a.map", "a.map", {}},
    {"//# debugId=1\n<!-- x", {}, "1"},
};

}  // namespace

TEST_CASE("FindBundleComments.FindsTheLastRealComment") {
  for (const Row& row : kRows) {
    INFO(row.bundle);
    const BundleComments found = find_bundle_comments(row.bundle);
    CHECK(found.source_mapping_url == row.url);
    CHECK(found.debug_id == row.id);
  }
}

TEST_CASE("FindBundleComments.AgreesWithAFullScan") {
  const std::string padding(40000, ' ');
  for (const Row& row : kRows) {
    for (const std::string& bundle : {row.bundle, row.bundle + "\n" + padding, padding + row.bundle,
                                      "x\n" + row.bundle + "\n//\n"}) {
      INFO(row.bundle);
      CHECK(find_bundle_comments(bundle) == find_functions(bundle).comments);
    }
  }
}

TEST_CASE("FindBundleComments.ReadsAHostileBundleOnce") {
  std::string marks;
  for (int i = 0; i < 300000; ++i) marks += "//#debugId=";
  CHECK(find_bundle_comments(marks).debug_id->size() == marks.size() - 11);
  std::string blocks;
  for (int i = 0; i < 300000; ++i) blocks += "/*#      ";
  CHECK(find_bundle_comments(blocks) == BundleComments{});
}
