#include "core/symbolicate/symbolicate.h"

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

OriginalFrame to_original(const tw::Location& location, const ScriptArtifact& artifact,
                          const trace::Frame& frame) {
  OriginalFrame original;
  set_function(location.function, frame.function, original);
  if (location.file) original.file = std::string(*location.file);
  original.line = location.line.value();
  original.column = location.column.value();
  original.is_ignored = artifact.ignores(location.file_index);
  return original;
}

std::optional<tw::Location> find_location(const ScriptArtifacts::Served& served, Position at) {
  const std::uint64_t line = std::uint64_t{at.line.value()} + served.first_line.value();
  if (line > 0xFFFFFFFF) return std::nullopt;
  at.line = Line(static_cast<std::uint32_t>(line));
  return tw::find_location(served.artifact->view, at);
}

// Sets status, reason and, when mapped, the original frame. The artifact that was asked, or null.
const ScriptArtifact* resolve(const trace::Frame& frame, ScriptArtifacts& artifacts,
                              AnswerFrame& answer) {
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
  const ScriptArtifacts::Served served = artifacts.find(frame.url);
  answer.reason = served.reason;
  if (served.artifact == nullptr) return nullptr;
  const auto location = find_location(served, *frame.position);
  if (location) {
    answer.status = FrameStatus::kMapped;
    answer.out.push_back(to_original(*location, *served.artifact, frame));
  } else {
    answer.reason = Reason::kNoMapping;
  }
  return served.artifact;
}

void write_original(const trace::Frame& frame, const OriginalFrame& original, std::string& text) {
  trace::write_frame(frame,
                     {.function = original.function,
                      .file = original.file,
                      .line = OneBasedLine(original.line),
                      .column = OneBasedColumn(original.column)},
                     text);
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
  }
  answer.text += trace.substr(copied);
}

}  // namespace

Answer symbolicate(std::string_view trace, ScriptArtifacts& artifacts) {
  const trace::Trace parsed = trace::parse_trace(trace);
  Answer answer;
  answer.frames.reserve(parsed.frames.size());
  std::vector<const ScriptArtifact*> asked;
  asked.reserve(parsed.frames.size());
  for (const trace::Frame& frame : parsed.frames) {
    AnswerFrame& answered = answer.frames.emplace_back();
    answered.in = trace.substr(frame.begin, frame.end - frame.begin);
    answered.line_index = frame.line_index;
    asked.push_back(resolve(frame, artifacts, answered));
  }
  answer.faults = artifacts.faults();
  refuse_other_builds(parsed.frames, asked, answer);
  write_text(trace, parsed.frames, answer);
  return answer;
}

}  // namespace twofold
