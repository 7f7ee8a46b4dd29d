#include "core/js/scopes.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <ctime>
#include <iterator>
#include <limits>
#include <random>
#include <string>

#include "core/js/scope_scanner.h"
#include "tests/support/hostile_texts.h"
#include "tests/support/scope_rules.h"

using namespace twofold::js;

namespace {

// The text of every scope, in order.
std::vector<std::string> scope_texts(const std::string& text) {
  std::vector<std::string> texts;
  for (const Scope& scope : find_functions(text).scopes) {
    if (scope.kind == ScopeKind::kFieldInitializer) continue;
    texts.push_back(text.substr(scope.begin, scope.end - scope.begin));
  }
  return texts;
}

struct Row {
  std::string text;
  std::vector<std::string> scopes;
};
void check(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    INFO(row.text);
    CHECK(scope_texts(row.text) == row.scopes);
  }
}

// The chain of bindings of the first scope, innermost first: `=a.b`, `:key`, `(callee`, `[`.
std::string binding_chain(const std::string& text) {
  const FunctionScopes found = find_functions(text);
  std::string chain;
  for (std::uint32_t i = found.scopes.at(0).binding; i != kNoEntry; i = found.bindings[i].parent) {
    const Binding& binding = found.bindings[i];
    const char* const marks[] = {"=", ":",       ":[]", ".=",  ".[]=", "(",
                                 "[", "export ", "d:",  "dg:", "ds:"};
    if (!chain.empty()) chain += ' ';
    chain += marks[static_cast<std::size_t>(binding.kind)] + std::string(binding.text.in(text));
  }
  return chain;
}

}  // namespace

TEST_CASE("FindFunctions.FindsDeclarationsAndExpressions") {
  check({
      {"", {}},
      {"a", {}},
      {"function f(){}", {"function f(){}"}},
      {"x=function(){};", {"function(){}"}},
      {"async function f(){await /x/}g", {"async function f(){await /x/}"}},
      {"function*g(){yield /}/}", {"function*g(){yield /}/}"}},
      {"async\nfunction f(){}", {"function f(){}"}},
      {"f(function(){return{}},1)", {"function(){return{}}"}},
      {"function f(a=function(){}){}", {"function f(a=function(){}){}", "function(){}"}},
      {"function f({a=b=>b}){}", {"function f({a=b=>b}){}", "b=>b"}},
      {"export default function(){}\n/a/", {"function(){}"}},
      {"export default class{}", {"class{}"}},
      {"if(a)function f(){}else b", {"function f(){}"}},
      {"f(...function(){})", {"function(){}"}},
      {"x.function(function(){})", {"function(){}"}},
      {"x={function:function(){}}", {"function(){}"}},
      {"yield/a;function f(){}/b/", {"function f(){}"}},
  });
}

TEST_CASE("FindFunctions.EndsArrowsWhereTheirExpressionEnds") {
  check({
      {"x=>y", {"x=>y"}},
      {"f(x=>y,z)", {"x=>y"}},
      {"f(x=>(y,z))", {"x=>(y,z)"}},
      {"[x=>y]", {"x=>y"}},
      {"({a:x=>y})", {"x=>y"}},
      {"a=x=>y;b", {"x=>y"}},
      {"a?x=>y:z", {"x=>y"}},
      {"a?b?x=>y:z:w", {"x=>y"}},
      {"a?x=>y?1:2:z", {"x=>y?1:2"}},
      {"a?(x)=>y?.5:2:z", {"(x)=>y?.5:2"}},
      {"a=x=>y\nb", {"x=>y"}},
      {"a=x=>y\n+b", {"x=>y\n+b"}},
      {"a=x=>y\n++b", {"x=>y"}},
      {"a=x=>y++\n(b)", {"x=>y++"}},
      {"a=x=>y /*c*/;b", {"x=>y"}},
      {"a=>b=>c=>d", {"a=>b=>c=>d", "b=>c=>d", "c=>d"}},
      {"()=>{}\n/a/g", {"()=>{}"}},
      {"a=()=>{}\n(b)=>c", {"()=>{}", "(b)=>c"}},
      {"async x=>y,async(x)=>y,async()=>{}", {"async x=>y", "async(x)=>y", "async()=>{}"}},
      {"async=>async", {"async=>async"}},
      {"(a=b=>c)=>d", {"(a=b=>c)=>d", "b=>c"}},
      {"(a=(b=c=>d)=>e)=>f", {"(a=(b=c=>d)=>e)=>f", "(b=c=>d)=>e", "c=>d"}},
      {"async(a=function(){})=>d", {"async(a=function(){})=>d", "function(){}"}},
      {"({a:[b]})=>c", {"({a:[b]})=>c"}},
      {"`${x=>`${y}`}`", {"x=>`${y}`"}},
      {"for(var f=x=>x in y;;);", {"x=>x"}},
      {"for(a in x=>x in y);", {"x=>x in y"}},
      {"for(;x=>x in y;);", {"x=>x in y"}},
      {"for(a of x=>y);", {"x=>y"}},
      {"for(async of=>1;;);", {"async of=>1"}},
      {"switch(a){case x=>y:b}", {"x=>y"}},
      {"a=x=>({}).b/c/d", {"x=>({}).b/c/d"}},
      {"a=x=>y}b", {"x=>y"}},
  });
}

