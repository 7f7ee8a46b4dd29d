#include "core/js/names.h"

#include "core/js/lexer.h"

namespace twofold::js {
namespace {

constexpr std::string_view kComputed = "<computed>";

std::string joined(std::string_view owner, std::string_view name) {
  if (owner.empty() || owner.size() + name.size() >= kMaxNameBytes) return std::string(name);
  std::string text(owner);
  if (!name.empty() && name[0] != '[') text += '.';
  text += name;
  return text;
}

// `A` in `function A() { this.b = function () {} }`, by the convention that engines go by.
bool looks_like_constructor(std::string_view name) {
  return !name.empty() && name[0] >= 'A' && name[0] <= 'Z';
}

// `export default function () {}` has no name of its own; TypeScript gives it default_1.
bool is_default_export_of_typescript(std::string_view name) {
  constexpr std::string_view kHead = "default_";
  return name.size() > kHead.size() && name.substr(0, kHead.size()) == kHead &&
         name.find_first_not_of("0123456789", kHead.size()) == name.npos;
}

class NameInferrer {
 public:
  explicit NameInferrer(const NameInputs& inputs)
      : text_(inputs.text),
        scopes_(inputs.scopes.scopes),
        bindings_(inputs.scopes.bindings),
        positions_(inputs.positions),
        map_(inputs.map) {}

  ScopeNames infer();

 private:
  // What a binding is called, remembered so that a chain is climbed once.
  struct BindingName {
    std::string text;
    bool is_made = false;
    bool is_known = false;     // the map knows the head of it
    bool is_field = false;     // begins with a class field, so the class belongs before it
    bool begins_this = false;  // begins with `this`, which is not part of the text
  };

  OriginalName original(TextSpan span) {
    if (map_ == nullptr) return {span.in(text_), true};
    return map_->find(positions_->position(span.begin), span.in(text_));
  }
  std::string key_name(TextSpan key, bool is_computed);
  void read_chain(TextSpan span, BindingName& name);
  const BindingName& binding_name(std::uint32_t binding);
  std::string described_class(const Binding& binding);
  void make_binding_name(const Binding& binding, BindingName& name);
  std::string own_name(const Scope& scope);
  bool is_named_value(const Scope& scope) const;
  std::string class_name(const Scope& scope);
  std::string value_name(const Scope& scope);
  std::string member_name(const Scope& scope);
  std::string scope_name(const Scope& scope);
  std::string_view class_around(const Scope& scope) const;
  std::string_view owner_of_this(const Scope& scope) const;

