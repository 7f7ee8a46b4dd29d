// Keywords, function and class heads, arrows, imports and exports.
#include "core/js/scope_scanner.h"

namespace twofold::js {

ScopeScanner::Cursor ScopeScanner::on_keyword(Keyword keyword, Cursor from, Cursor to) {
  if (state_ >= State::kOperator) {
    const bool is_operator = keyword == Keyword::kIn || keyword == Keyword::kInstanceof;
    if (!is_operator || state_ == State::kEnded) {
      const Cursor next = on_operand_after_operand(from);
      if (next != from) return next;
    }
  }
  switch (keyword) {
    case Keyword::kFunction:
      return on_function(from, from, to, 0);
    case Keyword::kClass:
      return on_class(from, to);
    case Keyword::kAsync:
      return on_async(from, to);
    case Keyword::kAwait:
      return on_await(from, to);
    case Keyword::kLet:
      return on_let(from, to);
    case Keyword::kYield:
      if ((context_ & kInGenerator) == 0) return on_identifier(from, to);
      return on_restricted(to);
    case Keyword::kReturn:
      return on_restricted(to);
    case Keyword::kIf:
    case Keyword::kWhile:
    case Keyword::kSwitch:
    case Keyword::kCatch:
      return on_head(FrameKind::kHead, from, to);
    case Keyword::kWith:
      return on_head(FrameKind::kHead, from, to);
    case Keyword::kFor:
      return on_head(FrameKind::kForHead, from, to);
    case Keyword::kElse:
    case Keyword::kDo:
    case Keyword::kTry:
    case Keyword::kFinally:
      state_ = State::kSubstatement;
      return to;
    case Keyword::kBreak:
    case Keyword::kContinue:
    case Keyword::kDebugger:
      return on_jump(to);
    case Keyword::kDefault:
      return on_identifier(from, to);  // `:` follows
    case Keyword::kImport:
      return on_import(from, to);
    case Keyword::kExport:
      return on_export(to);
    case Keyword::kIn:
      return on_in(to);
    case Keyword::kInstanceof:
    case Keyword::kCase:
    case Keyword::kConst:
    case Keyword::kDelete:
    case Keyword::kNew:
    case Keyword::kThrow:
    case Keyword::kTypeof:
    case Keyword::kVar:
    case Keyword::kVoid:
    case Keyword::kNone:
      break;
  }
  state_ = State::kOperand;
  return to;
}

// `return` and `yield`: a line break ends them, an operand may follow.
ScopeScanner::Cursor ScopeScanner::on_restricted(Cursor to) {
  previous_end_ = to;
  const Cursor next = skip_trivia(to);
  state_ = State::kOperand;
  if (line_break_before() && holds_statements(top_->kind)) end_statement();
  return next;
}

// In the head of a `for`, `in` ends an initial value: `for (var f = x => x in y)`.
ScopeScanner::Cursor ScopeScanner::on_in(Cursor to) {
  while (top_->kind == FrameKind::kArrowBody && top_->is_before_in && top_->conditionals == 0) {
    end_innermost();
  }
  top_->is_before_in = false;
  state_ = State::kOperand;
  return to;
}

// `if (`, `for await (` and so on. Without the parenthesis: `import ... with {}`, or no JavaScript.
ScopeScanner::Cursor ScopeScanner::on_head(FrameKind kind, Cursor from, Cursor to) {
  previous_end_ = to;
  Cursor next = skip_trivia(to);
  if (kind == FrameKind::kForHead && text(next, end_).substr(0, 5) == "await") {
    next = skip_trivia(next + 5);
  }
  if (byte_at(next) == '(') {
    operand_ = next;
    push(kind, next);
    top_->is_before_in = kind == FrameKind::kForHead;
    state_ = State::kOperand;
    return next + 1;
  }
  const bool is_catch = *from == 'c' && byte_at(next) == '{';
  if (!is_catch) doubt();
  state_ = is_catch ? State::kSubstatement : State::kOperand;
  return next;
}

// `break`, `continue` with a label on the same line, `debugger`: the statement is complete.
ScopeScanner::Cursor ScopeScanner::on_jump(Cursor to) {
  previous_end_ = to;
  Cursor next = skip_trivia(to);
  if (!line_break_before() && begins_identifier(next, end_)) next = skip_identifier(next, end_);
  previous_end_ = next;
  end_statement();
  return next;
}

// `let` declares where a statement begins and a name or a pattern follows; else it is a name.
ScopeScanner::Cursor ScopeScanner::on_let(Cursor from, Cursor to) {
  previous_end_ = to;
  const Cursor next = skip_trivia(to);
  const bool in_for = top_->kind == FrameKind::kForHead && state_ == State::kOperand;
  bool declares = state_ <= State::kStatement || in_for;
  if (state_ == State::kSubstatement && line_break_before()) declares = false;
  const char follows = byte_at(next);
  if (declares && follows != '[' && follows != '{') {
    const std::string_view word = text(next, skip_identifier(next, end_));
    declares = begins_identifier(next, end_) && word != "in" && word != "instanceof";
  }
  if (!declares) return on_identifier(from, to);
  state_ = State::kOperand;
  return next;
}

// `async` before `function` or a parameter is a keyword. Before `(` that is open until `=>` follows
// the closing parenthesis (on_arrow); everywhere else it is a name.
ScopeScanner::Cursor ScopeScanner::on_async(Cursor from, Cursor to) {
  previous_end_ = to;
  const Cursor next = skip_trivia(to);
  if (!line_break_before() && begins_identifier(next, end_)) {
    const Cursor word_end = skip_identifier(next, end_);
    if (text(next, word_end) == "function") {
      return on_function(from, next, word_end, static_cast<std::uint16_t>(ScopeFlag::kAsync));
    }
    const Cursor behind = skip_trivia(word_end);
    if (text(behind, end_).substr(0, 2) == "=>") {
      operand_ = from;
      previous_end_ = word_end;
      return open_arrow(behind + 2, false, true);
    }
  }
  return on_identifier(from, to);
}

// A keyword in async functions and at the top level of a module, a name elsewhere. At top level of
// what may be either, what follows tells.
ScopeScanner::Cursor ScopeScanner::on_await(Cursor from, Cursor to) {
  bool is_keyword = (context_ & kInAsync) != 0;
  if (context_ == kInNoFunction) is_keyword = begins_await_operand(skip_trivia(to));
  if (!is_keyword) return on_identifier(from, to);
  previous_end_ = to;
  state_ = State::kOperand;
  return to;
}

// Whether what follows `await` makes it a keyword. An operator that could also go on after a name
// says no, but for the slash: nobody divides by a variable called await.
bool ScopeScanner::begins_await_operand(Cursor at) const {
  const char c = byte_at(at);
  const char after = at == end_ ? '\0' : byte_at(at + 1);
  switch (char_class(c)) {
    case CharClass::kDigit:
    case CharClass::kQuote:
    case CharClass::kBacktick:
    case CharClass::kOpenParen:
    case CharClass::kOpenBracket:
    case CharClass::kOpenBrace:
    case CharClass::kSlash:
      return true;
    case CharClass::kBang:
      return after != '=';
    case CharClass::kDot:
      return char_class(after) == CharClass::kDigit;
    case CharClass::kPlusMinus:
      return after == c && at + 1 != end_ && begins_identifier(at + 2, end_);
    default:
      return begins_identifier(at, end_);
  }
}

// [keyword, to) is `function`; `from` is that or the `async` before it.
ScopeScanner::Cursor ScopeScanner::on_function(Cursor from, Cursor keyword, Cursor to,
                                               std::uint16_t flags) {
  Cursor next = skip_trivia(to);
  if (byte_at(next) == '*') {
    flags = static_cast<std::uint16_t>(flags | static_cast<std::uint16_t>(ScopeFlag::kGenerator));
    next = skip_trivia(next + 1);
  }
  TextSpan name;
  if (begins_identifier(next, end_)) {
    name.begin = offset(next);
    next = skip_identifier(next, end_);
    name.end = offset(next);
    next = skip_trivia(next);
  }
  if (byte_at(next) != '(') {
    doubt();
    return on_identifier(keyword, to);
  }
  const bool is_statement = state_ <= State::kStatement;
  open_function(ScopeKind::kFunction, {from, next}, name, flags, is_statement);
  return next + 1;
}

ScopeScanner::Cursor ScopeScanner::on_class(Cursor from, Cursor to) {
  Cursor next = skip_trivia(to);
  TextSpan name;
  if (begins_identifier(next, end_)) {
    const Cursor name_end = skip_identifier(next, end_);
    if (text(next, name_end) != "extends") {
      name = {offset(next), offset(name_end)};
      next = skip_trivia(name_end);
    }
  }
  const bool is_statement = state_ <= State::kStatement;
  const std::uint32_t scope = add_value_scope(ScopeKind::kClass, from, name, is_statement);
  operand_ = from;
  push(FrameKind::kHeritage, from);
  top_->scope = scope;
  top_->after = is_statement ? After::kStatement : After::kOperator;
  if (byte_at(next) == '{') return open_class_body(next);
  const Cursor word_end = skip_identifier(next, end_);
  if (text(next, word_end) != "extends") doubt();
  state_ = State::kOperand;
  return word_end;
}

ScopeScanner::Cursor ScopeScanner::open_class_body(Cursor at) {
  clear_slot();
  top_->kind = FrameKind::kClassBody;
  top_->open = at;
  context_ = 0;
  ++brace_depth_;
  return on_class_members(at + 1);
}

// `at` is behind `=>`. What stands before it is a name, or parentheses that may have `async` before
// them; `async x` comes from on_async.
ScopeScanner::Cursor ScopeScanner::on_arrow(Cursor at) {
  const Cursor from = operand_;
  const bool is_complete = state_ == State::kOperator && previous_end_ > operand_;
  if (is_complete && begins_identifier(from, end_) &&
      skip_identifier(from, end_) == previous_end_) {
    return open_arrow(at, false, false);
  }
  if (is_complete && previous_end_[-1] == ')') {
    if (closed_paren_ == operand_) return open_arrow(at, true, false);
    const bool is_async = text(from, skip_identifier(from, end_)) == "async";
    if (is_async && skip_trivia(from + 5) == closed_paren_) return open_arrow(at, true, true);
  }
  doubt();
  state_ = State::kOperand;
  return at;
}

// An arrow whose parameters begin at operand_; `at` is behind its `=>`.
ScopeScanner::Cursor ScopeScanner::open_arrow(Cursor at, bool has_parens, bool is_async) {
  const std::uint32_t index = add_value_scope(ScopeKind::kArrow, operand_, {}, false);
  if (has_parens && index > closed_paren_scopes_) late_.push_back({index, closed_paren_scopes_});
  closed_paren_ = nullptr;  // used up: in `()=>[))=>` the second `=>` has no parameters
  at = skip_trivia(at);
  const bool has_braces = byte_at(at) == '{';
  Scope& scope = out_->scopes[index];
  if (is_async) scope.set(ScopeFlag::kAsync);
  if (!has_braces) scope.set(ScopeFlag::kExpression);
  const bool is_before_in = top_->is_before_in && !has_braces;
  push(has_braces ? FrameKind::kFunctionBody : FrameKind::kArrowBody, at);
  top_->scope = index;
  top_->after = After::kEnded;
  top_->is_before_in = is_before_in;
  context_ = is_async ? kInAsync : 0;
  state_ = has_braces ? State::kStatement : State::kOperand;
  if (!has_braces) return at;
  ++brace_depth_;
  return at + 1;
}

// `import x, {y as z} from "m"`: nothing in it can hold a function. `import(x)` and `import.meta`
// are operands.
ScopeScanner::Cursor ScopeScanner::on_import(Cursor from, Cursor to) {
  const Cursor next = skip_trivia(to);
  if (byte_at(next) == '(' || byte_at(next) == '.') return on_identifier(from, to);
  is_module_ = true;
  return skip_import_clause(next);
}

// Behind the module's name and its attributes, `with {type: "json"}`.
ScopeScanner::Cursor ScopeScanner::skip_import_clause(Cursor at) {
  state_ = State::kEnded;
  for (;; at = skip_trivia(at)) {
    const char c = byte_at(at);
    if (c == '"' || c == '\'') break;
    if (c == '{') {
      at = skip_specifiers(at + 1);
    } else if (c == '*' || c == ',') {
      ++at;
    } else if (begins_identifier(at, end_)) {
      at = skip_identifier(at, end_);
    } else {  // `import a = b` is TypeScript's; what else it may be, expressions go on
      doubt();
      state_ = State::kStatement;
      return at;
    }
  }
  at = skip_string(at, end_);
  previous_end_ = at;
  const Cursor word = skip_trivia(at);
  const Cursor word_end = skip_identifier(word, end_);
  if (text(word, word_end) != "with" && text(word, word_end) != "assert") return at;
  const Cursor brace = skip_trivia(word_end);
  if (byte_at(brace) != '{') return at;
  at = skip_specifiers(brace + 1);
  previous_end_ = at;
  return at;
}

ScopeScanner::Cursor ScopeScanner::on_export(Cursor to) {
  is_module_ = true;
  Cursor next = skip_trivia(to);
  if (byte_at(next) == '*') return skip_import_clause(next);
  if (byte_at(next) == '{') {
    next = skip_specifiers(next + 1);
    previous_end_ = next;
    state_ = State::kEnded;
    const Cursor word = skip_trivia(next);
    const bool is_from = text(word, skip_identifier(word, end_)) == "from";
    return is_from ? skip_import_clause(word) : next;
  }
  state_ = State::kStatement;
  const Cursor word_end = skip_identifier(next, end_);
  if (text(next, word_end) != "default") return next;
  set_slot(BindingKind::kExport, {next, word_end}, word_end);
  next = skip_trivia(word_end);
  if (!begins_declaration(next)) state_ = State::kOperand;
  return next;
}

// Behind the `}` of `{a as b, "c" as d}` or `{type: "json"}`.
ScopeScanner::Cursor ScopeScanner::skip_specifiers(Cursor at) {
  for (;;) {
    at = skip_trivia(at);
    const char c = byte_at(at);
    if (c == '}') return at + 1;
    if (c == '"' || c == '\'')
      at = skip_string(at, end_);
    else if (c == ',' || c == ':')
      ++at;
    else if (begins_identifier(at, end_))
      at = skip_identifier(at, end_);
    else
      return at;
  }
}

// After `export default`: a function or class there is a declaration even without a name.
bool ScopeScanner::begins_declaration(Cursor at) {
  Cursor word_end = skip_identifier(at, end_);
  if (text(at, word_end) == "async") {
    const Cursor async_end = word_end;
    at = skip_trivia(word_end);
    if (last_line_break_ >= async_end) return false;
    word_end = skip_identifier(at, end_);
    return text(at, word_end) == "function";
  }
  return text(at, word_end) == "function" || text(at, word_end) == "class";
}

}  // namespace twofold::js