TEST_CASE("FindFunctions.GivesMethodsTheRangeOfTheirValue") {
  check({
      {"({a(){}})", {"(){}"}},
      {"({get a(){},set a(b){}})", {"(){}", "(b){}"}},
      {"({get(){},set:1,async(){},static(){}})", {"(){}", "(){}", "(){}"}},
      {"({async*[a](b){},'c'(){},1(){},.5(){},1n(){}})", {"(b){}", "(){}", "(){}", "(){}", "(){}"}},
      {"({[function(){}](){}})", {"function(){}", "(){}"}},
      {"({a,b=c=>d}={})", {"c=>d"}},
      {"({if(){},function(){},new(){}})", {"(){}", "(){}", "(){}"}},
      {"class A{a(){}}", {"class A{a(){}}", "(){}"}},
      {"class A{#a(){}static b(){}}", {"class A{#a(){}static b(){}}", "(){}", "(){}"}},
      {"class A{static{a=>b}}", {"class A{static{a=>b}}", "static{a=>b}", "a=>b"}},
      {"class A{a=b=>c;d=function(){}}",
       {"class A{a=b=>c;d=function(){}}", "b=>c", "function(){}"}},
      {"class A{a=()=>{}\n*b(){}\n[c]=1}", {"class A{a=()=>{}\n*b(){}\n[c]=1}", "()=>{}", "(){}"}},
      {"class A{get\na(){}async\nb(){}}", {"class A{get\na(){}async\nb(){}}", "(){}", "(){}"}},
      {"class A{static\nasync\n*b(){}}", {"class A{static\nasync\n*b(){}}", "(){}"}},
      {"class A extends{b(){}}.c{d(){}}", {"class A extends{b(){}}.c{d(){}}", "(){}", "(){}"}},
      {"class extends function(){}{}", {"class extends function(){}{}", "function(){}"}},
      {"x=class{};y=class A{}/1/2", {"class{}", "class A{}"}},
  });
}

TEST_CASE("FindFunctions.TellsDivisionFromRegularExpressions") {
  check({
      {"a/b=>c/d", {"b=>c/d"}},
      {"if(a)/=>{}/.b", {}},
      {"(a)/b/(c=>d)", {"c=>d"}},
      {"while(a)/'/;b=>c", {"b=>c"}},
      {"{}/'/;b=>c", {"b=>c"}},
      {"x={}/a/'b=>c'", {}},
      {"x=function(){}/a/'b=>c'", {"function(){}"}},
      {"function f(){}/'/;b=>c", {"function f(){}", "b=>c"}},
      {"return/'/;b=>c", {"b=>c"}},
      {"a.return/b/'c=>d'", {}},
      {"typeof/'/;b=>c", {"b=>c"}},
      {"`${a}`/b/'c=>d'", {}},
      {"`${/`/}`;b=>c", {"b=>c"}},
      {"a++/b/'c=>d'", {}},
      {"a\n++/'/.b;c=>d", {"c=>d"}},
      {"x=y/*'*//z/'a=>b'", {}},
      {"for(const a of/'/.b);c=>d", {"c=>d"}},
      {"do{}while(a)/'/;b=>c", {"b=>c"}},
      {"a:/'/;b=>c", {"b=>c"}},
      {"switch(a){case/'/:b=>c}", {"b=>c"}},
  });
}

