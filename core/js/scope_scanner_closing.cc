// What the end of an object, a function, a class or an arrow's expression leaves behind.
#include "core/js/scope_scanner.h"

namespace twofold::js {

void ScopeScanner::grow_stack() {
  const std::size_t used = stack_.size();
  const bool is_too_deep = used >= kMaxDepth;
  if (is_too_deep) stop_ = begin_;
  const std::size_t size = used == 0 || is_too_deep ? used + 64 : used * 2;
  stack_.resize(size);
  top_ = used == 0 ? stack_.data() : stack_.data() + used - 1;
  last_ = stack_.data() + size - 1;
}

// The innermost frame, which no bracket has closed, ends with the last token: an arrow's
// expression, or something that is no JavaScript.
void ScopeScanner::end_innermost() {
  switch (top_->kind) {
    case FrameKind::kArrowBody:
      last_function_ = top_->scope;
      last_function_end_ = previous_end_;
      [[fallthrough]];
    case FrameKind::kParams:
    case FrameKind::kHeritage:
      out_->scopes[top_->scope].end = offset(previous_end_);
      break;
    default:
      break;
  }
  pop();
}

ScopeScanner::Cursor ScopeScanner::close_object(Cursor at) {
  pop();
  previous_end_ = at + 1;
  state_ = State::kOperator;
  return at + 1;
}

// The parameters of a function end before `at`; a body must follow.
ScopeScanner::Cursor ScopeScanner::close_params(Cursor at) {
  previous_end_ = at;
  at = skip_trivia(at);
  if (byte_at(at) != '{') {  // not JavaScript: the function ends here
    doubt();
    const After after = top_->after;
    end_innermost();
    return leave(after, at);
  }
  clear_slot();
  top_->kind = FrameKind::kFunctionBody;
  top_->open = at;
  top_->conditionals = 0;
  ++brace_depth_;
  state_ = State::kStatement;
  return at + 1;
}

ScopeScanner::Cursor ScopeScanner::close_function(Cursor at) {
  const std::uint32_t scope = top_->scope;
  const After after = top_->after;
  if (top_->kind == FrameKind::kClassBody) end_field();
  pop();
  previous_end_ = at + 1;
  out_->scopes[scope].end = offset(previous_end_);
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
  const Cursor next = skip_trivia(previous_end_);
  if (byte_at(next) == '(') out_->scopes[scope].set(ScopeFlag::kCalled);
  if (byte_at(next) == '.') out_->scopes[scope].set(ScopeFlag::kAccessed);
}

// The text is over. Arrows' expressions end with the last token, whatever else is open with the
// text.
void ScopeScanner::close_all() {
  while (depth() > kProgramDepth) {
    if (top_->kind != FrameKind::kArrowBody) doubt();
    if (top_->kind == FrameKind::kFunctionBody || top_->kind == FrameKind::kClassBody) {
      previous_end_ = end_;
      if (top_->kind == FrameKind::kClassBody) end_field();
      out_->scopes[top_->scope].end = offset(previous_end_);
    }
    end_innermost();
  }
}

}  // namespace twofold::js
