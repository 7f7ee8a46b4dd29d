// The machine behind `find_functions`: a pushdown automaton over the tokens of JavaScript.
//
// It builds no tree. It knows two things: a state, which says what the next token can be (the start
// of a statement, an operand, an operator), and a stack of frames, one per open bracket and per
// construct that no bracket closes (the body of `x => y`, the heritage of a class). In a valid
// program the two decide every question that JavaScript's tokens leave open:
//   - `/` is a division after an operand and else begins a regular expression;
//   - `{` is a block at the start of a statement, an object literal where an operand can stand;
//   - an arrow's expression ends at a bracket that was opened outside, at a comma or semicolon,
//     at a colon that no question mark within it asked for, or at an operand that follows an
//     operand (automatic semicolon insertion).
// Object keys, class members, function heads, imports and exports are read in line by functions of
// their own, so none of them needs a state.
//
// Text that is not valid never stops it: a bracket that fits nothing is passed over, `}` closes
// whatever was left open inside. Nesting deeper than kMaxDepth ends the scan; what is open then
// ends with the text.
//
// Speed (bench/README.md): what follows a token is close to random, a simulated predictor of token
// kinds misses 0.4 per token. So names are measured without a loop over their bytes, and `a.b.c` is
// read as one token.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/js/keywords.h"
#include "core/js/lexer.h"
#include "core/js/scopes.h"

namespace twofold::js {

class ScopeScanner {
 public:
  // Scans `text` into `out`, whose buffers are reused. One scanner may scan any number of texts.
  void scan(std::string_view text, FunctionScopes& out) {
    stops_at_doubt_ = false;
    scan_text(text, out);
  }
  // The same for a text that is of use only if it is JavaScript: in doubt it ends at once, and the
  // scopes are void. TypeScript is in doubt after a few lines.
  void scan_plausible(std::string_view text, FunctionScopes& out) {
    stops_at_doubt_ = true;
    scan_text(text, out);
  }

 private:
  using Cursor = const char*;
  struct Range {
    Cursor begin;
    Cursor end;
  };

  // What the next token can be. The order is used: up to kStatement a statement begins, up to
  // kOperand an operand is missing.
  enum class State : std::uint8_t {
    kSubstatement,  // the one statement after `if (x)`, `else`, a label: no declaration by `let`
    kStatement,
    kOperand,
    kOperator,  // an operand is complete
    kUpdated,   // so is `x++`: an operator can follow, but no call and no index
    kEnded,     // so is the expression: after `=> {}` only a closer or a new statement can follow
  };

  enum class FrameKind : std::uint8_t {
    // Closed by `}`.
    kProgram,
    kBlock,
    kFunctionBody,
    kClassBody,
    kObject,
    kSubstitution,
    // Closed by `)`.
    kGroup,  // around an operand, or the parameters of an arrow: `=>` tells
    kCall,   // arguments, or the parameters of `async (x) => y`
    kHead,   // of `if`, `while`, `switch`, `catch`
    kForHead,
    kParams,
    // Closed by `]`.
    kArray,
    kIndex,
    kObjectKey,
    kClassKey,
    // Closed by what cannot go on.
    kArrowBody,
    kHeritage,
  };
  static bool is_closed_by_brace(FrameKind kind) { return kind <= FrameKind::kSubstitution; }
  static bool is_closed_by_paren(FrameKind kind) {
    return kind >= FrameKind::kGroup && kind <= FrameKind::kParams;
  }
  static bool is_closed_by_bracket(FrameKind kind) {
    return kind >= FrameKind::kArray && kind <= FrameKind::kClassKey;
  }
  static bool is_unbracketed(FrameKind kind) { return kind >= FrameKind::kArrowBody; }
  static bool holds_statements(FrameKind kind) { return kind <= FrameKind::kFunctionBody; }

  // What the closing brace of a function or class leaves behind.
  enum class After : std::uint8_t { kStatement, kOperator, kEnded, kClassMember };

  struct Frame {
    FrameKind kind;
    After after;
    std::uint8_t context;  // of the function around it, to restore
    bool has_slot;
    bool is_before_in;  // in the first part of a `for` head `in` is no operator of the expression
    BindingKind slot_kind;
    std::uint16_t member_flags;  // object, class: modifiers of the member that is being read
    std::uint32_t conditionals;  // `?` that wait for their `:`
    std::uint32_t binding;       // the slot as a Binding, once somebody asked
    std::uint32_t scope;  // function, class: its index; group, call: how many scopes there were
    std::uint32_t field;  // class with a slot: the scope of the field's value
    Cursor open;          // the bracket
    Cursor operand;       // where the expression begins that the bracket belongs to
    Cursor described;     // object: the string of its property `key`, or null
    Cursor slot_at;       // behind the `=`, the `:` or the bracket; where a class member begins
    Range slot;           // what stands left of the `=` or `:`
  };