// Names joined by dots are read at once where 16 bytes follow, and one by one at the end of the
// text.
TEST_CASE("FindFunctions.ReadsPathsAndNumbersTheSameAtTheEndOfTheText") {
  const Row rows[] = {
      {"a.b.c=function(){}", {"function(){}"}},
      {"x=5.\nf(()=>1)", {"()=>1"}},  // the dot belongs to the number
      {"x=1.5/f(()=>1)/2", {"()=>1"}},
      {"x=1e-5/f(()=>1)/2", {"()=>1"}},
      {"x=5..a/f(()=>1)/2", {"()=>1"}},
      {"x=5./f(()=>1)/2", {"()=>1"}},
      {"this.#a.b/f(()=>1)/2", {"()=>1"}},
      {"a.\nb/f(()=>1)/2", {"()=>1"}},
      {"new.target/f(()=>1)/2", {"()=>1"}},
      {"function*g(){yield.5/f(()=>1)/2}", {"function*g(){yield.5/f(()=>1)/2}", "()=>1"}},
      {"for(x of.5)()=>1", {"()=>1"}},
      {"a.return/f(()=>1)/2", {"()=>1"}},
      {"async.b(()=>1)", {"()=>1"}},
      {"[...a.b,...()=>1]", {"()=>1"}},
      {"a.\u0062.c/f(()=>1)/2", {"()=>1"}},
      {"a\xC3\xA9.b/f(()=>1)/2", {"()=>1"}},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    for (const std::string& behind : {std::string(), std::string(64, ' ')}) {
      CHECK(scope_texts(row.text + behind) == row.scopes);
      CHECK(find_functions(row.text + behind).is_plausible);
    }
  }
}

TEST_CASE("FindFunctions.KnowsCommentsOfEveryKind") {
  check({
      {"#!/usr/bin/env node '\na=>b", {"a=>b"}},
      {"\xEF\xBB\xBF"
       "a=>b",
       {"a=>b"}},
      {"<!-- ' \na=>b", {"a=>b"}},
      {"x\n--> ' \na=>b", {"a=>b"}},
      {"/*\n*/--> ' \na=>b", {"a=>b"}},
      {"x-->y,a=>b", {"a=>b"}},
      {"import'a';x<!--y\n'a=>b'", {}},
      {"// a=>b\xE2\x80\xA8"
       "c=>d",
       {"c=>d"}},
  });
}

TEST_CASE("FindFunctions.RecordsKindFlagsNameAndParent") {
  const std::string text =
      "class A{constructor(){}static async*#b(){return()=>1}get'c'(){}}"
      "!function n(){}();(async()=>{})();f=function(){}.bind(x);function d(){}";
  const FunctionScopes found = find_functions(text);
  struct Expected {
    ScopeKind kind;
    std::string name;
    std::uint32_t parent;
    std::vector<ScopeFlag> flags;
  };
  const Expected expected[] = {
      {ScopeKind::kClass, "A", kNoEntry, {ScopeFlag::kDeclaration}},
      {ScopeKind::kConstructor, "constructor", 0, {}},
      {ScopeKind::kMethod, "#b", 0, {ScopeFlag::kStatic, ScopeFlag::kAsync, ScopeFlag::kGenerator}},
      {ScopeKind::kArrow, "", 2, {ScopeFlag::kExpression}},
      {ScopeKind::kGetter, "'c'", 0, {}},
      {ScopeKind::kFunction, "n", kNoEntry, {ScopeFlag::kCalled}},
      {ScopeKind::kArrow, "", kNoEntry, {ScopeFlag::kAsync, ScopeFlag::kCalled}},
      {ScopeKind::kFunction, "", kNoEntry, {ScopeFlag::kDirect, ScopeFlag::kAccessed}},
      {ScopeKind::kFunction, "d", kNoEntry, {ScopeFlag::kDeclaration}},
  };
  REQUIRE(found.scopes.size() == std::size(expected));
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    INFO(i);
    const Scope& scope = found.scopes[i];
    CHECK(scope.kind == expected[i].kind);
    CHECK(scope.name.in(text) == expected[i].name);
    CHECK(scope.parent == expected[i].parent);
    std::uint16_t flags = 0;
    for (const ScopeFlag flag : expected[i].flags)
      flags = static_cast<std::uint16_t>(flags | static_cast<std::uint16_t>(flag));
    CHECK(scope.flags == flags);
  }
}

