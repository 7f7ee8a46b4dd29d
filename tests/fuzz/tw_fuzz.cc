// Fuzzes the bytes of a .tw: whatever `open` accepts must be safe to look up, verify and dump. A
// file that also verifies must answer as a walk over its tokens does.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "core/tw/block_builder.h"
#include "core/tw/dump.h"
#include "core/tw/lookup.h"
#include "core/tw/verify.h"
#include "core/tw/view.h"

using namespace twofold;

namespace {

constexpr std::uint32_t kMaxTokens = 2000;  // beyond: the walk below is quadratic

// The walk: on the position's line the first token exactly there, else the last one before it.
std::uint32_t walk(const tw::FlatView& view, Position position) {
  std::uint32_t exact = tw::kNone;
  std::uint32_t floor = tw::kNone;
  for (std::uint32_t i = 0; i < view.token_count(); ++i) {
    const Position generated = view.token(i).generated;
    if (generated.line != position.line || generated > position) continue;
    if (generated == position && exact == tw::kNone) exact = i;
    floor = i;
  }
  return exact != tw::kNone ? exact : floor;
}

void look_up(const tw::FlatView& view, Position position, bool is_valid) {
  const std::uint32_t index = tw::find_floor(view, position);
  const bool exists = index == tw::kNone || index < view.token_count();
  const bool is_right = !is_valid || index == walk(view, position);
  if (!exists || !is_right) {
    std::fprintf(stderr, "find_floor(%u, %u) = %u\n", position.line.value(),
                 position.column.value(), index);
    std::abort();
  }
  const auto found = tw::find_location(view, position);
  std::size_t length = 0;  // touches the text that the views point to
  if (found && found->file) {
    for (const char c : *found->file) length += c != 0 ? 1 : 0;
  }
  if (found && found->function) length += found->function->size();
  if (length > view.bytes().size() * 2) std::abort();
}

// Version 2 of the same tokens answers the same, if it takes them: it refuses three at one
// position.
void compare_with_blocks(const tw::FlatView& flat) {
  tw::BlockBuilder builder;
  const auto built = builder.build(flat, {});
  if (!built) return;
  const auto blocks = tw::BlockView::open(built.value());
  if (!blocks || !tw::verify(blocks.value())) std::abort();
  for (std::uint32_t i = 0; i < flat.token_count(); ++i) {
    const Position at = flat.token(i).generated;
    for (const std::uint32_t step : {0u, 1u, 0xFFFFFFFFu}) {
      const Position near{at.line, Utf16Column(at.column.value() + step)};
      const auto one = tw::find_location(flat, near);
      const auto two = blocks.value().find(tw::to_key(near));
      const bool is_same = one.has_value() == two.has_value() &&
                           (!one || (one->file == two->file && one->function == two->function &&
                                     one->line == two->line && one->column == two->column));
      if (!is_same) std::abort();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // A block of exactly the input's size, so that a read behind its end is seen.
  const std::unique_ptr<std::uint8_t[]> exact(new std::uint8_t[size]);
  for (std::size_t i = 0; i < size; ++i) exact[i] = data[i];
  const auto opened = tw::FlatView::open(ByteView(exact.get(), size));
  if (!opened.ok()) return 0;
  const tw::FlatView& view = opened.value();
  if (view.token_count() > kMaxTokens) return 0;

  const bool is_valid = tw::verify(view).ok();
  for (std::uint32_t i = 0; i < view.token_count(); ++i) {
    const Position at = view.token(i).generated;
    look_up(view, at, is_valid);
    look_up(view, {at.line, Utf16Column(at.column.value() + 1)}, is_valid);
    look_up(view, {at.line, Utf16Column(at.column.value() - 1)}, is_valid);
    look_up(view, {Line(at.line.value() + 1), Utf16Column(0)}, is_valid);
  }
  look_up(view, {}, is_valid);
  look_up(view, {Line(0xFFFFFFFF), Utf16Column(0xFFFFFFFF)}, is_valid);
  (void)tw::dump(tw::View(view));
  if (is_valid) compare_with_blocks(view);
  return 0;
}
