#include "core/js/binding_names.h"

#include <algorithm>

#include "core/base/make_room.h"
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

void extend_name(std::string& owner, std::string_view name) {
  if (owner.empty() || owner.size() + name.size() >= kMaxNameBytes) {
    owner = clipped(name);
    return;
  }
  if (!name.empty() && name[0] != '[') owner += '.';
  owner += name;
}

void BindingNames::assign(std::string_view text, const std::vector<Binding>& bindings,
                          const TextPositions* positions, MapNames* map) {
  text_ = text;
  bindings_ = bindings;
  positions_ = positions;
  map_ = map;
  budget_bytes_ = text.size() * 8 + 4096;
  made_.clear();
  make_room(bindings.size(), made_);
  made_.resize(bindings.size(), kNoEntry);
  names_.clear();
  make_room(bindings.size(), names_);
  texts_.clear();
  make_room(bindings.size() * 16, texts_);
  joined_.reserve(kMaxNameBytes * 2);
  key_.reserve(kMaxNameBytes * 2);
  make_room(0, chain_);
}

OriginalName BindingNames::original(TextSpan identifier) {
  const std::string_view text = identifier.in(text_);
  if (map_ == nullptr) return {clipped(text), true};
  const OriginalName found = map_->find(positions_->position(identifier.begin), text);
  return {clipped(found.text), found.is_known};
}

BindingName BindingNames::name_of(std::uint32_t binding) {
  chain_.clear();
  for (std::uint32_t i = binding; i != kNoEntry && made_[i] == kNoEntry; i = bindings_[i].parent) {
    chain_.push_back(i);
  }
  for (std::size_t i = chain_.size(); i-- > 0;) {
    const Made made = make_name(bindings_[chain_[i]]);
    made_[chain_[i]] = static_cast<std::uint32_t>(names_.size());
    names_.push_back(made);
  }
  const Made& made = names_[made_[binding]];
  return {text_of(made), made.is_known, made.is_field, made.begins_this};
}

BindingNames::Made BindingNames::store(std::string_view text, Made made) {
  made.begin = texts_.size();
  made.size = static_cast<std::uint32_t>(text.size());
  texts_ += text;
  return made;
}

// The parent's name is made already.
BindingNames::Made BindingNames::make_name(const Binding& binding) {
  switch (binding.kind) {
    case BindingKind::kAssignment:
      return make_chain(binding.text);
    case BindingKind::kProperty:
    case BindingKind::kComputedProperty:
      return make_property(binding);
    case BindingKind::kField:
    case BindingKind::kComputedField:
      return store(key_name(binding.text, binding.kind == BindingKind::kComputedField),
                   {.is_known = true, .is_field = true});
    case BindingKind::kArgument:
      return {};
    case BindingKind::kElement:
      return binding.parent == kNoEntry ? Made{} : names_[made_[binding.parent]];
    case BindingKind::kExport:
      return store("default", {});
    case BindingKind::kDescriptorValue:
      joined_ = described_class(binding);
      extend_name(joined_, key_name(binding.text, false));
      return store(joined_, {.is_known = true});
    case BindingKind::kDescriptorGetter:
    case BindingKind::kDescriptorSetter:
      joined_ = binding.kind == BindingKind::kDescriptorGetter ? "get " : "set ";
      joined_ += key_name(binding.text, false);
      return store(joined_, {});
  }
  return {};
}

// What owns the property stands before it, unless that is a minifier's word. A million properties
// of an object with a long name would repeat that name a million times, hence the budget.
BindingNames::Made BindingNames::make_property(const Binding& binding) {
  Made made;
  joined_.clear();
  if (binding.parent != kNoEntry) {
    const Made& owner = names_[made_[binding.parent]];
    if ((owner.is_known || owner.begins_this) && owner.size <= budget_bytes_) {
      made = owner;
      joined_ = text_of(owner);
      budget_bytes_ -= owner.size;
    }
  }
  made.is_known = true;
  extend_name(joined_, key_name(binding.text, binding.kind == BindingKind::kComputedProperty));
  return store(joined_, made);
}

std::string_view BindingNames::key_name(TextSpan key, bool is_computed) {
  const std::string_view text = key.in(text_);
  if (is_computed) return computed_name(text);
  if (text.empty() || is_quote(text[0]) || char_class(text[0]) == CharClass::kDigit ||
      text[0] == '.') {
    return clipped(without_quotes(text));
  }
  const std::string_view name = original(key).text;
  if (text[0] != '#' || name.starts_with('#')) return name;
  key_ = '#';
  key_ += name;
  return key_;
}

// `text` is what stands between the brackets.
std::string_view BindingNames::computed_name(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (text.size() >= 2 && is_quote(text[0]) && text.find(text[0], 1) == text.size() - 1) {
    return clipped(without_quotes(text));
  }
  constexpr std::string_view kSymbol = "Symbol.";
  const char* const end = text.data() + text.size();
  if (text.substr(0, kSymbol.size()) == kSymbol && text.size() < kMaxNameBytes &&
      skip_identifier(text.data() + kSymbol.size(), end) == end) {
    key_ = '[';
    key_ += text;
    key_ += ']';
    return key_;
  }
  return kComputed;
}

// `a.b[0]["c"]` is a.b.<computed>.c. Calls leave no trace: `f(x).y` is f.y.
BindingNames::Made BindingNames::make_chain(TextSpan span) {
  const char* const begin = text_.data();
  const char* const end = begin + span.end;
  const auto offset = [begin](const char* at) { return static_cast<std::uint32_t>(at - begin); };
  Made made;
  joined_.clear();
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
        extend_name(joined_, key_name({offset(outermost + 1), offset(at)}, true));
      }
      if (depth != 0) --depth;
      ++at;
    } else if (depth == 0 && (c == '#' || begins_identifier(at, end))) {
      const char* const to = skip_identifier(c == '#' ? at + 1 : at, end);
      add_word({offset(at), offset(to)}, is_first, made);
      is_first = false;
      at = to;
    } else {
      ++at;
    }
  }
  return store(joined_, made);
}

void BindingNames::add_word(TextSpan word, bool is_first, Made& made) {
  const OriginalName found = original(word);
  if (is_first) made.is_known = found.is_known;
  if (is_first && found.text == "this") {
    made.begins_this = true;
  } else {
    extend_name(joined_, found.text);
  }
}

// The class that a lowered member belongs to, `A` in `create(A, [{key: "b", value: function ()
// {}}])`, if the map knows it.
std::string_view BindingNames::described_class(const Binding& binding) {
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
  return found.is_known ? found.text : std::string_view();
}

}  // namespace twofold::js
