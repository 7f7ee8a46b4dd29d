// The rarer tokens, comments, and what happens where an operand follows an operand.
#include "core/js/scope_scanner.h"

namespace twofold::js {

ScopeScanner::Cursor ScopeScanner::skip_some_trivia(Cursor at) {
  for (; at != end_;) {
    switch (char_class(*at)) {
      case CharClass::kSpace:
        ++at;
        break;
      case CharClass::kLineBreak:
        last_line_break_ = at;
        at = skip_indentation(at + 1, end_);
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
        if (c.kind == Unusual::kLineBreak) last_line_break_ = at;
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
    if (next - at < 4 || next[-1] != '/' || next[-2] != '*') doubt();
    if (comment.has_line_break) last_line_break_ = at;
  }
  note_bundle_comment(text(at, next), out_->comments);
  return next;
}

ScopeScanner::Cursor ScopeScanner::on_unusual(Cursor at) {
  const UnusualChar c = decode_unusual(at, end_);
  if (c.kind == Unusual::kIdentifierPart) return on_identifier(at, skip_identifier(c.next, end_));
  if (c.kind == Unusual::kLineBreak) last_line_break_ = at;
  return c.next;
}

// An operand or a keyword stands at `at` where an operator was due: the statement, or the class
// field, before it has ended without a semicolon. Returns `at` to read on there, or how far it has
// read itself.
ScopeScanner::Cursor ScopeScanner::on_operand_after_operand(Cursor at) {
  if (!line_break_before()) doubt();
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

// `at` is a backtick, or the `}` of a substitution whose frame is popped.
ScopeScanner::Cursor ScopeScanner::on_template(Cursor at) {
  if (state_ > State::kOperator) {
    const Cursor next = on_operand_after_operand(at);
    if (next != at) return next;
  }
  if (state_ <= State::kOperand) operand_ = at;
  const TemplatePiece piece = skip_template(at + 1, end_);
  previous_end_ = piece.next;
  state_ = State::kOperator;
  if (piece.next == end_ && (piece.next - at < 2 || piece.next[-1] != '`')) doubt();
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
  if (state_ == State::kOperator || state_ == State::kUpdated) {
    state_ = State::kOperand;
    return at + 1;
  }
  const Cursor to = skip_regex(at, end_);
  Cursor slash = to;
  while (is_ascii_identifier_part(slash[-1])) --slash;
  if (slash[-1] != '/' || slash - 1 == at) doubt();
  return on_value(at, to);
}

ScopeScanner::Cursor ScopeScanner::on_question(Cursor at) {
  const char next = byte_at(at + 1);
  if (next == '.' && (end_ - at < 3 || char_class(at[2]) != CharClass::kDigit)) {
    const Cursor behind = skip_trivia(at + 2);
    const char opens = byte_at(behind);
    return opens == '(' || opens == '[' || opens == '`' ? behind : at + 1;
  }
  state_ = State::kOperand;
  if (next == '?') {
    if (byte_at(at + 2) != '=') return at + 2;
    set_slot(BindingKind::kAssignment, left_side(), at + 3);
    return at + 3;
  }
  ++top_->conditionals;
  return at + 1;
}

// Whether `const`, `let` or `var` stands before the operand: with a colon behind it that is a type.
bool ScopeScanner::follows_declarator() const {
  Cursor to = operand_;
  while (to != begin_ && to[-1] == ' ') --to;
  Cursor from = to;
  while (from != begin_ && to - from < 6 && is_ascii_identifier_part(from[-1])) --from;
  const std::string_view word = text(from, to);
  return word == "const" || word == "let" || word == "var";
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
    previous_end_ = at + 2;
    state_ = State::kUpdated;
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
  if (state_ <= State::kOperand) doubt();  // JSX, or a type assertion
  state_ = State::kOperand;
  Cursor next = at + 1;
  if (byte_at(next) == '<') ++next;
  if (byte_at(next) == '=') ++next;
  return next;
}

}  // namespace twofold::js
