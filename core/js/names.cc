#include "core/js/names.h"

#include <algorithm>

#include "core/base/make_room.h"

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

}  // namespace

// The class that `scope` is a member or a field of.
std::string_view NameInferrer::class_around(const Scope& scope) const {
  const std::vector<Scope>& scopes = inputs_.scopes->scopes;
  std::uint32_t i = scope.parent;
  while (i != kNoEntry && scopes[i].kind == ScopeKind::kFieldInitializer) i = scopes[i].parent;
  const bool is_class = i != kNoEntry && scopes[i].kind == ScopeKind::kClass;
  return is_class ? class_names_[owners_[i]] : std::string_view();
}

std::string_view NameInferrer::owner_of_this(const Scope& scope) const {
  if (scope.parent == kNoEntry || owners_[scope.parent] == kNoEntry) return {};
  return class_names_[owners_[scope.parent]];
}

void NameInferrer::append_own_name(const Scope& scope) {
  const OriginalName found = bindings_.original(scope.name);
  const bool is_kept = found.text == scope.name.in(inputs_.text);
  if (inputs_.map == nullptr || (found.is_known && !is_kept)) {
    name_ += found.text;
    return;
  }
  // Closure puts the name on the keyword and may leave the identifier without a segment.
  const std::string_view name = inputs_.map->name_reaching(
      inputs_.positions->position(scope.begin), inputs_.positions->position(scope.name.begin));
  if (!name.empty()) {
    extend_name(name_, name);
  } else {
    name_ += is_default_export_of_typescript(found.text) ? "default" : found.text;
  }
}

void NameInferrer::append_with_owner(const Scope& scope, const BindingName& name) {
  if (name.text.empty()) return;
  if (name.is_field) {
    name_ += class_around(scope);
  } else if (name.begins_this) {
    name_ += owner_of_this(scope);
  }
  if (name.is_field || name.begins_this) {
    extend_name(name_, name.text);
  } else {
    name_ += name.text;
  }
}

// A function or class that is a value: by where it goes. What is called or used at once goes
// nowhere.
void NameInferrer::append_value_name(const Scope& scope) {
  const bool is_used = scope.has(ScopeFlag::kCalled) || scope.has(ScopeFlag::kAccessed);
  if (is_used || scope.binding == kNoEntry) return;
  append_with_owner(scope, bindings_.name_of(scope.binding));
}

// A method or accessor: its key, behind the class or what the object goes to.
void NameInferrer::append_member_name(const Scope& scope) {
  const bool is_computed = scope.has(ScopeFlag::kComputedKey);
  if (scope.kind != ScopeKind::kMethod) {
    name_ += scope.kind == ScopeKind::kGetter ? "get " : "set ";
    name_ += bindings_.key_name(scope.name, is_computed);
    return;
  }
  if (scope.binding == kNoEntry) {
    name_ += class_around(scope);
  } else {
    const BindingName owner = bindings_.name_of(scope.binding);
    if (owner.is_known || owner.begins_this) append_with_owner(scope, owner);
  }
  extend_name(name_, bindings_.key_name(scope.name, is_computed));
}

void NameInferrer::append_function_name(const Scope& scope) {
  switch (scope.kind) {
    case ScopeKind::kFunction:
    case ScopeKind::kArrow:
    case ScopeKind::kClass:
      if (scope.name.empty()) {
        append_value_name(scope);
      } else {
        append_own_name(scope);
      }
      return;
    case ScopeKind::kMethod:
    case ScopeKind::kGetter:
    case ScopeKind::kSetter:
      append_member_name(scope);
      return;
    case ScopeKind::kConstructor: {
      const std::string_view owner = class_around(scope);
      name_ += "new ";
      name_ += owner.empty() ? "<anonymous>" : owner;
      return;
    }
    case ScopeKind::kStaticBlock:
    case ScopeKind::kFieldInitializer: {
      const bool is_static = scope.kind == ScopeKind::kStaticBlock || scope.has(ScopeFlag::kStatic);
      name_ += class_around(scope);
      extend_name(name_, is_static ? "<static_initializer>" : "<instance_members_initializer>");
      return;
    }
  }
}

std::uint32_t NameInferrer::add(std::string_view name, StringList& names) {
  if (name.empty()) return kNoEntry;
  if (name.size() > budget_bytes_) name = without_owner(name);
  budget_bytes_ -= std::min(budget_bytes_, name.size());
  names.add(name);
  return static_cast<std::uint32_t>(names.size() - 1);
}

// Outer scopes come first, so a class has its name before its members ask for it.
void NameInferrer::infer(const NameInputs& inputs, StringList& names,
                         std::vector<std::uint32_t>& of_scope) {
  inputs_ = inputs;
  const std::vector<Scope>& scopes = inputs.scopes->scopes;
  bindings_.assign(inputs.text, inputs.scopes->bindings, inputs.positions, inputs.map);
  budget_bytes_ = inputs.text.size() * 8 + 4096;
  name_.reserve(kMaxNameBytes * 2);
  class_names_.clear();
  class_names_.make_room(scopes.size() / 16, scopes.size());
  owners_.clear();
  make_room(scopes.size(), owners_);
  of_scope.clear();
  make_room(scopes.size(), of_scope);
  for (const Scope& scope : scopes) {
    name_.clear();
    append_function_name(scope);
    std::uint32_t owner = scope.parent == kNoEntry ? kNoEntry : owners_[scope.parent];
    const bool is_class = scope.kind == ScopeKind::kClass;
    if (is_class || (scope.kind == ScopeKind::kFunction && looks_like_constructor(name_))) {
      owner = static_cast<std::uint32_t>(class_names_.size());
      class_names_.add(name_);
    }
    owners_.push_back(owner);
    if (!is_class) {
      of_scope.push_back(add(name_, names));
    } else {  // what of it is in no member, keys and heritage, runs in the function around it
      of_scope.push_back(scope.parent == kNoEntry ? kNoEntry : of_scope[scope.parent]);
    }
  }
}

std::string_view NameInferrer::assigned_name(std::uint32_t scope) {
  const Scope& asked = inputs_.scopes->scopes[scope];
  name_.clear();
  if (asked.kind == ScopeKind::kFunction && !asked.name.empty()) append_value_name(asked);
  return name_;
}

ScopeNames infer_names(const NameInputs& inputs) {
  ScopeNames result;
  NameInferrer().infer(inputs, result.names, result.of_scope);
  return result;
}

}  // namespace twofold::js
