// A .tw that is looked up, as plain functions over numbers: a call costs a few nanoseconds, where
// one through embind costs hundreds. artifact.mjs is their only user and says what people may
// expect.
//
// Both modules have them: twofold_core.wasm, and twofold_lookup.wasm, which has nothing else. An
// artifact is its address. Where a function gives an address, the memory is the artifact's and
// stays until the next call on it; what is counted from 0 or 1 is so as in index.d.mts.
#include <emscripten/emscripten.h>

#include "wasm/open_tw.h"

namespace {

using namespace twofold;

// 0 for success; else the failure's size: `text` has its code, a line break and its detail, and
// numbers 0 and 1 its offset, low half first.
std::uint32_t report(OpenTw& tw, const Status& status) {
  if (status) return 0;
  const Error& error = status.error();
  tw.text = std::string(to_string(error.code)) + '\n' + error.detail;
  tw.numbers[0] = static_cast<std::uint32_t>(error.offset);
  tw.numbers[1] = static_cast<std::uint32_t>(error.offset >> 32);
  return static_cast<std::uint32_t>(tw.text.size());
}

// Address and size (number 0) of a string; no address: there is none.
const char* hand_out(OpenTw& tw, const std::optional<std::string_view>& string) {
  tw.numbers[0] = string ? static_cast<std::uint32_t>(string->size()) : 0;
  return string ? string->data() : nullptr;
}

struct Place {
  std::uint32_t file = tw::kNone;
  std::uint32_t function = tw::kNone;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

Place find_place(const tw::View& view, std::uint32_t line, std::uint32_t column) {
  const auto found = view.find({Line(line), Utf16Column(column)});
  if (!found) return {};
  return {found->file_index, found->function_index, found->line.value(), found->column.value()};
}

}  // namespace

#define TWOFOLD_EXPORT extern "C" EMSCRIPTEN_KEEPALIVE

TWOFOLD_EXPORT OpenTw* twofold_new(std::uint32_t size_bytes) {
  OpenTw* const tw = new OpenTw;
  tw->bytes.resize(size_bytes);
  return tw;
}
TWOFOLD_EXPORT void twofold_delete(OpenTw* tw) {
  delete tw;
}
// Where the file's bytes go before `twofold_open`.
TWOFOLD_EXPORT std::uint8_t* twofold_bytes(OpenTw* tw) {
  return tw->bytes.data();
}
TWOFOLD_EXPORT std::uint32_t twofold_size(OpenTw* tw) {
  return static_cast<std::uint32_t>(tw->bytes.size());
}

// As `report`. Until it succeeded, no function below may be called but `twofold_text` and
// `twofold_numbers`.
TWOFOLD_EXPORT std::uint32_t twofold_open(OpenTw* tw) {
  auto view = tw::View::open(tw->bytes);
  if (!view) return report(*tw, view.error());
  tw->view.emplace(view.value());
  return 0;
}
TWOFOLD_EXPORT std::uint32_t twofold_verify(OpenTw* tw) {
  return report(*tw, tw::verify(*tw->view));
}

TWOFOLD_EXPORT const char* twofold_text(OpenTw* tw) {
  return tw->text.data();
}
// Four numbers, at one place as long as the artifact lives.
TWOFOLD_EXPORT std::uint32_t* twofold_numbers(OpenTw* tw) {
  return tw->numbers;
}

// The original line, 0 without an answer; all of it in the numbers: file, function, line, column.
TWOFOLD_EXPORT std::uint32_t twofold_find(OpenTw* tw, std::uint32_t line, std::uint32_t column) {
  const Place place = find_place(*tw->view, line, column);
  tw->numbers[0] = place.file;
  tw->numbers[1] = place.function;
  tw->numbers[2] = place.line;
  tw->numbers[3] = place.column;
  return place.line;
}

// Room for `count` pairs of line and column, and behind them for the answers of `twofold_find_all`:
// all files, all functions, all lines, all columns.
TWOFOLD_EXPORT std::uint32_t* twofold_batch(OpenTw* tw, std::uint32_t count) {
  tw->batch.resize(std::size_t{count} * 6);
  return tw->batch.data();
}
TWOFOLD_EXPORT void twofold_find_all(OpenTw* tw) {
  const std::size_t count = tw->batch.size() / 6;
  const std::uint32_t* const pairs = tw->batch.data();
  std::uint32_t* const files = tw->batch.data() + 2 * count;
  for (std::size_t i = 0; i < count; ++i) {
    const Place place = find_place(*tw->view, pairs[2 * i], pairs[2 * i + 1]);
    files[i] = place.file;
    files[count + i] = place.function;
    files[2 * count + i] = place.line;
    files[3 * count + i] = place.column;
  }
}

TWOFOLD_EXPORT std::uint32_t twofold_file_count(OpenTw* tw) {
  return tw->view->file_count();
}
TWOFOLD_EXPORT std::uint32_t twofold_function_count(OpenTw* tw) {
  return tw->view->function_count();
}
TWOFOLD_EXPORT const char* twofold_file(OpenTw* tw, std::uint32_t index) {
  return hand_out(*tw, tw->view->file(index));
}
TWOFOLD_EXPORT const char* twofold_function(OpenTw* tw, std::uint32_t index) {
  return hand_out(*tw, tw->view->function(index));
}
