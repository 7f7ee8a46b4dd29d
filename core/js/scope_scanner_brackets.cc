// Brackets: what each one opens, and what its closing leaves behind.
#include "core/js/scope_scanner.h"

namespace twofold::js {

void ScopeScanner::grow_stack() {
  const std::size_t used = stack_.size();
  const std::size_t size = used == 0 ? 64 : used * 2;
  if (used >= kMaxDepth) stop_ = begin_;
  stack_.resize(size);
  top_ = used == 0 ? stack_.data() : stack_.data() + used - 1;
  last_ = stack_.data() + size - 1;
}

// The innermost arrow body, or heritage without a class body, ends with the last token.
void ScopeScanner::end_innermost_unbracketed() {
  if (top_->kind == FrameKind::kArrowBody) {
    out_->scopes[top_->scope].end = previous_end_;
    note_function_end(top_->scope);
  }
  pop();
}
ScopeScanner::Cursor ScopeScanner::open_paren(Cursor at) {
  if (state_ == State::kEnded) {
    const Cursor next = on_operand_after_operand(at);
    if (next != at) return next;
  }
  const bool is_call = state_ == State::kOperator;
  if (!is_call) operand_ = offset(at);
  push(is_call ? FrameKind::kCall : FrameKind::kGroup, at);
  state_ = State::kOperand;
  return at + 1;
}

ScopeScanner::Cursor ScopeScanner::close_paren(Cursor at) {
  end_unbracketed();
  if (is_closed_by_bracket(top_->kind)) return close_bracket(at);
  if (!is_closed_by_paren(top_->kind)) return at + 1;
  const FrameKind kind = top_->kind;
  if (kind == FrameKind::kParams) return close_params(at + 1);
  closed_paren_scopes_ = top_->scope;
  pop();
  const bool closes_function = previous_end_ == last_function_end_;
  previous_end_ = offset(at + 1);
  state_ = kind == FrameKind::kHead || kind == FrameKind::kForHead ? State::kSubstatement
                                                                   : State::kOperator;
  if (closes_function && kind == FrameKind::kGroup) note_function_end(last_function_);
  return at + 1;
}

ScopeScanner::Cursor ScopeScanner::open_bracket(Cursor at) {
  const bool is_index = state_ == State::kOperator;
  if (state_ == State::kEnded) {
    const Cursor next = on_operand_after_operand(at);
    if (next != at) return next;
  }
  if (!is_index) operand_ = offset(at);
  push(is_index ? FrameKind::kIndex : FrameKind::kArray, at);
  state_ = State::kOperand;
  return at + 1;
}

ScopeScanner::Cursor ScopeScanner::close_bracket(Cursor at) {
  end_unbracketed();
  const FrameKind kind = top_->kind;
  if (!is_closed_by_bracket(kind) && !is_closed_by_paren(kind)) return at + 1;
  if (kind == FrameKind::kParams) return close_params(at + 1);
  const std::uint32_t open = top_->open;
  pop();
  previous_end_ = offset(at + 1);
  state_ = State::kOperator;
  if (kind == FrameKind::kObjectKey || kind == FrameKind::kClassKey) {
    top_->slot = {open + 1, offset(at)};
    return on_computed_key_end(at + 1);
  }
  return at + 1;
}

ScopeScanner::Cursor ScopeScanner::open_brace(Cursor at) {
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
  operand_ = offset(at);
  push(FrameKind::kObject, at);
  return on_object_keys(at + 1);
}

ScopeScanner::Cursor ScopeScanner::close_brace(Cursor at) {
  end_unbracketed();
  if (brace_depth_ == 0) {
    end_statement();
    return at + 1;
  }
  while (!is_closed_by_brace(top_->kind)) {
    if (is_unbracketed(top_->kind))
      end_innermost_unbracketed();
    else
      pop();
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
  previous_end_ = offset(at + 1);
  state_ = State::kStatement;
  return at + 1;
}

ScopeScanner::Cursor ScopeScanner::close_object(Cursor at) {
  pop();
  previous_end_ = offset(at + 1);
  state_ = State::kOperator;
  return at + 1;
}

// The parameters of a function end before `at`; a body must follow.
ScopeScanner::Cursor ScopeScanner::close_params(Cursor at) {
  previous_end_ = offset(at);
  at = skip_trivia(at);
  if (byte_at(at) != '{') {  // not JavaScript: the function ends here
    out_->scopes[top_->scope].end = previous_end_;
    const After after = top_->after;
    pop();
    return leave(after, at);
  }
  clear_slot();
  top_->kind = FrameKind::kFunctionBody;
  top_->open = offset(at);
  top_->conditionals = 0;
  ++brace_depth_;
  state_ = State::kStatement;
  return at + 1;
}

ScopeScanner::Cursor ScopeScanner::close_function(Cursor at) {
  const std::uint32_t scope = top_->scope;
  const After after = top_->after;
  pop();
  previous_end_ = offset(at + 1);
  out_->scopes[scope].end = previous_end_;
  if (after == After::kOperator || after == After::kEnded) note_function_end(scope);
  return leave(after, at + 1);
}

ScopeScanner::Cursor ScopeScanner::leave(After after, Cursor at) {
  switch (after) {
    case After::kStatement:
      state_ = State::kStatement;
      break;
    case After::kOperator:
      state_ = State::kOperator;
      break;
    case After::kEnded:
      state_ = State::kEnded;
      break;
    case After::kClassMember:
      return on_class_members(at);
  }
  return at;
}

// A function value is complete, or the parentheses around it are: looks at what is done with it at
// once.
void ScopeScanner::note_function_end(std::uint32_t scope) {
  last_function_ = scope;
  last_function_end_ = previous_end_;
  const Cursor next = skip_trivia(cursor(previous_end_));
  if (byte_at(next) == '(') out_->scopes[scope].set(ScopeFlag::kCalled);
  if (byte_at(next) == '.') out_->scopes[scope].set(ScopeFlag::kAccessed);
}

// The text is over. Arrow bodies end with the last token, whatever else is open with the text.
void ScopeScanner::close_all() {
  while (depth() > kProgramDepth) {
    const FrameKind kind = top_->kind;
    if (kind == FrameKind::kParams || kind == FrameKind::kFunctionBody ||
        kind == FrameKind::kClassBody) {
      out_->scopes[top_->scope].end = offset(end_);
    }
    if (is_unbracketed(kind))
      end_innermost_unbracketed();
    else
      pop();
  }
}

}  // namespace twofold::js
