// The name of a function from the frame that called it, where a map comes without its script.
#include <catch2/catch.hpp>
#include <string>

#include "core/symbolicate/script_artifacts.h"
#include "core/symbolicate/symbolicate.h"

using namespace twofold;

namespace {

// Names at line 1 column 21 (`load`) and line 1 column 31 (`call`); 1:14 and 1:41 have none.
constexpr const char* kMap = R"({"version":3,"sources":["src/load.js"],"names":["load","call"],)"
                             R"("mappings":"AAAA,aACE,OAEFA,UACAC,UACA"})";

std::vector<std::string> functions_of(std::string_view trace, std::string_view script = {}) {
  MemoryFiles files;
  files.add("app.js.map", PaddedBuffer(std::string_view(kMap)));
  if (!script.empty()) files.add("app.js", PaddedBuffer(script));
  ScriptArtifacts artifacts(files);
  std::vector<std::string> functions;
  for (const AnswerFrame& frame : symbolicate(trace, artifacts).frames) {
    functions.push_back(frame.out.empty() ? std::string("unresolved")
                                          : frame.out[0].function.value_or("-") + " " +
                                                std::string(to_string(frame.out[0].scope)));
  }
  return functions;
}

using Strings = std::vector<std::string>;

}  // namespace

TEST_CASE("NameByCallers.TakesTheNameAtTheCall") {
  const std::string unknown(to_string(FunctionScope::kUnknown));
  struct Row {
    const char* why;
    const char* trace;
    Strings functions;
  };
  const Row rows[] = {
      {"the frame below stands at `load`",
       "Error\n    at t (app.js:1:14)\n    at app.js:1:21\n",
       {"load named", "- " + unknown}},
      {"what the call itself is named is not the function's name",
       "Error\n    at t (app.js:1:14)\n    at u (app.js:1:31)\n",
       {"t " + unknown, "u " + unknown}},
      {"no name there",
       "Error\n    at t (app.js:1:14)\n    at u (app.js:1:41)\n",
       {"t " + unknown, "u " + unknown}},
      {"not exactly there",
       "Error\n    at t (app.js:1:14)\n    at u (app.js:1:22)\n",
       {"t " + unknown, "u " + unknown}},
      {"`await` is no call",
       "Error\n    at t (app.js:1:14)\n    at async u (app.js:1:21)\n",
       {"t " + unknown, "u " + unknown}},
      {"a frame in between is missing",
       "Error\n    at t (app.js:1:14)\n    ... 3 lines matching cause stack trace ...\n"
       "    at u (app.js:1:21)\n",
       {"t " + unknown, "u " + unknown}},
      {"a native frame in between",
       "Error\n    at t (app.js:1:14)\n    at Array.map (<anonymous>)\n    at u (app.js:1:21)\n",
       {"t " + unknown, "unresolved", "u " + unknown}},
      {"only V8 gives the place of what is called",
       "t@app.js:1:14\nu@app.js:1:21\n",
       {"t " + unknown, "u " + unknown}},
      {"the caller is of something else",
       "Error\n    at t (app.js:1:14)\n    at u (other.js:1:21)\n",
       {"t " + unknown, "unresolved"}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.why);
    CHECK(functions_of(row.trace) == row.functions);
  }
}

// With the script every place is in a known function, and that answer is better.
TEST_CASE("NameByCallers.IsNotAskedWhereTheScriptTells") {
  const Strings functions = functions_of("Error\n    at t (app.js:1:14)\n    at app.js:1:21\n",
                                         "function t(){boom()};t();\n");
  CHECK(functions[0].find("named") != std::string::npos);
  CHECK(functions[0] != "load named");
}
