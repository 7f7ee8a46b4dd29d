// How the scanner's time grows on text made to hurt it: every pattern at 5 MB and at 50 MB. Linear
// means that the last column stays near 10.
#include <chrono>
#include <cstdio>
#include <string>

#include "core/js/names.h"
#include "core/js/scope_scanner.h"

namespace {

using namespace twofold::js;

constexpr const char* kPatterns[] = {"(",
                                     "[",
                                     "{",
                                     "({a:",
                                     "x=>",
                                     "(a=",
                                     "`${",
                                     "/[",
                                     "'",
                                     "/*",
                                     "a?",
                                     "function f(){",
                                     "class{[",
                                     "class{a=",
                                     "(a=function(){},",
                                     "/a",
                                     "(a=()=>1,",
                                     "a=b=",
                                     "((function(){},",
                                     "f(()=>1,",
                                     "async(",
                                     "}",
                                     ")]",
                                     "get ",
                                     "class A extends ",
                                     "\\u{",
                                     "x\n",
                                     "//#",
                                     "//# debugId=",
                                     "`",
                                     "async x ",
                                     "{a(){",
                                     "a.b.c.d=function(){},",
                                     "[{a:function(){}},",
                                     "c(A,[{key:'b',value:function(){}},",
                                     "this.a=()=>",
                                     "a=/**/b||function(){},",
                                     "\xC3\xA9=>"};

double seconds_for(const std::string& text) {
  const auto start = std::chrono::steady_clock::now();
  FunctionScopes scopes;
  ScopeScanner().scan(text, scopes);
  (void)infer_names({text, scopes});
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main() {
  for (const char* pattern : kPatterns) {
    double seconds[2] = {};
    for (int i = 0; i < 2; ++i) {
      const std::size_t size = i == 0 ? 5'000'000 : 50'000'000;
      std::string text;
      text.reserve(size + 64);
      while (text.size() < size) text += pattern;
      seconds[i] = seconds_for(text);
    }
    std::string shown;
    for (const char* c = pattern; *c != '\0'; ++c) shown += *c == '\n' ? ' ' : *c;
    std::printf("%-36s %8.1f ms %9.1f ms %6.1f\n", shown.c_str(), seconds[0] * 1e3,
                seconds[1] * 1e3, seconds[1] / seconds[0]);
    std::fflush(stdout);
  }
  return 0;
}
