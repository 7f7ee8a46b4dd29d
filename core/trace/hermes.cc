// Hermes: `    at name (address at main.jsbundle:1:1027518)`.
//
// With debug info Hermes prints what V8 prints. Without, the number after the line is no column but
// the offset of an instruction in the bytecode, counted from 0, and the line is the number of the
// bytecode segment, from 1. Composed maps use the offset as the column of that line, so it is not
// shifted. (Some reporters add 1 when they copy such a frame. A floor lookup bears that, as an
// instruction that calls or throws is longer than a byte; to subtract 1 from a true offset would
// land in the instruction before. core/symbolicate/bytecode_build.h tells the two apart.) Nameless
// functions print as `anonymous`, the top level as `global`.
#include "core/trace/dialects.h"
#include "core/trace/location.h"

namespace twofold::trace {

bool parse_hermes_location(std::string_view inside, Frame& frame) {
  constexpr std::string_view kAddress = "address at ";
  if (!inside.starts_with(kAddress)) return false;
  const std::string_view text = inside.substr(kAddress.size());
  const Place place = parse_place(text);
  if (place.number_count != 2 || place.url.empty()) return false;
  frame.dialect = Dialect::kHermes;
  set_location(text, place, frame);
  if (frame.kind != FrameKind::kScript) return true;
  frame.position.reset();
  const auto line = place.line ? to_line(OneBasedLine(*place.line)) : std::nullopt;
  if (line && place.column) frame.position = Position{*line, Utf16Column(*place.column)};
  return true;
}

void drop_hermes_nameless(Frame& frame) {
  if (frame.function == "anonymous" || frame.function == "global") frame.function = {};
}

}  // namespace twofold::trace
