#include "core/symbolicate/symbolicate.h"

#include "core/js/function_of_token.h"
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

// Sets status, reason and, when mapped, the original frame.
void resolve(const trace::Frame& frame, ScriptArtifacts& artifacts, AnswerFrame& answer) {
  const auto say = [&](FrameStatus status, Reason reason) {
    answer.status = status;
    answer.reason = reason;
  };
  if (frame.kind == trace::FrameKind::kOpaque) {
    return say(FrameStatus::kPassthrough, Reason::kNotALocation);
  }
  if (!frame.position) return say(FrameStatus::kUnmapped, Reason::kInvalidLocation);
  const ScriptArtifacts::Served served = artifacts.find(frame.url);
  if (served.artifact == nullptr) return say(FrameStatus::kUnmapped, served.reason);
  const auto location = tw::find_location(served.artifact->view, *frame.position);
  if (!location) return say(FrameStatus::kUnmapped, Reason::kNoMapping);
  say(FrameStatus::kMapped, Reason::kNone);
  answer.out.push_back(to_original(*location, *served.artifact, frame));
}

void write_original(const trace::Frame& frame, const OriginalFrame& original, std::string& text) {
  trace::write_frame(frame,
                     {.function = original.function,
                      .file = original.file,
                      .line = OneBasedLine(original.line),
                      .column = OneBasedColumn(original.column)},
                     text);
}

}  // namespace

Answer symbolicate(std::string_view trace, ScriptArtifacts& artifacts) {
  const trace::Trace parsed = trace::parse_trace(trace);
  Answer answer;
  answer.text.reserve(trace.size() + trace.size() / 2);
  answer.frames.reserve(parsed.frames.size());
  std::size_t copied = 0;
  for (const trace::Frame& frame : parsed.frames) {
    AnswerFrame& answered = answer.frames.emplace_back();
    answered.in = trace.substr(frame.begin, frame.end - frame.begin);
    answered.line_index = frame.line_index;
    resolve(frame, artifacts, answered);
    if (answered.status != FrameStatus::kMapped) continue;
    answer.text += trace.substr(copied, frame.begin - copied);
    write_original(frame, answered.out.front(), answer.text);
    copied = frame.end;
  }
  answer.text += trace.substr(copied);
  answer.faults = artifacts.faults();
  return answer;
}

}  // namespace twofold
