#include "core/symbolicate/symbolicate.h"

#include <algorithm>

#include "core/js/function_of_token.h"
#include "core/symbolicate/bytecode_build.h"
#include "core/trace/trace.h"
#include "core/tw/lookup.h"

namespace twofold {
namespace {

// The function that the .tw tells. Where it does not, the engine's name: minified, but a name.
void set_function(std::optional<std::string_view> told, std::string_view printed,
                  OriginalFrame& original) {
  if (!told) {
    if (!printed.empty()) original.function = std::string(printed);
  } else if (*told == js::kTopLevel) {
    original.scope = FunctionScope::kGlobal;
  } else if (*told == js::kAnonymousFunction) {
    original.scope = FunctionScope::kAnonymous;
  } else {
    original.scope = FunctionScope::kNamed;
    original.function = std::string(*told);
  }
}

OriginalFrame to_original(const tw::Location& location, ScriptArtifact& artifact,
                          const trace::Frame& frame, const SymbolicateOptions& options) {
  OriginalFrame original;
  set_function(location.function, frame.function, original);
  // A file without a name is one that the map does not name.
  if (location.file && !location.file->empty()) original.file = std::string(*location.file);
  original.line = location.line.value();
  original.column = location.column.value();
  original.is_ignored = artifact.ignores(location.file_index);
  if (options.context_lines) {
    original.context = artifact.sources.around(location.file_index, location.line, location.column,
                                               *options.context_lines);
  }
  return original;
}

// A place of a script in the artifact that serves it; no value: beyond every line that there can
// be.
std::optional<Position> to_artifact(const Served& served, Position at) {
  const std::uint64_t line = std::uint64_t{at.line.value()} + served.first_line.value();
  if (line > 0xFFFFFFFF) return std::nullopt;
  return Position{Line(static_cast<std::uint32_t>(line)), at.column};
}

std::optional<tw::Location> find_location(const Served& served, Position at) {
  const auto place = to_artifact(served, at);
  return place ? served.artifact->view.find(*place) : std::nullopt;
}

// Sets status, reason and, when mapped, the original frame. The artifact that was asked, or null.
const ScriptArtifact* resolve(const trace::Frame& frame, ArtifactSource& artifacts,
                              const SymbolicateOptions& options, AnswerFrame& answer) {
  answer.status = FrameStatus::kUnmapped;
  if (frame.kind == trace::FrameKind::kOpaque) {
    answer.status = FrameStatus::kPassthrough;
    answer.reason = Reason::kNotALocation;
    return nullptr;
  }
  if (!frame.position) {
    answer.reason = Reason::kInvalidLocation;
    return nullptr;
  }
  const Served served = artifacts.find(frame.url);
  answer.reason = served.reason;
  if (served.artifact == nullptr) return nullptr;
  const auto location = find_location(served, *frame.position);
  if (location) {
    answer.status = FrameStatus::kMapped;
    answer.out.push_back(to_original(*location, *served.artifact, frame, options));
  } else {
    answer.reason = Reason::kNoMapping;
  }
  return served.artifact;
}

// A function that no artifact tells, by what the frame that called it says: the next one, if it
// stands at a call. `await` resumes no call. V8 only: it gives the place of what is called, `b` in
// `a.b()`; others that of the parenthesis or of `a`.
void name_by_callers(const std::vector<trace::Frame>& frames, ArtifactSource& artifacts,
                     Answer& answer) {
  for (std::size_t i = 0; i + 1 < frames.size(); ++i) {
    AnswerFrame& called = answer.frames[i];
    const trace::Frame& caller = frames[i + 1];
    if (called.status != FrameStatus::kMapped ||
        called.out.front().scope != FunctionScope::kUnknown ||
        answer.frames[i + 1].status != FrameStatus::kMapped || caller.is_async ||
        caller.dialect != trace::Dialect::kV8 || caller.line_index != frames[i].line_index + 1) {
      continue;
    }
    const Served served = artifacts.find(caller.url);
    const auto place = to_artifact(served, *caller.position);
    if (const auto name = served.artifact->called_names.find(*place)) {
      called.out.front().function = std::string(*name);
      called.out.front().scope = FunctionScope::kNamed;
    }
  }
}

void write_original(const trace::Frame& frame, const OriginalFrame& original, std::string& text) {
  trace::write_frame(frame,
                     {.function = original.function,
                      .file = original.file,
                      .line = OneBasedLine(original.line),
                      .column = OneBasedColumn(original.column)},
                     text);
}

// The source lines below a frame, in the manner of editors: `  > 48 |   throw error;`.
void write_context(const SourceContext& context, std::uint32_t line, std::string& text) {
  const std::size_t last_line = context.first_line + context.lines.size() - 1;
  const std::size_t width = std::to_string(last_line).size();
  for (std::size_t i = 0; i < context.lines.size(); ++i) {
    const std::size_t number = context.first_line + i;
    const std::string digits = std::to_string(number);
    text += number == line ? "\n      > " : "\n        ";
    text.append(width - digits.size(), ' ');
    text += digits + " | ";
    for (const char c : context.lines[i]) {
      const bool is_control = (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == '\x7f';
      text += is_control ? '?' : c;
    }
  }
}

// The trace, with the frames that are mapped in their original form.
void write_text(std::string_view trace, const std::vector<trace::Frame>& frames, Answer& answer) {
  answer.text.reserve(trace.size() + trace.size() / 2);
  std::size_t copied = 0;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (answer.frames[i].status != FrameStatus::kMapped) continue;
    answer.text += trace.substr(copied, frames[i].begin - copied);
    write_original(frames[i], answer.frames[i].out.front(), answer.text);
    copied = frames[i].end;
    const OriginalFrame& original = answer.frames[i].out.front();
    if (!original.context) continue;
    const std::size_t line_end = std::min(trace.find('\n', copied), trace.size());
    answer.text += trace.substr(copied, line_end - copied);
    copied = line_end;
    write_context(*original.context, original.line, answer.text);
  }
  answer.text += trace.substr(copied);
}

}  // namespace

Answer symbolicate(std::string_view trace, ArtifactSource& artifacts,
                   const SymbolicateOptions& options) {
  const trace::Trace parsed = trace::parse_trace(trace);
  Answer answer;
  answer.frames.reserve(parsed.frames.size());
  std::vector<const ScriptArtifact*> asked;
  asked.reserve(parsed.frames.size());
  for (const trace::Frame& frame : parsed.frames) {
    AnswerFrame& answered = answer.frames.emplace_back();
    answered.in = trace.substr(frame.begin, frame.end - frame.begin);
    answered.line_index = frame.line_index;
    asked.push_back(resolve(frame, artifacts, options, answered));
  }
  answer.faults = artifacts.faults();
  refuse_other_builds(parsed.frames, asked, answer);
  name_by_callers(parsed.frames, artifacts, answer);
  write_text(trace, parsed.frames, answer);
  return answer;
}

}  // namespace twofold
