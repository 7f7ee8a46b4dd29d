// The members of classes and the keys of object literals, read up to where an expression or a
// function begins.
#include <cstddef>

#include "core/js/scope_scanner.h"

namespace twofold::js {
namespace {

// A longer `key` names no method, and is not read once for every property beside it.
constexpr std::ptrdiff_t kLongestDescribed = 512;

constexpr std::uint16_t kGet = 0x4000;
constexpr std::uint16_t kSet = 0x8000;

constexpr std::uint16_t bit(ScopeFlag flag) {
  return static_cast<std::uint16_t>(flag);
}

std::uint16_t modifier(std::string_view word) {
  if (word == "static") return bit(ScopeFlag::kStatic);
  if (word == "async") return bit(ScopeFlag::kAsync);
  if (word == "get") return kGet;
  if (word == "set") return kSet;
  return 0;
}

}  // namespace

// `at` is where a member can begin. Reads members until one has an expression or a function to
// scan.
ScopeScanner::Cursor ScopeScanner::on_class_members(Cursor at) {
  end_field();
  for (;;) {
    clear_slot();
    top_->conditionals = 0;
    at = skip_trivia(at);
    const char c = byte_at(at);
    if (at == end_) return at;
    if (c == '}') return close_brace(at);
    if (c == ';') {
      ++at;
      continue;
    }
    top_->slot_at = at;
    at = skip_modifiers(at, true);
    if (byte_at(at) == '{' && top_->member_flags == bit(ScopeFlag::kStatic))
      return open_static_block(at);
    if (byte_at(at) == '[') return open_key(FrameKind::kClassKey, at);
    const Cursor key_end = skip_key(at);
    if (key_end == at) {  // not JavaScript; also a decorator's @
      doubt();
      if (at != end_) ++at;
      continue;
    }
    top_->slot = {at, key_end};
    bool is_done = false;
    at = on_class_key_end(key_end, is_done);
    if (is_done) return at;
  }
}

// The value of the field that was being read, if one was, ends with the last token.
void ScopeScanner::end_field() {
  if (top_->has_slot) out_->scopes[top_->field].end = offset(previous_end_);
}

// The key of a class member ends before `at`. Done if something is left to scan.
ScopeScanner::Cursor ScopeScanner::on_class_key_end(Cursor at, bool& is_done) {
  previous_end_ = at;
  at = skip_trivia(at);
  const char c = byte_at(at);
  is_done = true;
  if (c == '(') return open_method(at, After::kClassMember);
  if (c == '=') {
    const bool is_computed = (top_->member_flags & bit(ScopeFlag::kComputedKey)) != 0;
    const auto flags = static_cast<std::uint16_t>(top_->member_flags & bit(ScopeFlag::kStatic));
    top_->field = add_scope(ScopeKind::kFieldInitializer, at + 1, span(top_->slot), flags);
    set_slot(is_computed ? BindingKind::kComputedField : BindingKind::kField, top_->slot, at + 1);
    state_ = State::kOperand;
    return at + 1;
  }
  if (c != ';' && c != '}' && !line_break_before()) doubt();
  is_done = false;
  return at;
}

// `at` is behind `{` or `,` in an object literal. Reads keys until one has a value to scan, and the
// closing brace if that comes first.
ScopeScanner::Cursor ScopeScanner::on_object_keys(Cursor at) {
  for (;;) {
    at = skip_trivia(at);
    const char c = byte_at(at);
    if (at == end_) return at;
    if (c == '}') return close_brace(at);
    if (c == ',') {
      ++at;
      continue;
    }
    if (c == '.' && end_ - at > 1 && at[1] == '.') {  // `...x`
      state_ = State::kOperand;
      while (byte_at(at) == '.') ++at;
      return at;
    }
    at = skip_modifiers(at, false);
    if (byte_at(at) == '[') return open_key(FrameKind::kObjectKey, at);
    const Cursor key_end = skip_key(at);
    if (key_end == at) {  // not JavaScript
      doubt();
      state_ = State::kOperand;
      return at;
    }
    top_->slot = {at, key_end};
    bool is_done = false;
    at = on_object_key_end(key_end, is_done);
    if (is_done) return at;
  }
}

ScopeScanner::Cursor ScopeScanner::on_object_key_end(Cursor at, bool& is_done) {
  previous_end_ = at;
  at = skip_trivia(at);
  const bool is_computed = (top_->member_flags & bit(ScopeFlag::kComputedKey)) != 0;
  const BindingKind kind = is_computed ? BindingKind::kComputedProperty : BindingKind::kProperty;
  is_done = true;
  switch (byte_at(at)) {
    case '(':
      return open_method(at, After::kOperator);
    case ':':
      on_property(kind, at + 1);
      break;
    case '=':
      set_slot(BindingKind::kAssignment, top_->slot, at + 1);
      break;  // {a = 1} in a pattern
    case ',':
      is_done = false;
      return at + 1;
    default:
      if (byte_at(at) != '}') doubt();
      state_ = State::kOperator;
      return at;
  }
  state_ = State::kOperand;
  return at + 1;
}

// A property's key is complete; its value begins at or behind `at`. In a method as Babel and others
// lower it, `{key: "name", value: function () {}}`, the value goes to that name.
void ScopeScanner::on_property(BindingKind kind, Cursor at) {
  const std::string_view key = text(top_->slot.begin, top_->slot.end);
  if (key == "key") {
    const Cursor value = skip_trivia(at);
    const char quote = byte_at(value);
    const bool is_string = quote == '"' || quote == '\'';
    if (is_string && skip_string(value, end_) - value < kLongestDescribed) top_->described = value;
  } else if (top_->described != nullptr && (key == "value" || key == "get" || key == "set")) {
    const Range name{top_->described, skip_string(top_->described, end_)};
    kind = key == "value" ? BindingKind::kDescriptorValue
           : key == "get" ? BindingKind::kDescriptorGetter
                          : BindingKind::kDescriptorSetter;
    set_slot(kind, name, at);
    return;
  }
  set_slot(kind, top_->slot, at);
}

// Where a computed key has ended before `at`; its frame is popped.
ScopeScanner::Cursor ScopeScanner::on_computed_key_end(Cursor at) {
  bool is_done = false;
  if (top_->kind == FrameKind::kObject) {
    at = on_object_key_end(at, is_done);
    return is_done ? at : on_object_keys(at);
  }
  at = on_class_key_end(at, is_done);
  return is_done ? at : on_class_members(at);
}

// `[` of a computed key.
ScopeScanner::Cursor ScopeScanner::open_key(FrameKind kind, Cursor at) {
  top_->member_flags =
      static_cast<std::uint16_t>(top_->member_flags | bit(ScopeFlag::kComputedKey));
  const std::uint8_t outside = kind == FrameKind::kClassKey ? top_->context : context_;
  push(kind, at);
  context_ =
      outside;  // in a class, `yield` and `await` in a key mean what they mean around the class
  state_ = State::kOperand;
  return at + 1;
}

// Behind `static`, `async`, `get`, `set` and `*` where a key still follows them; a word that a key
// does not follow is the key itself. Sets member_flags.
ScopeScanner::Cursor ScopeScanner::skip_modifiers(Cursor at, bool in_class) {
  std::uint16_t flags = 0;
  const char first = byte_at(at);
  if (first != 's' && first != 'a' && first != 'g' && first != '*') {  // most keys
    top_->member_flags = 0;
    return at;
  }
  for (;;) {
    if (byte_at(at) == '*') {
      flags = static_cast<std::uint16_t>(flags | bit(ScopeFlag::kGenerator));
      at = skip_trivia(at + 1);
      break;
    }
    const Cursor word_end = skip_identifier(at, end_);
    const std::uint16_t found = modifier(text(at, word_end));
    if (found == 0 || (found == bit(ScopeFlag::kStatic) && (!in_class || flags != 0))) break;
    const Cursor found_end = word_end;
    const Cursor next = skip_trivia(word_end);
    const char c = byte_at(next);
    const bool has_line_break = last_line_break_ >= found_end;
    const bool takes_star =
        found == bit(ScopeFlag::kStatic) || (found == bit(ScopeFlag::kAsync) && !has_line_break);
    const bool takes_key = !(found == bit(ScopeFlag::kAsync) && has_line_break);
    const bool has_key = takes_key && (c == '[' || skip_key(next) != next);
    const bool is_block = found == bit(ScopeFlag::kStatic) && c == '{';
    if (!has_key && !(takes_star && c == '*') && !is_block) break;
    flags = static_cast<std::uint16_t>(flags | found);
    at = next;
    if (found != bit(ScopeFlag::kStatic) && found != bit(ScopeFlag::kAsync)) break;
  }
  top_->member_flags = flags;
  return at;
}

// Behind a name, `#name`, string or number; `at` if none is there.
ScopeScanner::Cursor ScopeScanner::skip_key(Cursor at) {
  const char c = byte_at(at);
  if (c == '"' || c == '\'') return skip_string(at, end_);
  if (c == '#') return skip_identifier(at + 1, end_);
  const bool is_fraction = c == '.' && end_ - at > 1 && char_class(at[1]) == CharClass::kDigit;
  if (char_class(c) == CharClass::kDigit || is_fraction) return skip_number(at, end_);
  return begins_identifier(at, end_) ? skip_identifier(at, end_) : at;
}

// `at` is the `(` of a method whose key is the slot.
ScopeScanner::Cursor ScopeScanner::open_method(Cursor at, After after) {
  const std::uint16_t flags = top_->member_flags;
  const Range key = top_->slot;
  ScopeKind kind = ScopeKind::kMethod;
  if ((flags & kGet) != 0) kind = ScopeKind::kGetter;
  if ((flags & kSet) != 0) kind = ScopeKind::kSetter;
  if (flags == 0 && after == After::kClassMember && is_constructor_key(key)) {
    kind = ScopeKind::kConstructor;
  }
  const auto kept = static_cast<std::uint16_t>(flags & ~(kGet | kSet));
  open_function(kind, {at, at}, span(key), kept, false);
  top_->after = after;
  return at + 1;
}

bool ScopeScanner::is_constructor_key(Range key) const {
  const std::string_view name = text(key.begin, key.end);
  return name == "constructor" || name == "'constructor'" || name == "\"constructor\"";
}

// `at` is the brace of `static {`.
ScopeScanner::Cursor ScopeScanner::open_static_block(Cursor at) {
  const Cursor from = top_->slot_at;
  const std::uint32_t scope = add_scope(ScopeKind::kStaticBlock, from, {}, bit(ScopeFlag::kStatic));
  push(FrameKind::kFunctionBody, at);
  top_->scope = scope;
  top_->after = After::kClassMember;
  context_ = 0;
  ++brace_depth_;
  state_ = State::kStatement;
  return at + 1;
}

}  // namespace twofold::js