  // Bits of `context_`: what `await` and `yield` mean here.
  static constexpr std::uint8_t kInAsync = 1;
  static constexpr std::uint8_t kInGenerator = 2;
  static constexpr std::uint8_t kInNoFunction = 4;

  static constexpr std::size_t kMaxDepth = std::size_t{1} << 20;
  static constexpr std::size_t kProgramDepth = 1;  // frame 0 is never used
  static constexpr std::uint32_t kUnresolved = kNoEntry - 1;

  std::uint32_t offset(Cursor at) const { return static_cast<std::uint32_t>(at - begin_); }
  TextSpan span(Range range) const { return {offset(range.begin), offset(range.end)}; }
  // The byte at `at`, NUL at the end of the text.
  char byte_at(Cursor at) const { return at != end_ ? *at : '\0'; }
  std::string_view text(Cursor from, Cursor to) const {
    return {from, static_cast<std::size_t>(to - from)};
  }
  // The text is no JavaScript, so what is found in it is to be doubted.
  void doubt() {
    out_->is_plausible = false;
    if (stops_at_doubt_) stop_ = begin_;
  }
  // Whether a line break (or the start of the text) is between the last token and what follows it.
  bool line_break_before() const { return last_line_break_ >= previous_end_; }

  std::size_t depth() const { return static_cast<std::size_t>(top_ - stack_.data()); }
  // Written field by field in place: a frame built aside and copied stalls on its own stores.
  void push(FrameKind kind, Cursor open) {
    if (top_ == last_) [[unlikely]]
      grow_stack();
    ++top_;
    top_->kind = kind;
    top_->after = After::kOperator;
    top_->context = context_;
    top_->has_slot = false;
    top_->is_before_in = false;
    top_->conditionals = 0;
    top_->binding = kUnresolved;
    top_->open = open;
    top_->operand = operand_;
    top_->slot_at = top_->open + 1;
  }
  // Never pops the program's own frame.
  void pop() {
    context_ = top_->context;
    operand_ = top_->operand;
    --top_;
  }
  void clear_slot() {
    top_->has_slot = false;
    top_->binding = kUnresolved;
  }
  void end_statement() {
    clear_slot();
    top_->conditionals = 0;
    state_ = State::kStatement;
  }
  void end_unbracketed() {
    while (is_unbracketed(top_->kind)) end_innermost();
  }
  Cursor take_operand(Cursor from, Cursor to) {
    operand_ = from;
    previous_end_ = to;
    state_ = State::kOperator;
    return to;
  }
  Cursor skip_trivia(Cursor at) {
    return at != end_ && is_trivia_class(char_class(*at)) ? skip_some_trivia(at) : at;
  }

  // What stands left of an assignment; empty where that is nothing, which is no JavaScript.
  Range left_side() const { return {operand_, std::max(operand_, previous_end_)}; }
  // `at` is behind the `=` or `:`.
  void set_slot(BindingKind kind, Range slot, Cursor at) {
    top_->has_slot = true;
    top_->slot_kind = kind;
    top_->slot = slot;
    top_->slot_at = at;
    top_->binding = kUnresolved;
  }

  // scope_scanner.cc
  void scan_text(std::string_view text, FunctionScopes& out);
  Cursor scan_token(Cursor at);
  Cursor on_word(Cursor at);
  Cursor on_single_word(Cursor at);
  Cursor on_identifier(Cursor from, Cursor to);
  Cursor on_second_identifier(Cursor from, Cursor to);
  Cursor on_value(Cursor from, Cursor to);
  Cursor on_string(Cursor at);
  Cursor on_dot(Cursor at);
  Cursor on_comma(Cursor at);
  Cursor on_semicolon(Cursor at);
  Cursor on_colon(Cursor at);
  Cursor on_equals(Cursor at);
  Cursor on_operator(Cursor at);
  Cursor on_bang(Cursor at);
  Cursor open_paren(Cursor at);
  Cursor close_paren(Cursor at);
  Cursor close_head(Cursor at);
  Cursor open_bracket(Cursor at);
  Cursor close_bracket(Cursor at);
  Cursor open_brace(Cursor at);
  Cursor close_brace(Cursor at);

  // scope_scanner_tokens.cc
  Cursor skip_some_trivia(Cursor at);
  Cursor skip_comment(Cursor at);
  Cursor on_unusual(Cursor at);
  Cursor on_operand_after_operand(Cursor at);
  Cursor on_template(Cursor at);
  Cursor on_slash(Cursor at);
  Cursor on_question(Cursor at);
  bool follows_declarator() const;
  Cursor on_plus_minus(Cursor at);
  Cursor on_less(Cursor at);

