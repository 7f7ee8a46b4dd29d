#include "core/js/names.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace twofold::js;

namespace {

// The names of all scopes of an original text, in order; "" is anonymous.
std::vector<std::string> names_in(const std::string& text) {
  const FunctionScopes scopes = find_functions(text);
  const ScopeNames names = infer_names({text, &scopes});
  std::vector<std::string> result;
  for (std::uint32_t i = 0; i < scopes.scopes.size(); ++i) result.emplace_back(names[i]);
  return result;
}

struct Row {
  const char* text;
  std::vector<std::string> names;
};
void check(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    INFO(row.text);
    CHECK(names_in(row.text) == row.names);
  }
}

}  // namespace

TEST_CASE("InferNames.TakesAFunctionsOwnName") {
  check({
      {"function a(){}", {"a"}},
      {"x=function a(){}", {"a"}},
      {"f(async function*a(){})", {"a"}},
      {"x={y:function a(){}}", {"a"}},
      {"(function a(){})()", {"a"}},
  });
}

TEST_CASE("InferNames.TakesWhatAValueIsAssignedTo") {
  check({
      {"var a=function(){}", {"a"}},
      {"let a=()=>1", {"a"}},
      {"a=b=>c", {"a"}},
      {"a.b.c=function(){}", {"a.b.c"}},
      {"a . /*x*/ b\n.c=function(){}", {"a.b.c"}},
      {"Foo.prototype.bar=function(){}", {"Foo.prototype.bar"}},
      {"module.exports=()=>1", {"module.exports"}},
      {"a['b']=function(){}", {"a.b"}},
      {"a[b].c=function(){}", {"a.<computed>.c"}},
      {"a[0]=function(){}", {"a.<computed>"}},
      {"a[Symbol.iterator]=function(){}", {"a[Symbol.iterator]"}},
      {"a(b).c=function(){}", {"a.c"}},
      {"a=b=function(){}", {"b"}},
      {"a.b=c.d=function(){}", {"c.d"}},
      {"a=b||function(){}", {"a"}},
      {"a.b=c?function(){}:()=>1", {"a.b", "a.b"}},
      {"a=(b,function(){})", {"a"}},
      {"a=(function(){})", {"a"}},
      {"a=[function(){}]", {"a"}},
      {"a?\?=()=>1", {"a"}},
      {"function f(a=()=>1,{b=()=>2}={}){}", {"f", "a", "b"}},
      {"let{a=()=>1}=b", {"a"}},
      {"export default()=>1", {"default"}},
      {"export default function(){}", {"default"}},
  });
}

TEST_CASE("InferNames.LeavesNamelessWhatGoesNowhere") {
  check({
      {"f(function(){})", {""}},
      {"a=f(()=>1)", {""}},
      {"a.b=f(()=>1)", {""}},
      {"(function(){})()", {""}},
      {"a=function(){}()", {""}},
      {"a=(()=>{})()", {""}},
      {"a.b=function(){}.bind(c)", {""}},
      {"!function(){}()", {""}},
      {"a=()=>()=>1", {"a", ""}},
      {"function f(){return function(){}}", {"f", ""}},
      {"new class{}", {""}},
  });
}

TEST_CASE("InferNames.PutsTheOwnerBeforeAProperty") {
  check({
      {"a={b:function(){}}", {"a.b"}},
      {"a={b(){},c:()=>1,'d e'(){},1(){}}", {"a.b", "a.c", "a.d e", "a.1"}},
      {"a.b={c:{d(){}}}", {"a.b.c.d"}},
      {"a={[b](){},['c']:()=>1,[Symbol.iterator](){}}",
       {"a.<computed>", "a.c", "a[Symbol.iterator]"}},
      {"f({a(){},b:()=>1})", {"a", "b"}},
      {"f({a:{b(){}}})", {"a.b"}},
      {"({get a(){},set a(b){}})", {"get a", "set a"}},
      {"a={get b(){}}", {"get b"}},
      {"return_({a(){}})", {"a"}},
      {"a={...{b(){}}}", {"a.b"}},
      {"module.exports={a(){}}", {"module.exports.a"}},
  });
}

