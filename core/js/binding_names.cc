#include "core/js/binding_names.h"

#include <algorithm>

#include "core/js/lexer.h"

namespace twofold::js {
namespace {

constexpr std::string_view kComputed = "<computed>";

bool is_quote(char c) {
  return c == '"' || c == '\'';
}

// The text between the quotes, as it is written.
std::string_view without_quotes(std::string_view text) {
  return text.size() >= 2 && is_quote(text[0]) ? text.substr(1, text.size() - 2) : text;
}

// At most kMaxNameBytes, cut at a whole character.
std::string_view clipped(std::string_view name) {
  if (name.size() <= kMaxNameBytes) return name;
  std::size_t size = kMaxNameBytes;
  while (size > 0 && (static_cast<std::uint8_t>(name[size]) & 0xC0) == 0x80) --size;
  return name.substr(0, size);
}

}  // namespace

std::string join_names(std::string_view owner, std::string_view name) {
  if (owner.empty() || owner.size() + name.size() >= kMaxNameBytes)
    return std::string(clipped(name));
  std::string text(owner);
  if (!name.empty() && name[0] != '[') text += '.';
  text += name;
  return text;
}

BindingNames::BindingNames(std::string_view text, const FunctionScopes& scopes,
                           const TextPositions* positions, MapNames* map)
    : text_(text),
      bindings_(scopes.bindings),
      positions_(positions),
      map_(map),
      made_(scopes.bindings.size(), kNoEntry) {}

OriginalName BindingNames::original(TextSpan identifier) {
  const std::string_view text = identifier.in(text_);
  if (map_ == nullptr) return {clipped(text), true};
  const OriginalName found = map_->find(positions_->position(identifier.begin), text);
  return {clipped(found.text), found.is_known};
}

const BindingName& BindingNames::name_of(std::uint32_t binding) {
  std::vector<std::uint32_t> chain;
  for (std::uint32_t i = binding; i != kNoEntry && made_[i] == kNoEntry; i = bindings_[i].parent) {
    chain.push_back(i);
  }
  for (std::size_t i = chain.size(); i-- > 0;) {
    BindingName name = make_name(bindings_[chain[i]]);
    made_[chain[i]] = static_cast<std::uint32_t>(names_.size());
    names_.push_back(std::move(name));
  }
  return names_[made_[binding]];
}

// The parent's name is made already.
BindingName BindingNames::make_name(const Binding& binding) {
  switch (binding.kind) {
    case BindingKind::kAssignment:
      return chain_name(binding.text);
    case BindingKind::kProperty:
      return property_name(binding, key_name(binding.text, false));
    case BindingKind::kComputedProperty:
      return property_name(binding, key_name(binding.text, true));
    case BindingKind::kField:
      return {key_name(binding.text, false), true, true, false};
    case BindingKind::kComputedField:
      return {key_name(binding.text, true), true, true, false};
    case BindingKind::kArgument:
      return {};
    case BindingKind::kElement:
      return binding.parent == kNoEntry ? BindingName{} : names_[made_[binding.parent]];
    case BindingKind::kExport:
      return {"default", false, false, false};
    case BindingKind::kDescriptorValue:
      return {join_names(described_class(binding), key_name(binding.text, false)), true, false,
              false};
    case BindingKind::kDescriptorGetter:
      return {"get " + key_name(binding.text, false), false, false, false};
    case BindingKind::kDescriptorSetter:
      return {"set " + key_name(binding.text, false), false, false, false};
  }
  return {};
}

// What owns the property stands before it, unless that is a minifier's word.
BindingName BindingNames::property_name(const Binding& binding, const std::string& key) const {
  BindingName name;
  if (binding.parent != kNoEntry) {
    const BindingName& owner = names_[made_[binding.parent]];
    if (owner.is_known || owner.begins_this) name = owner;
  }
  name.text = join_names(name.text, key);
  name.is_known = true;
  return name;
}

std::string BindingNames::key_name(TextSpan key, bool is_computed) {
  const std::string_view text = key.in(text_);
  if (is_computed) return computed_name(text);
  if (text.empty() || is_quote(text[0]) || char_class(text[0]) == CharClass::kDigit ||
      text[0] == '.') {
    return std::string(clipped(without_quotes(text)));
  }
  std::string name(original(key).text);
  if (text[0] == '#' && name[0] != '#') name.insert(0, 1, '#');
  return name;
}

// `text` is what stands between the brackets.
std::string BindingNames::computed_name(std::string_view text) const {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (text.size() >= 2 && is_quote(text[0]) && text.find(text[0], 1) == text.size() - 1) {
    return std::string(clipped(without_quotes(text)));
  }
  constexpr std::string_view kSymbol = "Symbol.";
  const char* const end = text.data() + text.size();
  if (text.substr(0, kSymbol.size()) == kSymbol && text.size() < kMaxNameBytes &&
      skip_identifier(text.data() + kSymbol.size(), end) == end) {
    return '[' + std::string(text) + ']';
  }
  return std::string(kComputed);
}

// `a.b[0]["c"]` is a.b.<computed>.c. Calls leave no trace: `f(x).y` is f.y.
BindingName BindingNames::chain_name(TextSpan span) {
  const char* const begin = text_.data();
  const char* const end = begin + span.end;
  const auto offset = [begin](const char* at) { return static_cast<std::uint32_t>(at - begin); };
  BindingName name;
  bool is_first = true;
  unsigned depth = 0;
  const char* outermost = begin + span.begin;  // the open bracket that nothing is around
  for (const char* at = begin + span.begin; at != end;) {
    const char c = *at;
    const char after = end - at > 1 ? at[1] : '\0';
    if (is_quote(c)) {
      at = skip_string(at, end);
    } else if (c == '/' && after == '*') {
      at = skip_block_comment(at, end).next;
    } else if (c == '/' && after == '/') {
      at = skip_to_line_break(at, end);
    } else if (c == '(' || c == '[' || c == '{') {
      if (depth++ == 0) outermost = at;
      ++at;
    } else if (c == ')' || c == ']' || c == '}') {
      if (depth == 1 && c == ']' && *outermost == '[' && !is_first) {
        name.text = join_names(name.text, key_name({offset(outermost + 1), offset(at)}, true));
      }
      if (depth != 0) --depth;
      ++at;
    } else if (depth == 0 && (c == '#' || begins_identifier(at, end))) {
      const char* const to = skip_identifier(c == '#' ? at + 1 : at, end);
      add_word({offset(at), offset(to)}, is_first, name);
      is_first = false;
      at = to;
    } else {
      ++at;
    }
  }
  return name;
}

void BindingNames::add_word(TextSpan word, bool is_first, BindingName& name) {
  const OriginalName found = original(word);
  if (is_first) name.is_known = found.is_known;
  if (is_first && found.text == "this") {
    name.begins_this = true;
  } else {
    name.text = join_names(name.text, found.text);
  }
}

// The class that a lowered member belongs to, `A` in `create(A, [{key: "b", value: function ()
// {}}])`, if the map knows it.
std::string BindingNames::described_class(const Binding& binding) {
  if (binding.parent == kNoEntry) return {};
  const Binding& list = bindings_[binding.parent];
  if (list.kind != BindingKind::kElement || list.parent == kNoEntry) return {};
  const Binding& call = bindings_[list.parent];
  if (call.kind != BindingKind::kArgument) return {};
  const std::uint32_t begin = call.text.end + 1;
  if (begin > text_.size()) return {};
  const char* const from = text_.data() + begin;
  const std::size_t size = std::min(kMaxNameBytes, text_.size() - begin);
  const char* const to = skip_identifier(from, from + size);
  if (from == to || to == from + kMaxNameBytes) return {};
  const OriginalName found = original({begin, begin + static_cast<std::uint32_t>(to - from)});
  return found.is_known ? std::string(found.text) : std::string();
}

}  // namespace twofold::js