  // scope_scanner_closing.cc
  void grow_stack();
  void end_innermost();
  Cursor close_object(Cursor at);
  Cursor close_params(Cursor at);
  Cursor close_function(Cursor at);
  Cursor leave(After after, Cursor at);
  void note_function_end(std::uint32_t scope);
  void close_all();

  // scope_scanner_words.cc
  Cursor on_keyword(Keyword keyword, Cursor from, Cursor to);
  Cursor on_restricted(Cursor to);
  Cursor on_in(Cursor to);
  Cursor on_head(FrameKind kind, Cursor from, Cursor to);
  Cursor on_jump(Cursor to);
  Cursor on_let(Cursor from, Cursor to);
  Cursor on_async(Cursor from, Cursor to);
  Cursor on_await(Cursor from, Cursor to);
  bool begins_await_operand(Cursor at) const;
  Cursor on_function(Cursor from, Cursor keyword, Cursor to, std::uint16_t flags);
  Cursor on_class(Cursor from, Cursor to);
  Cursor open_class_body(Cursor at);
  Cursor on_arrow(Cursor at);
  Cursor open_arrow(Cursor at, bool has_parens, bool is_async);
  Cursor on_import(Cursor from, Cursor to);
  Cursor skip_import_clause(Cursor at);
  Cursor on_export(Cursor to);
  Cursor skip_specifiers(Cursor at);
  bool begins_declaration(Cursor at);

  // scope_scanner_members.cc
  Cursor on_class_members(Cursor at);
  void end_field();
  Cursor on_class_key_end(Cursor at, bool& is_done);
  Cursor on_object_keys(Cursor at);
  Cursor on_object_key_end(Cursor at, bool& is_done);
  void on_property(BindingKind kind, Cursor at);
  Cursor on_computed_key_end(Cursor at);
  Cursor open_key(FrameKind kind, Cursor at);
  Cursor skip_modifiers(Cursor at, bool in_class);
  Cursor skip_key(Cursor at);
  Cursor open_method(Cursor at, After after);
  bool is_constructor_key(Range key) const;
  Cursor open_static_block(Cursor at);

  // scope_scanner_scopes.cc
  struct FunctionHead {
    Cursor from;
    Cursor params;
  };
  void make_room_for_records(std::size_t text_bytes);
  std::uint32_t add_scope(ScopeKind kind, Cursor begin, TextSpan name, std::uint16_t flags);
  std::uint32_t add_value_scope(ScopeKind kind, Cursor begin, TextSpan name, bool is_statement);
  void open_function(ScopeKind kind, FunctionHead head, TextSpan name, std::uint16_t flags,
                     bool is_statement);
  static bool passes_on(FrameKind kind);
  std::uint32_t resolve_binding(std::size_t frame);
  std::uint32_t own_binding(const Frame& frame, std::uint32_t outer);
  std::uint32_t add_binding(BindingKind kind, TextSpan text, std::uint32_t parent);
  bool is_direct(Cursor begin);
  void sort_scopes();
  void link_parents();

  Cursor begin_ = nullptr;
  Cursor end_ = nullptr;
  Cursor stop_ = nullptr;  // where scanning ends: end_, or at once when it has no use any more
  bool stops_at_doubt_ = false;
  FunctionScopes* out_ = nullptr;
  std::vector<Frame> stack_;  // its size is its capacity; frames live up to top_
  Frame* top_ = nullptr;
  Frame* last_ = nullptr;  // of the allocated ones

  State state_ = State::kStatement;
  std::uint8_t context_ = kInNoFunction;
  bool is_module_ = false;
  Cursor previous_end_ = nullptr;  // end of the last token
  Cursor operand_ = nullptr;       // where the operand begins that is complete or being read
  Cursor last_line_break_ = nullptr;
  std::uint32_t brace_depth_ = 0;
  Cursor closed_paren_ = nullptr;  // where the last `(...)` opened
  std::uint32_t closed_paren_scopes_ =
      0;  // how many scopes there were when the last `(...)` opened
  std::uint32_t last_function_ = kNoEntry;  // the function value that ended at last_function_end_
  Cursor last_function_end_ = nullptr;

  // Arrows whose parameters hold functions: found after those, but first in order.
  struct LateScope {
    std::uint32_t scope;
    std::uint32_t before;
  };
  std::vector<LateScope> late_;
  // Of sort_scopes; kept for the next text.
  std::vector<std::uint32_t> next_late_;
  std::vector<std::uint32_t> first_late_;
  std::vector<bool> is_late_;
  std::vector<Scope> sorted_;
};

}  // namespace twofold::js
