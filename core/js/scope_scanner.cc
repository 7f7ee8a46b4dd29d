// The loop over the tokens, and all that real text needs most: one unit, so that it becomes one
// function. See scope_scanner.h for the idea.
#include "core/js/scope_scanner.h"

namespace twofold::js {

void ScopeScanner::scan_text(std::string_view text, FunctionScopes& out) {
  out.scopes.clear();
  out.bindings.clear();
  out.comments = {};
  out.is_plausible = true;
  late_.clear();
  if (text.empty() || text.size() >= kUnresolved) return;
  begin_ = text.data();
  stop_ = end_ = begin_ + text.size();
  out_ = &out;
  make_room_for_records(text.size());
  state_ = State::kStatement;
  context_ = kInNoFunction;
  is_module_ = false;
  previous_end_ = operand_ = last_line_break_ = begin_;
  brace_depth_ = closed_paren_scopes_ = 0;
  closed_paren_ = last_function_end_ = nullptr;
  last_function_ = kNoEntry;
  if (stack_.empty()) grow_stack();
  top_ = stack_.data();
  push(FrameKind::kProgram, begin_);

  Cursor at = begin_;
  if (text.substr(0, 3) == "\xEF\xBB\xBF") at += 3;
  if (text.substr(static_cast<std::size_t>(at - begin_), 2) == "#!") {
    at = skip_to_line_break(at, end_);
  }
  while (at < stop_) at = scan_token(at);
  close_all();
  sort_scopes();
  link_parents();
}

// By jumps that each ask one question, the most frequent tokens first, and not by a jump table (see
// CMakeLists.txt): processors predict the former from what came before, the latter hardly at all.
[[gnu::always_inline]] inline ScopeScanner::Cursor ScopeScanner::scan_token(Cursor at) {
  const CharClass kind = char_class(*at);
  if (kind <= CharClass::kDigit) return on_word(at);
  if (kind == CharClass::kDot) return on_dot(at);
  if (kind == CharClass::kComma) return on_comma(at);
  if (kind == CharClass::kOpenParen) return open_paren(at);
  if (kind == CharClass::kCloseParen) return close_paren(at);
  if (kind == CharClass::kEquals) return on_equals(at);
  switch (kind) {
    case CharClass::kIdentifier:
    case CharClass::kDigit:
    case CharClass::kDot:
    case CharClass::kComma:
    case CharClass::kOpenParen:
    case CharClass::kCloseParen:
    case CharClass::kEquals:
      break;  // above
    case CharClass::kSpace:
      return at + 1;
    case CharClass::kLineBreak:
      last_line_break_ = at;
      return skip_indentation(at + 1, end_);
    case CharClass::kSemicolon:
      return on_semicolon(at);
    case CharClass::kOpenBrace:
      return open_brace(at);
    case CharClass::kCloseBrace:
      return close_brace(at);
    case CharClass::kOpenBracket:
      return open_bracket(at);
    case CharClass::kCloseBracket:
      return close_bracket(at);
    case CharClass::kQuote:
      return on_string(at);
    case CharClass::kOperator:
      return on_operator(at);
    case CharClass::kBang:
      return on_bang(at);
    case CharClass::kPlusMinus:
      return on_plus_minus(at);
    case CharClass::kLess:
      return on_less(at);
    case CharClass::kColon:
      return on_colon(at);
    case CharClass::kQuestion:
      return on_question(at);
    case CharClass::kSlash:
      return on_slash(at);
    case CharClass::kBacktick:
      return on_template(at);
    case CharClass::kHash:
      return on_value(at, skip_identifier(at + 1, end_));
    case CharClass::kUnusual:
      return on_unusual(at);
    case CharClass::kOther:
      doubt();
      return at + 1;
  }
  return at + 1;
}

// A name or a number. `a.b.c` is read at once: to what follows, it is one operand that begins at
// `a`. So is `1.5`; of `1e-5` the exponent passes for an operand of its own, which nobody assigns
// to and nobody calls.
inline ScopeScanner::Cursor ScopeScanner::on_word(Cursor at) {
  if (state_ < State::kOperator && ends_path(char_class(byte_at(at + 1)))) {
    return take_operand(at, at + 1);  // half of all words have one letter
  }
  const Path path = find_path(at, end_);
  if (path.end == nullptr || state_ >= State::kOperator) [[unlikely]]
    return on_single_word(at);
  const Keyword keyword = find_keyword(at, static_cast<std::size_t>(path.word_end - at), end_);
  if (keyword != Keyword::kNone) return on_keyword(keyword, at, path.word_end);
  return take_operand(at, path.end);
}

// The same without a look at what a dot joins to it.
ScopeScanner::Cursor ScopeScanner::on_single_word(Cursor at) {
  if (char_class(*at) == CharClass::kDigit) return on_value(at, skip_number(at, end_));
  const Cursor to = skip_identifier(at, end_);
  const auto size_bytes = static_cast<std::size_t>(to - at);
  const Keyword keyword = find_keyword(at, size_bytes, end_);
  if (keyword != Keyword::kNone) return on_keyword(keyword, at, to);
  return on_identifier(at, to);
}

ScopeScanner::Cursor ScopeScanner::on_identifier(Cursor from, Cursor to) {
  if (state_ >= State::kOperator) [[unlikely]] {
    return on_second_identifier(from, to);
  }
  return take_operand(from, to);
}

// An identifier behind an operand: `of`, or the start of a statement.
ScopeScanner::Cursor ScopeScanner::on_second_identifier(Cursor from, Cursor to) {
  if (top_->kind == FrameKind::kForHead && text(from, to) == "of") {
    previous_end_ = to;
    state_ = State::kOperand;
    top_->is_before_in = false;
    return to;
  }
  const Cursor next = on_operand_after_operand(from);
  return next != from ? next : take_operand(from, to);
}

// A number, string, regular expression or private name.
ScopeScanner::Cursor ScopeScanner::on_value(Cursor from, Cursor to) {
  if (state_ >= State::kOperator) [[unlikely]] {
    const Cursor next = on_operand_after_operand(from);
    if (next != from) return next;
  }
  return take_operand(from, to);
}

inline ScopeScanner::Cursor ScopeScanner::on_string(Cursor at) {
  const Cursor to = skip_string(at, end_);
  if (to[-1] != *at || to - at == 1) doubt();
  return on_value(at, to);
}

inline ScopeScanner::Cursor ScopeScanner::on_dot(Cursor at) {
  Cursor next = at + 1;
  if (next != end_ && char_class(*next) != CharClass::kIdentifier) {
    if (char_class(*next) == CharClass::kDigit) return on_value(at, skip_number(at, end_));
    if (*next == '.') {  // `...x`
      state_ = State::kOperand;
      return next + (byte_at(next + 1) == '.' ? 2 : 1);
    }
    next = skip_trivia(next);
    if (byte_at(next) == '#') ++next;
  }
  const Path path = find_path(next, end_);
  next = path.end != nullptr ? path.end : skip_identifier(next, end_);
  previous_end_ = next;
  state_ = State::kOperator;
  return next;
}

inline ScopeScanner::Cursor ScopeScanner::on_comma(Cursor at) {
  end_unbracketed();
  clear_slot();
  if (top_->kind == FrameKind::kObject) return on_object_keys(at + 1);
  state_ = State::kOperand;
  return at + 1;
}

inline ScopeScanner::Cursor ScopeScanner::on_semicolon(Cursor at) {
  end_unbracketed();
  if (top_->kind == FrameKind::kClassBody) return on_class_members(at);
  end_statement();
  if (!holds_statements(top_->kind)) state_ = State::kOperand;
  top_->is_before_in = false;
  return at + 1;
}

inline ScopeScanner::Cursor ScopeScanner::on_colon(Cursor at) {
  while (is_unbracketed(top_->kind) && top_->conditionals == 0) end_innermost();
  if (top_->conditionals != 0) {
    --top_->conditionals;
    state_ = State::kOperand;
  } else if (holds_statements(top_->kind)) {  // a label, or `case x:`
    if (follows_declarator()) doubt();
    end_statement();
    state_ = State::kSubstatement;
  } else {
    doubt();
    state_ = State::kOperand;
  }
  return at + 1;
}

inline ScopeScanner::Cursor ScopeScanner::on_equals(Cursor at) {
  const char next = byte_at(at + 1);
  if (next == '>') return on_arrow(at + 2);
  state_ = State::kOperand;
  if (next == '=') return at + (byte_at(at + 2) == '=' ? 3 : 2);
  set_slot(BindingKind::kAssignment, left_side(), at + 1);
  return at + 1;
}

// Operators that only stand between operands. `a &&= b` names b like `a = b`; whether the other
// compound assignments do makes no difference, no function can be added or shifted.
inline ScopeScanner::Cursor ScopeScanner::on_operator(Cursor at) {
  if (state_ == State::kEnded) [[unlikely]] {  // `a = () => {}` and then, in a class, `*b() {}`
    const Cursor next = on_operand_after_operand(at);
    if (next != at) return next;
  }
  state_ = State::kOperand;
  Cursor next = at + 1;
  while (next != end_ && char_class(*next) == CharClass::kOperator) ++next;
  if (byte_at(next) != '=') return next;
  if (byte_at(next + 1) == '=') return next + 1;
  if (*at == '&' || *at == '|') set_slot(BindingKind::kAssignment, left_side(), next + 1);
  return next + 1;
}

inline ScopeScanner::Cursor ScopeScanner::on_bang(Cursor at) {
  if (*at == '!' && byte_at(at + 1) == '=') {
    state_ = State::kOperand;
    return at + (byte_at(at + 2) == '=' ? 3 : 2);
  }
  if (state_ >= State::kOperator) {
    const Cursor next = on_operand_after_operand(at);
    if (next != at) return next;
  }
  state_ = State::kOperand;
  return at + 1;
}

inline ScopeScanner::Cursor ScopeScanner::open_paren(Cursor at) {
  if (state_ > State::kOperator) [[unlikely]] {
    const Cursor next = on_operand_after_operand(at);
    if (next != at) return next;
  }
  const bool is_call = state_ == State::kOperator;
  if (!is_call) operand_ = at;
  push(is_call ? FrameKind::kCall : FrameKind::kGroup, at);
  top_->scope = static_cast<std::uint32_t>(out_->scopes.size());
  state_ = State::kOperand;
  return at + 1;
}

inline ScopeScanner::Cursor ScopeScanner::close_paren(Cursor at) {
  end_unbracketed();
  const FrameKind kind = top_->kind;
  if (kind != FrameKind::kGroup && kind != FrameKind::kCall) return close_head(at);
  closed_paren_ = top_->open;
  closed_paren_scopes_ = top_->scope;
  const bool closes_function = kind == FrameKind::kGroup && previous_end_ == last_function_end_;
  pop();
  previous_end_ = at + 1;
  state_ = State::kOperator;
  if (closes_function) [[unlikely]]
    note_function_end(last_function_);
  return at + 1;
}

// `)` of a statement's head or of a function's parameters, or one that closes nothing.
ScopeScanner::Cursor ScopeScanner::close_head(Cursor at) {
  const FrameKind kind = top_->kind;
  if (kind == FrameKind::kParams) return close_params(at + 1);
  if (!is_closed_by_paren(kind)) {
    doubt();
    return is_closed_by_bracket(kind) ? close_bracket(at) : at + 1;
  }
  pop();
  previous_end_ = at + 1;
  state_ = State::kSubstatement;
  return at + 1;
}

inline ScopeScanner::Cursor ScopeScanner::open_bracket(Cursor at) {
  const bool is_index = state_ == State::kOperator;
  if (state_ > State::kOperator) [[unlikely]] {
    const Cursor next = on_operand_after_operand(at);
    if (next != at) return next;
  }
  if (!is_index) operand_ = at;
  push(is_index ? FrameKind::kIndex : FrameKind::kArray, at);
  state_ = State::kOperand;
  return at + 1;
}

ScopeScanner::Cursor ScopeScanner::close_bracket(Cursor at) {
  end_unbracketed();
  const FrameKind kind = top_->kind;
  if (!is_closed_by_bracket(kind)) {
    if (byte_at(at) == ']') doubt();
    if (!is_closed_by_paren(kind)) return at + 1;
  }
  if (kind == FrameKind::kParams) return close_params(at + 1);
  const Cursor open = top_->open;
  pop();
  previous_end_ = at + 1;
  state_ = State::kOperator;
  if (kind == FrameKind::kObjectKey || kind == FrameKind::kClassKey) {
    top_->slot = {open + 1, at};
    return on_computed_key_end(at + 1);
  }
  return at + 1;
}

inline ScopeScanner::Cursor ScopeScanner::open_brace(Cursor at) {
  if (state_ >= State::kOperator) {
    if (top_->kind == FrameKind::kHeritage && state_ == State::kOperator)
      return open_class_body(at);
    const Cursor next = on_operand_after_operand(at);
    if (next != at) return next;
  }
  ++brace_depth_;
  if (state_ <= State::kStatement) {
    push(FrameKind::kBlock, at);
    state_ = State::kStatement;
    return at + 1;
  }
  operand_ = at;
  push(FrameKind::kObject, at);
  top_->described = nullptr;
  return on_object_keys(at + 1);
}

ScopeScanner::Cursor ScopeScanner::close_brace(Cursor at) {
  end_unbracketed();
  if (brace_depth_ == 0) {
    doubt();
    end_statement();
    return at + 1;
  }
  while (!is_closed_by_brace(top_->kind)) {
    if (!is_unbracketed(top_->kind)) doubt();
    end_innermost();
  }
  --brace_depth_;
  switch (top_->kind) {
    case FrameKind::kFunctionBody:
    case FrameKind::kClassBody:
      return close_function(at);
    case FrameKind::kObject:
      return close_object(at);
    case FrameKind::kSubstitution:
      pop();
      state_ = State::kOperator;
      return on_template(at);
    default:
      break;
  }
  pop();
  previous_end_ = at + 1;
  state_ = State::kStatement;
  return at + 1;
}

}  // namespace twofold::js