  std::string_view text_;
  const std::vector<Scope>& scopes_;
  const std::vector<Binding>& bindings_;
  const TextPositions* positions_;
  MapNames* map_;
  std::vector<BindingName> binding_names_;
  std::vector<std::uint32_t>
      classes_;  // per scope: the class or constructor function around or at it
  std::vector<std::string> class_names_;  // of scopes that are one, else ""
};

// The name of a key: an identifier, `#x`, the value of a string or number, or what is in brackets.
std::string NameInferrer::key_name(TextSpan key, bool is_computed) {
  std::string_view text = key.in(text_);
  if (is_computed) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    const bool is_symbol = text.substr(0, 7) == "Symbol.";
    if (is_symbol) return '[' + std::string(text) + ']';
    const bool is_literal = !text.empty() && (text[0] == '"' || text[0] == '\'') &&
                            text.find(text[0], 1) == text.size() - 1;
    return std::string(is_literal ? text.substr(1, text.size() - 2) : kComputed);
  }
  if (text.size() >= 2 && (text[0] == '"' || text[0] == '\'')) {
    return std::string(text.substr(1, text.size() - 2));
  }
  if (!text.empty() && char_class(text[0]) <= CharClass::kIdentifier)
    return std::string(original(key).text);
  if (!text.empty() && text[0] == '#') {
    std::string name(original(key).text);
    if (name[0] != '#') name.insert(0, 1, '#');
    return name;
  }
  return std::string(text);
}

// `a.b[0]["c"]` as a.b.<computed>.c, each identifier by its original name. A call in it leaves no
// trace: `f(x).y` is f.y.
void NameInferrer::read_chain(TextSpan span, BindingName& name) {
  const char* const begin = text_.data();
  const char* const end = begin + span.end;
  const char* at = begin + span.begin;
  bool is_first = true;
  unsigned depth = 0;
  const char* bracket = nullptr;
  while (at != end) {
    const char c = *at;
    if (c == '"' || c == '\'') {
      at = skip_string(at, end);
    } else if (c == '(' || c == '[') {
      if (depth++ == 0) bracket = at;
      ++at;
    } else if (c == ')' || c == ']') {
      if (depth == 1 && c == ']' && bracket != nullptr && *bracket == '[') {
        const TextSpan key{static_cast<std::uint32_t>(bracket + 1 - begin),
                           static_cast<std::uint32_t>(at - begin)};
        name.text = joined(name.text, key_name(key, true));
      }
      if (depth != 0) --depth;
      ++at;
    } else if (c == '/' && end - at > 1 && at[1] == '*') {
      at = skip_block_comment(at, end).next;
    } else if (c == '/' && end - at > 1 && at[1] == '/') {
      at = skip_to_line_break(at, end);
    } else if (depth == 0 && (c == '#' || begins_identifier(at, end))) {
      const char* const to = skip_identifier(c == '#' ? at + 1 : at, end);
      const TextSpan word{static_cast<std::uint32_t>(at - begin),
                          static_cast<std::uint32_t>(to - begin)};
      const OriginalName found = original(word);
      if (is_first) name.is_known = found.is_known;
      if (is_first && found.text == "this") {
        name.begins_this = true;
      } else {
        name.text = joined(name.text, found.text);
      }
      is_first = false;
      at = to;
    } else {
      ++at;
    }
  }
}

// The class that a lowered member belongs to, `A` in `createClass(A, [{key: "b", value: function ()
// {}}])`, if the map knows it.
std::string NameInferrer::described_class(const Binding& binding) {
  if (binding.parent == kNoEntry) return {};
  const Binding& list = bindings_[binding.parent];
  if (list.kind != BindingKind::kElement || list.parent == kNoEntry) return {};
  const Binding& call = bindings_[list.parent];
  if (call.kind != BindingKind::kArgument) return {};
  const std::uint32_t begin = call.text.end + 1;
  const char* const from = text_.data() + begin;
  const char* const end = text_.data() + text_.size();
  const TextSpan word{begin, begin + static_cast<std::uint32_t>(skip_identifier(from, end) - from)};
  if (word.empty()) return {};
  const OriginalName found = original(word);
  return found.is_known ? std::string(found.text) : std::string();
}

void NameInferrer::make_binding_name(const Binding& binding, BindingName& name) {
  name.is_made = true;
  const BindingName* const outer =
      binding.parent == kNoEntry ? nullptr : &binding_names_[binding.parent];
  switch (binding.kind) {
    case BindingKind::kAssignment:
      read_chain(binding.text, name);
      return;
    case BindingKind::kArgument:
      return;
    case BindingKind::kExport:
      name.text = "default";
      return;
    case BindingKind::kElement:
      if (outer != nullptr) name = *outer;
      return;
    case BindingKind::kField:
    case BindingKind::kComputedField:
      name.text = key_name(binding.text, binding.kind == BindingKind::kComputedField);
      name.is_known = true;
      name.is_field = true;
      return;
    case BindingKind::kDescriptorValue:
      name.text = joined(described_class(binding), key_name(binding.text, false));
      name.is_known = true;
      return;
    case BindingKind::kDescriptorGetter:
      name.text = "get " + key_name(binding.text, false);
      return;
    case BindingKind::kDescriptorSetter:
      name.text = "set " + key_name(binding.text, false);
      return;
    case BindingKind::kProperty:
    case BindingKind::kComputedProperty: {
      const std::string key =
          key_name(binding.text, binding.kind == BindingKind::kComputedProperty);
      const bool has_owner = outer != nullptr && (outer->is_known || outer->begins_this);
      if (has_owner) name = *outer;
      name.text = joined(name.text, key);
      name.is_known = true;
      return;
    }
  }
}

const NameInferrer::BindingName& NameInferrer::binding_name(std::uint32_t binding) {
  std::vector<std::uint32_t> chain;
  for (std::uint32_t i = binding; i != kNoEntry && !binding_names_[i].is_made;
       i = bindings_[i].parent) {
    chain.push_back(i);
  }
  for (std::size_t i = chain.size(); i-- > 0;) {
    make_binding_name(bindings_[chain[i]], binding_names_[chain[i]]);
  }
  return binding_names_[binding];
}

std::string_view NameInferrer::class_around(const Scope& scope) const {
  std::uint32_t i = scope.parent;
  while (i != kNoEntry && scopes_[i].kind == ScopeKind::kFieldInitializer) i = scopes_[i].parent;
  return i == kNoEntry || scopes_[i].kind != ScopeKind::kClass ? std::string_view()
                                                               : class_names_[i];
}

std::string_view NameInferrer::owner_of_this(const Scope& scope) const {
  if (scope.parent == kNoEntry || classes_[scope.parent] == kNoEntry) return {};
  return class_names_[classes_[scope.parent]];
}

std::string NameInferrer::own_name(const Scope& scope) {
  const OriginalName found = original(scope.name);
  if (map_ == nullptr || (found.is_known && found.text != scope.name.in(text_))) {
    return std::string(found.text);
  }
  // Closure puts the name on the keyword and may leave the identifier without a segment.
  const std::string_view name = map_->name_at(positions_->position(scope.begin));
  if (!name.empty()) return std::string(name);
  return std::string(is_default_export_of_typescript(found.text) ? "default" : found.text);
}

// A function or class that is a value: by where it goes.
std::string NameInferrer::value_name(const Scope& scope) {
  if (scope.has(ScopeFlag::kCalled) || scope.has(ScopeFlag::kAccessed)) return {};
  if (scope.binding == kNoEntry) return {};
  const BindingName& name = binding_name(scope.binding);
  if (name.text.empty()) return {};
  if (name.is_field) return joined(class_around(scope), name.text);
  if (name.begins_this) return joined(owner_of_this(scope), name.text);
  return name.text;
}

bool NameInferrer::is_named_value(const Scope& scope) const {
  return scope.kind == ScopeKind::kFunction && !scope.name.empty() && scope.binding != kNoEntry;
}

std::string NameInferrer::class_name(const Scope& scope) {
  return scope.name.empty() ? value_name(scope) : own_name(scope);
}

std::string NameInferrer::member_name(const Scope& scope) {
  const std::string key = key_name(scope.name, scope.has(ScopeFlag::kComputedKey));
  if (scope.kind == ScopeKind::kGetter) return "get " + key;
  if (scope.kind == ScopeKind::kSetter) return "set " + key;
  const bool in_class = scope.parent != kNoEntry && scopes_[scope.parent].kind == ScopeKind::kClass;
  if (in_class && scope.binding == kNoEntry) return joined(class_around(scope), key);
  if (scope.binding == kNoEntry) return key;
  const BindingName& owner = binding_name(scope.binding);
  if (owner.is_field) return joined(class_around(scope), joined(owner.text, key));
  if (owner.begins_this) return joined(owner_of_this(scope), joined(owner.text, key));
  return joined(owner.is_known ? owner.text : std::string(), key);
}

std::string NameInferrer::scope_name(const Scope& scope) {
  switch (scope.kind) {
    case ScopeKind::kFunction:
    case ScopeKind::kArrow:
      return scope.name.empty() ? value_name(scope) : own_name(scope);
    case ScopeKind::kMethod:
    case ScopeKind::kGetter:
    case ScopeKind::kSetter:
      return member_name(scope);
    case ScopeKind::kConstructor: {
      const std::string_view owner = class_around(scope);
      return "new " + std::string(owner.empty() ? "<anonymous>" : owner);
    }
    case ScopeKind::kStaticBlock:
      return joined(class_around(scope), "<static_initializer>");
    case ScopeKind::kFieldInitializer:
      return joined(class_around(scope), scope.has(ScopeFlag::kStatic)
                                             ? "<static_initializer>"
                                             : "<instance_members_initializer>");
    case ScopeKind::kClass:
      return {};  // set by infer
  }
  return {};
}

ScopeNames NameInferrer::infer() {
  binding_names_.resize(bindings_.size());
  classes_.resize(scopes_.size(), kNoEntry);
  class_names_.resize(scopes_.size());
  ScopeNames result;
  for (std::uint32_t i = 0; i < scopes_.size(); ++i) {
    const Scope& scope = scopes_[i];
    std::string name;
    classes_[i] = scope.parent == kNoEntry ? kNoEntry : classes_[scope.parent];
    if (scope.kind == ScopeKind::kClass) {
      class_names_[i] = class_name(scope);
      classes_[i] = i;
      // What of a class is in none of its members (keys, heritage) runs in the function around it.
      if (scope.parent != kNoEntry) name = result.names[scope.parent];
    } else {
      name = scope_name(scope);
      const bool is_function = scope.kind == ScopeKind::kFunction && looks_like_constructor(name);
      if (is_function && name.find('.') == name.npos) {
        class_names_[i] = name;
        classes_[i] = i;
      }
    }
    result.names.add(name);
    result.assigned.add(is_named_value(scope) ? value_name(scope) : std::string());
  }
  return result;
}

}  // namespace

ScopeNames infer_names(const NameInputs& inputs) {
  return NameInferrer(inputs).infer();
}

}  // namespace twofold::js
