// The loop over the tokens: punctuators and words. See scope_scanner.h for the idea.
#include "core/js/scope_scanner.h"

#include "core/js/source_mapping_url.h"

namespace twofold::js {

void ScopeScanner::scan(std::string_view text, FunctionScopes& out) {
  out.scopes.clear();
  out.bindings.clear();
  out.comments = {};
  late_.clear();
  if (text.size() >= kUnresolved) return;
  begin_ = text.data();
  stop_ = end_ = begin_ + text.size();
  out_ = &out;
  state_ = State::kStatement;
  context_ = kInNoFunction;
  is_module_ = false;
  previous_end_ = operand_ = last_line_break_ = 0;
  brace_depth_ = closed_paren_scopes_ = 0;
  last_function_ = kNoIndex;
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

ScopeScanner::Cursor ScopeScanner::scan_token(Cursor at) {
  switch (char_class(*at)) {
    case CharClass::kIdentifier:
      return on_word(at);
    case CharClass::kSpace:
      return at + 1;
    case CharClass::kLineBreak:
      last_line_break_ = offset(at);
      return at + 1;
    case CharClass::kDot:
      return on_dot(at);
    case CharClass::kComma:
      return on_comma(at);
    case CharClass::kOpenParen:
      return open_paren(at);
    case CharClass::kCloseParen:
      return close_paren(at);
    case CharClass::kEquals:
      return on_equals(at);
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
    case CharClass::kDigit:
      return on_value(at, skip_number(at, end_));
    case CharClass::kQuote:
      return on_value(at, skip_string(at, end_));
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
      return at + 1;
  }
  return at + 1;
}

ScopeScanner::Cursor ScopeScanner::skip_some_trivia(Cursor at) {
  for (; at != end_;) {
    switch (char_class(*at)) {
      case CharClass::kSpace:
        ++at;
        break;
      case CharClass::kLineBreak:
        last_line_break_ = offset(at++);
        break;
      case CharClass::kSlash: {
        const Cursor next = skip_comment(at);
        if (next == at) return at;
        at = next;
        break;
      }
      case CharClass::kUnusual: {
        const UnusualChar c = decode_unusual(at, end_);
        if (c.kind == Unusual::kIdentifierPart) return at;
        if (c.kind == Unusual::kLineBreak) last_line_break_ = offset(at);
        at = c.next;
        break;
      }
      default:
        return at;
    }
  }
  return at;
}

// Behind the comment at `at`; `at` itself if the slash begins none.
ScopeScanner::Cursor ScopeScanner::skip_comment(Cursor at) {
  const char kind = byte_at(at + 1);
  if (kind != '/' && kind != '*') return at;
  Cursor next = end_;
  if (kind == '/') {
    next = skip_to_line_break(at, end_);
  } else {
    const BlockComment comment = skip_block_comment(at, end_);
    next = comment.next;
    if (comment.has_line_break) last_line_break_ = offset(at);
  }
  note_bundle_comment(text(at, next), out_->comments);
  return next;
}

ScopeScanner::Cursor ScopeScanner::on_unusual(Cursor at) {
  const UnusualChar c = decode_unusual(at, end_);
  if (c.kind == Unusual::kIdentifierPart) return on_identifier(at, skip_identifier(c.next, end_));
  if (c.kind == Unusual::kLineBreak) last_line_break_ = offset(at);
  return c.next;
}

ScopeScanner::Cursor ScopeScanner::on_word(Cursor at) {
  Cursor to = at + 1;
  while (to != end_ && is_ascii_identifier_part(*to)) ++to;
  if (to != end_ && char_class(*to) == CharClass::kUnusual) [[unlikely]] {
    const Cursor behind = skip_unusual_identifier(to, end_);
    if (behind != to) return on_identifier(at, behind);
  }
  const auto size = static_cast<std::size_t>(to - at);
  if (size > 1) {
    const Keyword keyword = find_keyword(at, size, end_);
    if (keyword != Keyword::kNone) return on_keyword(keyword, at, to);
  }
  return on_identifier(at, to);
}

ScopeScanner::Cursor ScopeScanner::on_identifier(Cursor from, Cursor to) {
  if (state_ >= State::kOperator) [[unlikely]] {
    if (top_->kind == FrameKind::kForHead && text(from, to) == "of") {
      previous_end_ = offset(to);
      state_ = State::kOperand;
      return to;
    }
    const Cursor next = on_operand_after_operand(from);
    if (next != from) return next;
  }
  operand_ = offset(from);
  previous_end_ = offset(to);
  state_ = State::kOperator;
  return to;
}

// An operand or a keyword stands at `at` where an operator was due: the statement, or the class
// field, before it has ended without a semicolon. Returns `at` to read on there, or how far it has
// read itself.
ScopeScanner::Cursor ScopeScanner::on_operand_after_operand(Cursor at) {
  end_unbracketed();
  if (holds_statements(top_->kind)) {
    end_statement();
  } else if (top_->kind == FrameKind::kClassBody) {
    return on_class_members(at);
  } else {
    state_ = State::kOperand;
  }
  return at;
}

// A number, string, regular expression or private name.
ScopeScanner::Cursor ScopeScanner::on_value(Cursor from, Cursor to) {
  if (state_ >= State::kOperator) [[unlikely]] {
    const Cursor next = on_operand_after_operand(from);
    if (next != from) return next;
  }
  operand_ = offset(from);
  previous_end_ = offset(to);
  state_ = State::kOperator;
  return to;
}

// `at` is a backtick, or the `}` of a substitution whose frame is popped.
ScopeScanner::Cursor ScopeScanner::on_template(Cursor at) {
  if (state_ <= State::kOperand) operand_ = offset(at);
  const TemplatePiece piece = skip_template(at + 1, end_);
  previous_end_ = offset(piece.next);
  state_ = State::kOperator;
  if (piece.opens_substitution) {
    push(FrameKind::kSubstitution, piece.next - 1);
    ++brace_depth_;
    state_ = State::kOperand;
  }
  return piece.next;
}

ScopeScanner::Cursor ScopeScanner::on_slash(Cursor at) {
  const Cursor next = skip_comment(at);
  if (next != at) return next;
  if (state_ == State::kOperator) {
    state_ = State::kOperand;
    return at + 1;
  }
  return on_value(at, skip_regex(at, end_));
}

ScopeScanner::Cursor ScopeScanner::on_dot(Cursor at) {
  Cursor next = at + 1;
  if (next != end_ && char_class(*next) != CharClass::kIdentifier) {
    if (char_class(*next) == CharClass::kDigit && state_ != State::kOperator) {
      return on_value(at, skip_number(at, end_));
    }
    if (*next == '.') {  // `...`
      state_ = State::kOperand;
      return next;
    }
    next = skip_trivia(next);
    if (byte_at(next) == '#') ++next;
  }
  next = skip_identifier(next, end_);
  previous_end_ = offset(next);
  state_ = State::kOperator;
  return next;
}

ScopeScanner::Cursor ScopeScanner::on_question(Cursor at) {
  const char next = byte_at(at + 1);
  if (next == '.' && (end_ - at < 3 || char_class(at[2]) != CharClass::kDigit)) {
    const Cursor behind = skip_trivia(at + 2);
    const char opens = byte_at(behind);
    return opens == '(' || opens == '[' || opens == '`' ? behind : on_dot(at + 1);
  }
  state_ = State::kOperand;
  if (next == '?') {
    if (byte_at(at + 2) != '=') return at + 2;
    set_slot(BindingKind::kAssignment, {operand_, previous_end_}, at + 3);
    return at + 3;
  }
  ++top_->conditionals;
  return at + 1;
}

ScopeScanner::Cursor ScopeScanner::on_colon(Cursor at) {
  while (is_unbracketed(top_->kind) && top_->conditionals == 0) end_innermost_unbracketed();
  if (top_->conditionals != 0) {
    --top_->conditionals;
    state_ = State::kOperand;
  } else if (holds_statements(top_->kind)) {  // a label, or `case x:`
    end_statement();
    state_ = State::kSubstatement;
  } else {
    state_ = State::kOperand;
  }
  return at + 1;
}

ScopeScanner::Cursor ScopeScanner::on_equals(Cursor at) {
  const char next = byte_at(at + 1);
  if (next == '>') return on_arrow(at + 2);
  state_ = State::kOperand;
  if (next == '=') return at + (byte_at(at + 2) == '=' ? 3 : 2);
  set_slot(BindingKind::kAssignment, {operand_, previous_end_}, at + 1);
  return at + 1;
}

// Operators that only stand between operands. `a &&= b` names b like `a = b`; whether the other
// compound assignments do makes no difference, no function can be added or shifted.
ScopeScanner::Cursor ScopeScanner::on_operator(Cursor at) {
  if (state_ == State::kEnded) [[unlikely]] {  // `a = () => {}` and then, in a class, `*b() {}`
    const Cursor next = on_operand_after_operand(at);
    if (next != at) return next;
  }
  state_ = State::kOperand;
  Cursor next = at + 1;
  while (next != end_ && char_class(*next) == CharClass::kOperator) ++next;
  if (byte_at(next) != '=') return next;
  if (byte_at(next + 1) == '=') return next + 1;
  if (*at == '&' || *at == '|')
    set_slot(BindingKind::kAssignment, {operand_, previous_end_}, next + 1);
  return next + 1;
}

ScopeScanner::Cursor ScopeScanner::on_bang(Cursor at) {
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

ScopeScanner::Cursor ScopeScanner::on_plus_minus(Cursor at) {
  if (byte_at(at + 1) != *at) {
    state_ = State::kOperand;
    return at + 1;
  }
  if (*at == '-' && byte_at(at + 2) == '>' && line_break_before()) {  // `-->` comments out a line
    return skip_to_line_break(at, end_);
  }
  if (state_ == State::kOperator && !line_break_before()) {  // postfix
    previous_end_ = offset(at + 2);
    return at + 2;
  }
  if (state_ >= State::kOperator) {
    const Cursor next = on_operand_after_operand(at);
    if (next != at) return next;
  }
  state_ = State::kOperand;
  return at + 2;
}

ScopeScanner::Cursor ScopeScanner::on_less(Cursor at) {
  if (!is_module_ && text(at, end_).substr(0, 4) == "<!--") return skip_to_line_break(at, end_);
  state_ = State::kOperand;
  Cursor next = at + 1;
  if (byte_at(next) == '<') ++next;
  if (byte_at(next) == '=') ++next;
  return next;
}

ScopeScanner::Cursor ScopeScanner::on_comma(Cursor at) {
  end_unbracketed();
  clear_slot();
  if (top_->kind == FrameKind::kObject) return on_object_keys(at + 1);
  state_ = State::kOperand;
  return at + 1;
}

ScopeScanner::Cursor ScopeScanner::on_semicolon(Cursor at) {
  end_unbracketed();
  if (top_->kind == FrameKind::kClassBody) return on_class_members(at);
  end_statement();
  if (!holds_statements(top_->kind)) state_ = State::kOperand;
  top_->is_before_in = false;
  return at + 1;
}

}  // namespace twofold::js
