// JavaScript stack traces as text: finds the frames, and writes a frame again with original places.
//
// Knows V8, Hermes, SpiderMonkey and JavaScriptCore, and what is printed like them. A dialect is
// told per line; one text may mix engines, log prefixes and prose.
//
// What makes a line a frame (each dialect's file has the details):
//   V8, Hermes     `at name (location)` or `at location`. Before `at` stand blanks only, or
//                  anything (a log prefix) that ends in two blanks or a tab.
//   SpiderMonkey,  `name@location`. A name holds no blank, but for the few that engines print
//   JavaScriptCore (`global code`, `get x`, `promise callback*x`); what is before it is prefix.
//   JavaScriptCore a line that is a location and nothing else; `[native code]`; `eval code`.
// A location is any text before `:line:column`. A line of a message that has this shape is a frame:
// nothing in the text can tell it apart. `meet me at (noon)` and `bob@example.com` have not.
// At most one frame per line. Lines end in '\n'; a '\r' before it belongs to no frame.
//
// Does no lookup and reads no artifact. Never fails: what it does not know is not listed. Time is
// linear in the text, whatever the text; the vector of frames is the only allocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/units.h"

namespace twofold::trace {

enum class Dialect : std::uint8_t { kV8, kSpiderMonkey, kJavaScriptCore, kHermes };

enum class FrameKind : std::uint8_t {
  kScript,  // names a script; whether an artifact serves it is the lookup's question
  kOpaque,  // nothing to look up: native, built-in, <anonymous>, in eval text, wasm, node: ...
};

// A place in generated text. `url` as printed, a view into the parsed text.
struct Location {
  std::string_view url;
  std::optional<Position> position;
};

// One frame. All views point into the text that was parsed.
struct Frame {
  // [begin, end) of the whole text: `at r (https://shop.example/app.js:1:65)`, `r@app.js:1:65`.
  // What else is in the line is prefix and suffix; a rewriter copies it.
  std::size_t begin = 0;
  std::size_t end = 0;
  // The name as printed, less the decorations below. Empty when the engine had none: `<anonymous>`,
  // `Object.<anonymous>`, Hermes' `anonymous`; and at top level: `global code`, Hermes' `global`.
  std::string_view function;
  // V8: x of ` [as x]`. SpiderMonkey: what scheduled an async frame, with its star: `setTimeout
  // handler*`.
  std::string_view decoration;
  // As printed, before `:line:column`. kOpaque: the whole location as printed, which may be empty.
  std::string_view url;
  // None: no numbers, a number that is 0, or one beyond 32 bits. Always none for kOpaque.
  std::optional<Position> position;
  std::uint32_t line_index = 0;  // 0-based input line
  Dialect dialect = Dialect::kV8;
  FrameKind kind = FrameKind::kOpaque;
  bool is_async = false;  // V8, JavaScriptCore: `async ` before the name
  bool is_new = false;    // V8: `new ` before the name
  bool is_bare = false;   // JavaScriptCore of old: nameless, so not even an '@' before the location
};

struct Trace {
  std::vector<Frame> frames;  // in input order; line_index strictly increases
};

[[nodiscard]] Trace parse_trace(std::string_view text);

// Where the code of an eval frame was given to eval, in the script at the bottom of nested evals:
// `at f (eval at g (app.js:1:14), <anonymous>:1:48)` gives app.js 1:14. None for other frames.
// SpiderMonkey prints no column there (`app.js line 1 > eval:1:48`), so its position is none.
[[nodiscard]] std::optional<Location> find_eval_origin(const Frame& frame);

// What replaces a frame. A null function prints as the dialect prints a nameless one; 0 is unknown
// and is left out, with the column after it.
struct OriginalFrame {
  std::optional<std::string_view> function;
  std::optional<std::string_view> file;
  OneBasedLine line;
  OneBasedColumn column;
};

// Appends the text that takes the place of [begin, end), in the style of the frame's dialect with
// its decorations. Control characters of names and files print as '?': a map must not add lines to
// a log.
void write_frame(const Frame& frame, const OriginalFrame& original, std::string& out);

}  // namespace twofold::trace
