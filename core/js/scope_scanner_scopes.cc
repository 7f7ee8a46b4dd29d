// What the scanner records: scopes, and the bindings that their values go to.
//
// Bindings are made only when a function asks for them. A frame remembers what it resolved to, so
// that a thousand functions in one deep literal climb it once.
#include "core/base/make_room.h"
#include "core/js/scope_scanner.h"

namespace twofold::js {

// Apart from the loop over tokens, which grows too large to become one function otherwise.
void ScopeScanner::make_room_for_records(std::size_t text_bytes) {
  make_room(text_bytes / 128, out_->scopes);  // bundles have a function per 110 to 280 bytes
  make_room(text_bytes / 256, out_->bindings);
}

std::uint32_t ScopeScanner::add_scope(ScopeKind kind, Cursor begin, TextSpan name,
                                      std::uint16_t flags) {
  Scope scope;
  scope.begin = scope.end = offset(begin);
  scope.name = name;
  scope.kind = kind;
  scope.flags = flags;
  out_->scopes.push_back(scope);
  return static_cast<std::uint32_t>(out_->scopes.size() - 1);
}

// A function or class that is a value, or a declaration.
std::uint32_t ScopeScanner::add_value_scope(ScopeKind kind, Cursor begin, TextSpan name,
                                            bool is_statement) {
  const std::uint32_t index = add_scope(kind, begin, name, 0);
  Scope& scope = out_->scopes[index];
  if (is_statement) scope.set(ScopeFlag::kDeclaration);
  if (is_statement && !name.empty()) return index;
  scope.binding = resolve_binding(depth());
  if (is_direct(begin)) scope.set(ScopeFlag::kDirect);
  return index;
}

// Opens the frame of the parameters, which becomes that of the body.
void ScopeScanner::open_function(ScopeKind kind, FunctionHead head, TextSpan name,
                                 std::uint16_t flags, bool is_statement) {
  const Cursor begin = head.from;
  std::uint32_t scope = 0;
  if (kind == ScopeKind::kFunction) {
    scope = add_value_scope(kind, begin, name, is_statement);
  } else {
    scope = add_scope(kind, begin, name, 0);
    const bool in_object =
        top_->kind == FrameKind::kObject;  // the key is its name: where the object goes
    if (in_object) out_->scopes[scope].binding = resolve_binding(depth() - 1);
  }
  out_->scopes[scope].flags = static_cast<std::uint16_t>(out_->scopes[scope].flags | flags);
  operand_ = begin;
  push(FrameKind::kParams, head.params);
  top_->scope = scope;
  top_->after = is_statement ? After::kStatement : After::kOperator;
  context_ = 0;
  if ((flags & static_cast<std::uint16_t>(ScopeFlag::kAsync)) != 0) context_ = kInAsync;
  if ((flags & static_cast<std::uint16_t>(ScopeFlag::kGenerator)) != 0) context_ |= kInGenerator;
  state_ = State::kOperand;
}

std::uint32_t ScopeScanner::add_binding(BindingKind kind, TextSpan text, std::uint32_t parent) {
  Binding binding;
  binding.kind = kind;
  binding.text = text;
  binding.parent = parent;
  out_->bindings.push_back(binding);
  return static_cast<std::uint32_t>(out_->bindings.size() - 1);
}

bool ScopeScanner::passes_on(FrameKind kind) {
  return kind == FrameKind::kObject || kind == FrameKind::kGroup || kind == FrameKind::kCall ||
         kind == FrameKind::kArray;
}

// Where a value in the frame goes to now, or kNoEntry.
std::uint32_t ScopeScanner::resolve_binding(std::size_t frame) {
  std::size_t from = frame;
  while (stack_[from].binding == kUnresolved && passes_on(stack_[from].kind)) --from;
  for (; from <= frame; ++from) {
    if (stack_[from].binding != kUnresolved) continue;
    const std::uint32_t outer = passes_on(stack_[from].kind) ? stack_[from - 1].binding : kNoEntry;
    stack_[from].binding = own_binding(stack_[from], outer);
  }
  return stack_[frame].binding;
}

std::uint32_t ScopeScanner::own_binding(const Frame& frame, std::uint32_t outer) {
  if (frame.kind == FrameKind::kCall) {
    outer = add_binding(BindingKind::kArgument, span({frame.operand, frame.open}), outer);
  } else if (frame.kind == FrameKind::kArray ||
             (frame.kind == FrameKind::kObject && !frame.has_slot)) {
    outer = add_binding(BindingKind::kElement, {}, outer);
  }
  return frame.has_slot ? add_binding(frame.slot_kind, span(frame.slot), outer) : outer;
}

// Whether the function that begins at `begin` is all there is right of its `=` or `:`, parentheses
// aside.
bool ScopeScanner::is_direct(Cursor begin) {
  const Cursor last_line_break = last_line_break_;
  bool is = false;
  for (std::size_t i = depth();; --i) {
    Frame& frame = stack_[i];
    const bool in_parens = !frame.has_slot && frame.kind == FrameKind::kGroup;
    if (!frame.has_slot && !in_parens) break;
    frame.slot_at = skip_trivia(frame.slot_at);  // kept: no comment is read twice
    if (frame.slot_at != begin) break;
    is = !in_parens;
    if (is) break;
    begin = frame.open;
  }
  last_line_break_ = last_line_break;
  return is;
}

// Puts the arrows that were found after the functions in their parameters before those. Each is
// placed before the first scope it holds; of several there, the one found last is the outermost.
// Linear.
void ScopeScanner::sort_scopes() {
  if (late_.empty()) return;
  std::vector<Scope>& scopes = out_->scopes;
  next_late_.assign(scopes.size(), kNoEntry);  // of the same place, by scope
  first_late_.assign(scopes.size(), kNoEntry);
  is_late_.assign(scopes.size(), false);
  for (const LateScope& late : late_) {
    next_late_[late.scope] = first_late_[late.before];
    first_late_[late.before] = late.scope;
    is_late_[late.scope] = true;
  }
  sorted_.clear();
  sorted_.reserve(scopes.size());
  for (std::uint32_t i = 0; i < scopes.size(); ++i) {
    for (std::uint32_t late = first_late_[i]; late != kNoEntry; late = next_late_[late]) {
      sorted_.push_back(scopes[late]);
    }
    if (!is_late_[i]) sorted_.push_back(scopes[i]);
  }
  scopes.swap(sorted_);
}

// Finds each scope's parent, and drops what broken text left without an end.
void ScopeScanner::link_parents() {
  std::vector<Scope>& scopes = out_->scopes;
  std::uint32_t innermost = kNoEntry;
  std::uint32_t count = 0;
  for (const Scope& scope : scopes) {
    if (scope.end <= scope.begin) continue;
    while (innermost != kNoEntry && scopes[innermost].end <= scope.begin) {
      innermost = scopes[innermost].parent;
    }
    scopes[count] = scope;
    scopes[count].parent = innermost;
    innermost = count++;
  }
  scopes.resize(count);
}

}  // namespace twofold::js
