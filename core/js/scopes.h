// The functions and classes of a JavaScript text, and what each one's name can be inferred from.
//
// A table of flat records that refer to the text by byte offsets and to each other by index; it
// owns no text. It says where functions are and what stands to the left of them, not what they are
// called (names.h), and it knows nothing of source maps. Line and column of an offset:
// text_positions.h.
//
// Ranges are those of the ESTree node that acorn makes, [begin, end):
//   - a function or arrow: the whole of it, from `async`, `function` or the parameters on; an arrow
//     with an expression body ends with the last token of that expression;
//   - a method, accessor or constructor: from the `(` of its parameters to the closing brace; its
//     key is `name`;
//   - a class: from `class` to its closing brace;
//   - a static block: from `static` to its closing brace;
//   - a field initializer: from behind the `=` to the end of the value; acorn has no node for it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/js/source_mapping_url.h"

namespace twofold::js {

inline constexpr std::uint32_t kNoEntry = ~std::uint32_t{0};

// Bytes [begin, end) of the text.
struct TextSpan {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  [[nodiscard]] bool empty() const { return begin == end; }
  [[nodiscard]] std::string_view in(std::string_view text) const {
    return text.substr(begin, end - begin);
  }
  bool operator==(const TextSpan&) const = default;
};

enum class ScopeKind : std::uint8_t {
  kFunction,
  kArrow,
  kMethod,  // of an object literal or a class
  kGetter,
  kSetter,
  kConstructor,
  kClass,
  kStaticBlock,
  kFieldInitializer,  // the value of a class field, which runs in a function of its own
};

enum class ScopeFlag : std::uint16_t {
  kAsync = 1,
  kGenerator = 2,
  kStatic = 4,       // a member of the class itself
  kDeclaration = 8,  // a statement, not a value
  kDirect = 16,  // the value of its binding is this function and nothing around it but parentheses
  kCalled = 32,  // a call follows at once: `(function () {})()`
  kAccessed = 64,      // a member of the function follows: `function () {}.bind(x)`
  kExpression = 128,   // an arrow without braces
  kComputedKey = 256,  // a method whose `name` is what stands between the brackets of `[key]() {}`
};

// What the value of an expression goes to. Bindings form a chain outwards: in
// `a.b = {c: [f(function () {})]}` the function's chain is argument of `f`, element, property `c`,
// assignment to `a.b`. A chain never leaves the function or the statement that it begins in, and of
// `a = b = value` it has only b.
enum class BindingKind : std::uint8_t {
  kAssignment,        // `text = value`: variables, members, defaults of parameters and patterns
  kProperty,          // `{text: value}`
  kComputedProperty,  // `{[text]: value}`
  kField,             // `text = value` in a class body
  kComputedField,     // `[text] = value` in a class body
  kArgument,          // `text(value)`: an argument of a call
  kElement,           // in an array literal or spread into an object; no text
  kExport,            // `export default value`; the text is `default`
  // `{key: "text", value: value}` and the same with `get` and `set`: a member of a class, lowered.
  kDescriptorValue,
  kDescriptorGetter,
  kDescriptorSetter,
};

struct Binding {
  TextSpan text;
  std::uint32_t parent = kNoEntry;  // the next binding outwards
  BindingKind kind = BindingKind::kAssignment;
};

struct Scope {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t parent = kNoEntry;   // the innermost scope around it
  std::uint32_t binding = kNoEntry;  // of a function or class that is a value
  TextSpan name;  // its own name; for members the key, quotes and `#` included; may be empty
  ScopeKind kind = ScopeKind::kFunction;
  std::uint16_t flags = 0;

  [[nodiscard]] bool has(ScopeFlag flag) const {
    return (flags & static_cast<std::uint16_t>(flag)) != 0;
  }
  void set(ScopeFlag flag) {
    flags = static_cast<std::uint16_t>(flags | static_cast<std::uint16_t>(flag));
  }
};

// Scopes are sorted by `begin` and properly nested, so outer ones come before what they hold.
struct FunctionScopes {
  std::vector<Scope> scopes;
  std::vector<Binding> bindings;
  BundleComments comments;
  // False where something in the text is no JavaScript: TypeScript, JSX, a text that breaks off.
  // Scopes may then be missing or wrong. True does not promise a valid program.
  bool is_plausible = true;
};

// From the byte `offset` on, up to the next change, `scope` is the innermost one; kNoEntry: top
// level.
struct ScopeChange {
  std::uint32_t offset;
  std::uint32_t scope;
};
// Calls `visit(change)` for all changes in order. Of several at one offset the last one counts.
template <class Visit>
void for_each_change(const FunctionScopes& scopes, Visit visit) {
  const std::vector<Scope>& all = scopes.scopes;
  std::uint32_t innermost = kNoEntry;
  const auto end_until = [&](std::uint32_t offset) {
    while (innermost != kNoEntry && all[innermost].end <= offset) {
      visit(ScopeChange{all[innermost].end, all[innermost].parent});
      innermost = all[innermost].parent;
    }
  };
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    end_until(all[i].begin);
    visit(ScopeChange{all[i].begin, i});
    innermost = i;
  }
  end_until(kNoEntry);
}
[[nodiscard]] std::vector<ScopeChange> list_changes(const FunctionScopes& scopes);
// Index of the innermost scope that holds the byte `offset`, or kNoEntry at top level. O(log
// changes), however deep the scopes nest.
[[nodiscard]] std::uint32_t find_innermost(std::span<const ScopeChange> changes,
                                           std::uint32_t offset);

// The same for many offsets that are near each other: O(1) where the one before was in the same
// piece. Borrows the changes.
class InnermostScope {
 public:
  explicit InnermostScope(std::span<const ScopeChange> changes) : changes_(changes) {}
  [[nodiscard]] std::uint32_t find(std::uint32_t offset);

 private:
  std::span<const ScopeChange> changes_;
  std::uint32_t begin_ = 0;  // [begin_, end_) is in scope_
  std::uint32_t end_ = 0;
  std::uint32_t scope_ = kNoEntry;
};

// Scans a whole program, script or module. Never fails: where the text is not JavaScript, functions
// may be missing or end elsewhere, no more. Linear in time; memory is about twelve bytes per byte
// of hostile input and up to 80 MB for what it nests (72 bytes per open bracket), far less on real
// text. A text of 4 GiB or more gives no scopes.
[[nodiscard]] FunctionScopes find_functions(std::string_view bundle);

}  // namespace twofold::js
