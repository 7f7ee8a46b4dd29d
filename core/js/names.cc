#include "core/js/names.h"

#include <algorithm>

#include "core/js/binding_names.h"

namespace twofold::js {
namespace {

// `A` in `function A() { this.b = function () {} }`, by the convention that engines go by.
bool looks_like_constructor(std::string_view name) {
  return !name.empty() && name[0] >= 'A' && name[0] <= 'Z' && name.find('.') == name.npos;
}

// `export default function () {}` has no name of its own; TypeScript gives it default_1.
bool is_default_export_of_typescript(std::string_view name) {
  constexpr std::string_view kHead = "default_";
  return name.size() > kHead.size() && name.substr(0, kHead.size()) == kHead &&
         name.find_first_not_of("0123456789", kHead.size()) == name.npos;
}

// What comes last in `a.b.c`.
std::string_view without_owner(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == name.npos ? name : name.substr(dot + 1);
}

class NameInferrer {
 public:
  explicit NameInferrer(const NameInputs& inputs)
      : inputs_(inputs),
        scopes_(inputs.scopes.scopes),
        bindings_(inputs.text, inputs.scopes, inputs.positions, inputs.map),
        budget_bytes_(inputs.text.size() * 8 + 4096) {}

  ScopeNames infer();

 private:
  void add(std::string_view name, StringList& names);
  std::string own_name(const Scope& scope);
  std::string value_name(const Scope& scope);
  std::string member_name(const Scope& scope);
  std::string function_name(const Scope& scope);
  std::string with_owner(const Scope& scope, const BindingName& name) const;
  std::string_view class_around(const Scope& scope) const;
  std::string_view owner_of_this(const Scope& scope) const;

  const NameInputs& inputs_;
  const std::vector<Scope>& scopes_;
  BindingNames bindings_;
  std::vector<std::uint32_t> owners_;  // per scope: the class or constructor at or around it
  // Bytes that names may still take. Ten million methods of an object with a long name would repeat
  // that name ten million times; eight times the text is far more than real code needs.
  std::size_t budget_bytes_;
  std::vector<std::string> class_names_;  // of scopes that are one, else ""
};

// The class that `scope` is a member or a field of.
std::string_view NameInferrer::class_around(const Scope& scope) const {
  std::uint32_t i = scope.parent;
  while (i != kNoEntry && scopes_[i].kind == ScopeKind::kFieldInitializer) i = scopes_[i].parent;
  const bool is_class = i != kNoEntry && scopes_[i].kind == ScopeKind::kClass;
  return is_class ? std::string_view(class_names_[i]) : std::string_view();
}

std::string_view NameInferrer::owner_of_this(const Scope& scope) const {
  if (scope.parent == kNoEntry || owners_[scope.parent] == kNoEntry) return {};
  return class_names_[owners_[scope.parent]];
}

std::string NameInferrer::own_name(const Scope& scope) {
  const OriginalName found = bindings_.original(scope.name);
  const bool is_kept = found.text == scope.name.in(inputs_.text);
  if (inputs_.map == nullptr || (found.is_known && !is_kept)) return std::string(found.text);
  // Closure puts the name on the keyword and may leave the identifier without a segment.
  const std::string_view name = inputs_.map->name_reaching(
      inputs_.positions->position(scope.begin), inputs_.positions->position(scope.name.begin));
  if (!name.empty()) return join_names({}, name);
  return std::string(is_default_export_of_typescript(found.text) ? "default" : found.text);
}

std::string NameInferrer::with_owner(const Scope& scope, const BindingName& name) const {
  if (name.text.empty()) return {};
  if (name.is_field) return join_names(class_around(scope), name.text);
  if (name.begins_this) return join_names(owner_of_this(scope), name.text);
  return name.text;
}

// A function or class that is a value: by where it goes. What is called or used at once goes
// nowhere.
std::string NameInferrer::value_name(const Scope& scope) {
  const bool is_used = scope.has(ScopeFlag::kCalled) || scope.has(ScopeFlag::kAccessed);
  if (is_used || scope.binding == kNoEntry) return {};
  return with_owner(scope, bindings_.name_of(scope.binding));
}

// A method or accessor: its key, behind the class or what the object goes to.
std::string NameInferrer::member_name(const Scope& scope) {
  const std::string key = bindings_.key_name(scope.name, scope.has(ScopeFlag::kComputedKey));
  if (scope.kind == ScopeKind::kGetter) return "get " + key;
  if (scope.kind == ScopeKind::kSetter) return "set " + key;
  if (scope.binding == kNoEntry) return join_names(class_around(scope), key);
  const BindingName& owner = bindings_.name_of(scope.binding);
  const bool has_owner = owner.is_known || owner.begins_this;
  return join_names(has_owner ? with_owner(scope, owner) : std::string(), key);
}

std::string NameInferrer::function_name(const Scope& scope) {
  const std::string_view owner = class_around(scope);
  switch (scope.kind) {
    case ScopeKind::kFunction:
    case ScopeKind::kArrow:
    case ScopeKind::kClass:
      return scope.name.empty() ? value_name(scope) : own_name(scope);
    case ScopeKind::kMethod:
    case ScopeKind::kGetter:
    case ScopeKind::kSetter:
      return member_name(scope);
    case ScopeKind::kConstructor:
      return "new " + std::string(owner.empty() ? "<anonymous>" : owner);
    case ScopeKind::kStaticBlock:
      return join_names(owner, "<static_initializer>");
    case ScopeKind::kFieldInitializer:
      return join_names(owner, scope.has(ScopeFlag::kStatic) ? "<static_initializer>"
                                                             : "<instance_members_initializer>");
  }
  return {};
}

void NameInferrer::add(std::string_view name, StringList& names) {
  if (name.size() > budget_bytes_) name = without_owner(name);
  budget_bytes_ -= std::min(budget_bytes_, name.size());
  names.add(name);
}

// Outer scopes come first, so a class has its name before its members ask for it.
ScopeNames NameInferrer::infer() {
  owners_.resize(scopes_.size(), kNoEntry);
  class_names_.resize(scopes_.size());
  ScopeNames result;
  for (std::uint32_t i = 0; i < scopes_.size(); ++i) {
    const Scope& scope = scopes_[i];
    std::string name = function_name(scope);
    owners_[i] = scope.parent == kNoEntry ? kNoEntry : owners_[scope.parent];
    const bool is_class = scope.kind == ScopeKind::kClass;
    if (is_class || (scope.kind == ScopeKind::kFunction && looks_like_constructor(name))) {
      class_names_[i] = name;
      owners_[i] = i;
    }
    if (is_class) {  // what of it is in no member, keys and heritage, runs in the function around
                     // it
      name = scope.parent == kNoEntry ? std::string() : std::string(result[scope.parent]);
    }
    add(name, result.names);
    const bool is_named_value = scope.kind == ScopeKind::kFunction && !scope.name.empty();
    add(is_named_value ? value_name(scope) : std::string(), result.assigned);
  }
  return result;
}

}  // namespace

ScopeNames infer_names(const NameInputs& inputs) {
  return NameInferrer(inputs).infer();
}

}  // namespace twofold::js
