#include <charconv>

#include "core/symbolicate/json.h"
#include "core/tw/view.h"
#include "native/cli/commands.h"
#include "native/cli/console.h"
#include "native/cli/load.h"

namespace twofold::cli {
namespace {

// LINE:COLUMN, both from 1.
std::optional<Position> parse_position(std::string_view text) {
  std::uint32_t numbers[2] = {0, 0};
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  for (int i = 0; i < 2; ++i) {
    if (i == 1 && (at == end || *at++ != ':')) return std::nullopt;
    const auto parsed = std::from_chars(at, end, numbers[i]);
    if (parsed.ec != std::errc()) return std::nullopt;
    at = parsed.ptr;
  }
  const auto line = to_line(OneBasedLine(numbers[0]));
  const auto column = to_column(OneBasedColumn(numbers[1]));
  if (at != end || !line || !column) return std::nullopt;
  return Position{*line, *column};
}

std::string to_text(std::string_view asked, const std::optional<tw::Location>& location) {
  std::string line(asked);
  if (!location) return line + " -> no_mapping\n";
  line += " -> " + std::string(location->file.value_or("?")) + ":" +
          std::to_string(location->line.value());
  if (location->column.value() != 0) line += ":" + std::to_string(location->column.value());
  if (location->function) line += " " + std::string(*location->function);
  return line + "\n";
}

std::string to_json_line(std::string_view asked, const std::optional<tw::Location>& location) {
  AnswerFrame frame;
  frame.in = asked;
  frame.status = location ? FrameStatus::kMapped : FrameStatus::kUnmapped;
  frame.reason = location ? Reason::kNone : Reason::kNoMapping;
  if (location) {
    OriginalFrame original;
    if (location->function) original.function = std::string(*location->function);
    if (location->file) original.file = std::string(*location->file);
    original.line = location->line.value();
    original.column = location->column.value();
    frame.out.push_back(std::move(original));
  }
  return to_json(frame) + "\n";
}

}  // namespace

int run_lookup(const LookupArguments& arguments) {
  std::vector<Position> positions;
  for (const std::string& text : arguments.positions) {
    const auto position = parse_position(text);
    if (!position) {
      return fail(
          {Code::kUsage, kNoOffset, "not a position: expected LINE:COLUMN, both from 1", text});
    }
    positions.push_back(*position);
  }
  const auto tw = load_tw(arguments.file);
  if (!tw) return fail(tw.error());
  const auto view = tw::View::open(tw.value().bytes());
  if (!view) return fail(with_input(view.error(), arguments.file));
  std::string out;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto location = view.value().find(positions[i]);
    out += arguments.as_json ? to_json_line(arguments.positions[i], location)
                             : to_text(arguments.positions[i], location);
  }
  return print(out) ? kExitOk : kExitFailed;
}

}  // namespace twofold::cli