TEST_CASE("InferNames.PutsTheClassBeforeItsMembers") {
  check({
      {"class A{b(){}static c(){}async*d(){}}", {"", "A.b", "A.c", "A.d"}},
      {"class A{#b(){}static #c(){}}", {"", "A.#b", "A.#c"}},
      {"class A{constructor(){}}", {"", "new A"}},
      {"class A{get b(){}set b(c){}}", {"", "get b", "set b"}},
      {"class A{static{b}}", {"", "A.<static_initializer>"}},
      {"class A{b=c;static d=e}",
       {"", "A.<instance_members_initializer>", "A.<static_initializer>"}},
      {"class A{b=()=>1}", {"", "A.<instance_members_initializer>", "A.b"}},
      {"class A{b={c(){}}}", {"", "A.<instance_members_initializer>", "A.b.c"}},
      {"A=class{b(){}}", {"", "A.b"}},
      {"a.A=class{constructor(){}b(){}}", {"", "new a.A", "a.A.b"}},
      {"x=class A{b(){}}", {"", "A.b"}},
      {"f(class{constructor(){}b(){}})", {"", "new <anonymous>", "b"}},
      {"export default class{b(){}}", {"", "default.b"}},
      {"class A{[b](){}['c'](){}}", {"", "A.<computed>", "A.c"}},
  });
}

TEST_CASE("InferNames.SaysThatWhatOfAClassIsInNoMemberRunsAroundIt") {
  check({{"function f(){class A extends g(){}}", {"f", "f"}},
         {"class A{[b]=1}", {"", "A.<instance_members_initializer>"}}});
}

TEST_CASE("InferNames.KnowsWhoseThisIs") {
  check({
      {"class A{b(){this.c=function(){}}}", {"", "A.b", "A.c"}},
      {"class A{constructor(){this.b={c(){}}}}", {"", "new A", "A.b.c"}},
      {"function A(){this.b=()=>1}", {"A", "A.b"}},
      {"function a(){this.b=()=>1}", {"a", "b"}},
      {"this.b=()=>1", {"b"}},
      {"function A(){f(()=>{this.b=()=>1})}", {"A", "", "A.b"}},
  });
}

TEST_CASE("InferNames.ReadsMembersThatWereLoweredToDescriptors") {
  check({
      {"c(A,[{key:'b',value:function(){}}])", {"A.b"}},
      {"c(A,[{key:\"b\",get:function(){},set:function(d){}}])", {"get b", "set b"}},
      {"c(A,[{key:'b',value:function d(){}}])", {"d"}},
      {"c(A,[{value:function(){}}])", {"value"}},
      {"c([{key:'b',value:function(){}}])", {"b"}},
  });
}

TEST_CASE("InferNames.KeepsNamesShort") {
  const std::string key(100000, 'k');
  const std::vector<std::string> names =
      names_in(key + "={" + key + "(){},a(){}};" + key + ".b=function(){};a={'" + key + "'(){}}");
  REQUIRE(names.size() == 4);
  for (const std::string& name : names) CHECK(name.size() <= 520);
  CHECK(names[1] == "a");
}

TEST_CASE("InferNames.DropsOwnersBeforeNamesOutgrowTheText") {
  std::string text = std::string(400, 'k') + "={";
  for (int i = 0; i < 2000; ++i) text += "m(){},";
  const std::string whole = text + "}";
  const FunctionScopes scopes = find_functions(whole);
  const ScopeNames names = infer_names({whole, &scopes});
  CHECK(names[0].size() == 402);
  CHECK(names[1999] == "m");
}

TEST_CASE("InferNames.TakesTimeLinearInHostileText") {
  const std::string pieces[] = {
      "a={b:", "a.b.c.d.e.f=", "[{a:", "class A{a={", "this.a={b(){},", "c(A,[{key:'b',value:"};
  for (const std::string& piece : pieces) {
    std::string text;
    while (text.size() < 200'000) text += piece + "function(){},";
    text += "1";
    CHECK(names_in(text).size() >= 1);
  }
}
