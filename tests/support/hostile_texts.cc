#include "tests/support/hostile_texts.h"

#include <string_view>

namespace twofold::test {
namespace {

constexpr HostileText kTexts[] = {
    // Brackets, open and closed.
    {"("},
    {"["},
    {"{"},
    {"}"},
    {")]"},
    {"(", "1", ")"},
    {"[", "1", "]"},
    {"{", "1", "}"},
    {"({a:"},
    {"({a:", "1", "})"},
    {"[{a:", "1", "}]"},
    {"{[", "1", "]:1}"},
    {"a[", "1", "]"},
    {"f(", "1", ")"},
    // Functions.
    {"x=>"},
    {"=>"},
    {"()=>"},
    {"\xC3\xA9=>"},
    {"x=>{", "1", "}"},
    {"(a=", "1", ")=>1"},
    {"(a="},
    {"(a=()=>1,"},
    {"(a=function(){},"},
    {"((function(){},"},
    {"f(()=>1,"},
    {"async("},
    {"async(", "1", ")"},
    {"async(", "1", ")=>1"},
    {"async x "},
    {"async x=>"},
    {"async "},
    {"await "},
    {"yield "},
    {"function f(){"},
    {"function f(){", "1", "}"},
    {"function*"},
    {"f(function(){", "1", "});"},
    {"(function(){", "1", "})()"},
    {"a.b.c.d=function(){},"},
    {"this.a=()=>"},
    {"a=/**/b||function(){},"},
    {"a=b=c=function(){};"},
    {"a=b="},
    {"function a(b=", "1", "){}"},
    // Classes and objects.
    {"class{["},
    {"class{a="},
    {"class A{a=", "1", "}"},
    {"class A{static{", "1", "}}"},
    {"class A{b(){", "1", "}}"},
    {"class A extends "},
    {"class extends(", "1", "){}"},
    {"{a(){"},
    {"({a(){", "1", "}})"},
    {"({get a(){},"},
    {"get "},
    {"static "},
    {"[{a:function(){}},"},
    {"c(A,[{key:'b',value:function(){}},"},
    {"{key:'a',"},
    {"{key:"},
    // Strings, templates, regular expressions, comments.
    {"'"},
    {"'\\"},
    {"`"},
    {"`${"},
    {"`${", "1", "}`"},
    {"`${`"},
    {"$"},
    {"\\"},
    {"\\u{"},
    {"/["},
    {"/a"},
    {"/"},
    {"/*"},
    {"*/"},
    {"/**/"},
    {"/*\n*/"},
    {"//#"},
    {"//# debugId="},
    {"//# sourceMappingURL=a\n"},
    {"/*# sourceMappingURL="},
    {"<!--"},
    {"\n-->"},
    // Everything else, long.
    {"a"},
    {"a."},
    {"a\n."},
    {"a?.b"},
    {"1"},
    {"1."},
    {"1in "},
    {" "},
    {"\n"},
    {"x\n"},
    {"\xE2\x80\xA8"},
    {"\xC3\xA9"},
    {","},
    {"a,"},
    {";"},
    {":"},
    {"a:"},
    {"a?"},
    {"a?", "1", ":1"},
    {"x?y=>1:"},
    {"a++\n"},
    {"#a "},
    {"if("},
    {"if(1)"},
    {"else "},
    {"do "},
    {"for("},
    {"for(x of "},
    {"for(var a=b=>c in d)"},
    {"let "},
    {"new "},
    {"return\n"},
    {"break\n"},
    {"import "},
    {"import{a as b,"},
    {"export "},
    {"export{a as b,"},
    {"export default "},
    {"const a:b"},
};

}  // namespace

std::string HostileText::write(std::size_t size_bytes) const {
  const std::string_view opener(open);
  const std::string_view closer(close);
  const std::size_t count = size_bytes / (opener.size() + closer.size()) + 1;
  std::string text;
  text.reserve(size_bytes + 64);
  for (std::size_t i = 0; i < count; ++i) text += opener;
  text += middle;
  for (std::size_t i = 0; i < count && !closer.empty(); ++i) text += closer;
  return text;
}

std::span<const HostileText> hostile_texts() {
  return kTexts;
}

}  // namespace twofold::test