TEST_CASE("FindFunctions.RecordsWhatAValueGoesTo") {
  const std::pair<const char*, const char*> rows[] = {
      {"a=function(){}", "=a"},
      {"var a=1,b=function(){}", "=b"},
      {"a.b.c=function(){}", "=a.b.c"},
      {"a[0].b=function(){}", "=a[0].b"},
      {"f(x).b=function(){}", "=f(x).b"},
      {"a=b=function(){}", "=b"},
      {"a={b:function(){}}", ":b =a"},
      {"a={b:{c:function(){}}}", ":c :b =a"},
      {"a={'b c':x=>y}", ":'b c' =a"},
      {"a={[b]:x=>y}", ":[]b =a"},
      {"a={b:1,c(){}}", "=a"},
      {"a={...function(){}}", "[ =a"},
      {"a=b(function(){})", "(b =a"},
      {"a.b(1,function(){})", "(a.b"},
      {"a=[1,function(){}]", "[ =a"},
      {"a=b||function(){}", "=a"},
      {"a=(b,function(){})", "=a"},
      {"a||=function(){}", "=a"},
      {"a?\?=function(){}", "=a"},
      {"a=1;b(),function(){}", ""},
      {"a=1\nb(function(){})", "(b"},
      {"a={b:1};c(function(){})", "(c"},
      {"if(a=b)(function(){})", ""},
      {"({a=function(){}}=b)", "=a"},
      {"a=()=>function(){}", "=a"},
      {"a=class{}", "=a"},
      {"export default()=>1", "export default"},
      {"export default function(){}", "export default"},
      {"export default class{}", "export default"},
      {"f((a=x=>y)=>z)", "(f"},
      {"c(A,[{key:\"b\",value:function(){}}])", "d:\"b\" [ (c"},
      {"c(A,[{key:'b',get:function(){}}])", "dg:'b' [ (c"},
      {"a={key:b,value:function(){}}", ":value =a"},
  };
  for (const auto& [text, chain] : rows) {
    INFO(text);
    CHECK(binding_chain(text) == chain);
  }
  const std::string field = "class A{b=x=>y;static'c'=1;[d]=x=>y}";
  const FunctionScopes found = find_functions(field);
  CHECK(found.bindings.at(found.scopes.at(2).binding).kind == BindingKind::kField);
  CHECK(found.bindings.at(found.scopes.at(2).binding).text.in(field) == "b");
  CHECK(found.bindings.at(found.scopes.at(5).binding).kind == BindingKind::kComputedField);
}

TEST_CASE("FindFunctions.GivesFieldInitializersAScope") {
  const std::string text = "class A{a=1;static b=c+d\n'e'=f=>g;[h]=i}";
  const std::pair<std::string, bool> expected[] = {
      {"1", false}, {"c+d", true}, {"f=>g", false}, {"i", false}};
  std::size_t seen = 0;
  for (const Scope& scope : find_functions(text).scopes) {
    if (scope.kind != ScopeKind::kFieldInitializer) continue;
    CHECK(text.substr(scope.begin, scope.end - scope.begin) == expected[seen].first);
    CHECK(scope.has(ScopeFlag::kStatic) == expected[seen].second);
    CHECK(scope.parent == 0);
    ++seen;
  }
  CHECK(seen == std::size(expected));
}

TEST_CASE("FindInnermost.ReturnsTheScopeAroundAnOffset") {
  const std::string text = "a;function f(){b(()=>c);d}e(x=>y)";
  const FunctionScopes found = find_functions(text);
  const std::pair<std::size_t, std::uint32_t> rows[] = {
      {0, kNoEntry},
      {2, 0},
      {text.find('b'), 0},
      {text.find("()=>"), 1},
      {text.find(");d"), 0},
      {text.find('}'), 0},
      {text.find("e("), kNoEntry},
      {text.find("x=>"), 2},
      {text.size(), kNoEntry},
  };
  for (const auto& [offset, scope] : rows) {
    CHECK(find_innermost(list_changes(found), static_cast<std::uint32_t>(offset)) == scope);
  }
}

TEST_CASE("FindFunctions.TakesAViewOfNothing") {
  CHECK(find_functions({}).scopes.empty());  // its data is null: no cursor may be moved
}

