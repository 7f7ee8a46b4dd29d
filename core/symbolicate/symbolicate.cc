#include "core/symbolicate/symbolicate.h"

#include "core/trace/trace.h"
#include "core/tw/lookup.h"

namespace twofold {
namespace {

std::optional<std::string> to_owned(std::optional<std::string_view> text) {
  return text ? std::optional<std::string>(*text) : std::nullopt;
}

OriginalFrame to_original(const tw::Location& location, const ScriptArtifact& artifact,
                          const trace::Frame& frame) {
  OriginalFrame original;
  original.function = to_owned(location.function);
  // What the artifact does not tell, the engine may have: its name is the minified one, but a name.
  if (!original.function && !frame.function.empty()) original.function = std::string(frame.function);
  original.file = to_owned(location.file);
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