TEST_CASE("FindFunctions.SurvivesTextThatIsNotJavaScript") {
  const std::string texts[] = {
      "function",
      "function(",
      "function f(",
      "function f(){",
      "class",
      "class{",
      "class A extends",
      "({",
      "({a",
      "({get",
      "({[",
      "`${",
      "`",
      "'",
      "/",
      "/[",
      "/*",
      "//",
      "=>",
      "(=>",
      "x=>",
      "async",
      "async x",
      "async(",
      "get",
      "}}}",
      ")))",
      "]]]",
      "(}",
      "({)}",
      "[)",
      "{]",
      "class{a=",
      "class{static",
      "class{static{",
      "class{[",
      "class{#",
      "class{@b c(){}}",
      "import",
      "import{",
      "export",
      "export default",
      "export{a",
      "for",
      "for(",
      "for await",
      "if",
      "?",
      "?.",
      ":",
      "a?b",
      "\\",
      "\\u",
      "\\u{",
      "#",
      "@",
      "<div className=\"x\">it's</div>",
      "function f(a: string): void {}",
      "interface A { b(): void }",
      std::string("\0a=>b", 5),
      "\xFF\xFE",
  };
  for (const std::string& text : texts) {
    for (const std::string& whole :
         {text, text + "\nfunction g(){}", "function h(){" + text + "}"}) {
      INFO(whole);
      const std::vector<char> exact(whole.begin(), whole.end());
      const FunctionScopes found = find_functions({exact.data(), exact.size()});
      for (const Scope& scope : found.scopes) {
        CHECK(scope.begin < scope.end);
        CHECK(scope.end <= whole.size());
      }
    }
  }
  CHECK(scope_texts("1=>.[)=>").empty());
  CHECK(scope_texts("()=>[))=>") == std::vector<std::string>{"()=>[)"});
  CHECK(scope_texts("x=>y.[)=>z") == std::vector<std::string>{"x=>y.[)=>z"});
  CHECK(scope_texts("(()(()").empty());  // once took the empty parentheses for a function's end
  CHECK(scope_texts("(}function f(){}") == std::vector<std::string>{"function f(){}"});
  CHECK(scope_texts("'abc\nfunction f(){}") == std::vector<std::string>{"function f(){}"});
}

// Tokens in any order, many of them brackets that fit nothing: what reads them as JavaScript has
// seen no such text, and its table must hold all the same.
TEST_CASE("FindFunctions.KeepsItsRulesOnTokensInAnyOrder") {
  constexpr std::string_view kBrackets[] = {"()", "=>", "(", ")", "[", "]", "{", "}"};
  constexpr std::string_view kOthers[] = {
      "x",     "=",        ",",       ";",        ":",      "?",      ".",      "...",
      "async", "function", "class",   "extends",  "static", "get ",   "set ",   "new ",
      "`${",   "`",        "#a",      "/",        "*",      "yield ", "await ", "let ",
      "if",    "for",      "while",   "return ",  "\n",     "\"s\"",  "1",      "<!--",
      "//c\n", "import ",  "export ", "default ", "do ",    "case ",  "switch", "catch",
      "of ",   "++",       "-->",     "in ",      "var ",   "=>{",    "(x)",    "async("};
  std::mt19937 random(1);
  for (int run = 0; run < 200'000; ++run) {
    std::string_view few[5];
    for (std::string_view& token : few) token = kBrackets[random() % std::size(kBrackets)];
    if (run % 2 != 0) few[0] = kOthers[random() % std::size(kOthers)];
    if (run % 4 == 3) few[1] = kOthers[random() % std::size(kOthers)];
    std::string text;
    for (auto count = 1 + random() % 14; count > 0; --count) text += few[random() % std::size(few)];
    const std::string broken = twofold::test::find_broken_rule(find_functions(text), text);
    if (broken.empty()) continue;
    INFO(text);
    CHECK(broken == "");  // fails, and says what
  }
}

// Ratios within the process, no clock to beat: a byte of a text 16 times as long may cost 6 times
// as much (caches), where a scan that reads each byte once per byte costs 16 times as much.
// bench/scanner_hostile.cc prints the same up to 50 MB.
TEST_CASE("FindFunctions.TakesTimeLinearInHostileText") {
  ScopeScanner scanner;
  FunctionScopes scopes;
  const auto cost_per_byte = [&](const std::string& text) {
    std::clock_t best = std::numeric_limits<std::clock_t>::max();
    for (int run = 0; run < 4; ++run) {  // the first one also grows the buffers
      const std::clock_t start = std::clock();
      scanner.scan(text, scopes);
      best = std::min(best, std::clock() - start);
    }
    return static_cast<double>(best + 20) / static_cast<double>(text.size());  // ticks of 1 us
  };
  for (const twofold::test::HostileText& hostile : twofold::test::hostile_texts()) {
    INFO(hostile.open << hostile.middle << hostile.close);
    CHECK(cost_per_byte(hostile.write(320'000)) < 6 * cost_per_byte(hostile.write(20'000)));
  }
}
