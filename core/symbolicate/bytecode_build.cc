#include "core/symbolicate/bytecode_build.h"

#include <algorithm>
#include <string>

namespace twofold {
namespace {

// Frames of one stack that one artifact was asked for.
struct AskedFrames {
  const ScriptArtifact* artifact;
  std::vector<std::size_t> indexes;  // of the answer's frames
  std::vector<Position> addresses;
};

// How many of the addresses are starts, by the better of the two ways to count.
std::size_t count_starts(const AskedFrames& asked) {
  const std::vector<Position>& starts = asked.artifact->instruction_starts;
  std::size_t from_zero = 0;
  std::size_t from_one = 0;
  for (const Position address : asked.addresses) {
    from_zero += std::binary_search(starts.begin(), starts.end(), address) ? 1u : 0u;
    if (address.column.value() == 0) continue;
    const Position before{address.line, Utf16Column(address.column.value() - 1)};
    from_one += std::binary_search(starts.begin(), starts.end(), before) ? 1u : 0u;
  }
  return std::max(from_zero, from_one);
}

void add_fault(const AskedFrames& asked, std::size_t start_count, Answer& answer) {
  const auto is_said = [&](const ArtifactFault& fault) {
    return fault.artifact == asked.artifact->name && fault.reason == Reason::kWrongBuild;
  };
  if (std::any_of(answer.faults.begin(), answer.faults.end(), is_said)) return;
  answer.faults.push_back({asked.artifact->name, Reason::kWrongBuild,
                           "the trace is of another build: " + std::to_string(start_count) +
                               " of " + std::to_string(asked.addresses.size()) +
                               " addresses begin an instruction of this map"});
}

void judge(const AskedFrames& asked, Answer& answer) {
  const std::size_t address_count = asked.addresses.size();
  const std::size_t start_count = count_starts(asked);
  if (start_count >= address_count - address_count / 4) return;
  for (const std::size_t index : asked.indexes) {
    AnswerFrame& frame = answer.frames[index];
    frame.status = FrameStatus::kUnmapped;
    frame.reason = Reason::kWrongBuild;
    frame.out.clear();
  }
  add_fault(asked, start_count, answer);
}

bool can_be_judged(const trace::Frame& frame, const ScriptArtifact* asked) {
  return frame.dialect == trace::Dialect::kHermes && frame.position && asked != nullptr &&
         !asked->instruction_starts.empty();
}

}  // namespace

void refuse_other_builds(const std::vector<trace::Frame>& frames,
                         const std::vector<const ScriptArtifact*>& asked, Answer& answer) {
  std::vector<AskedFrames> stack;  // one entry per artifact
  const auto judge_stack = [&] {
    for (const AskedFrames& part : stack) judge(part, answer);
    stack.clear();
  };
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (i > 0 && frames[i].line_index != frames[i - 1].line_index + 1) judge_stack();
    if (!can_be_judged(frames[i], asked[i])) continue;
    auto part = std::find_if(stack.begin(), stack.end(),
                             [&](const AskedFrames& known) { return known.artifact == asked[i]; });
    if (part == stack.end()) part = stack.insert(part, {asked[i], {}, {}});
    part->indexes.push_back(i);
    part->addresses.push_back(*frames[i].position);
  }
  judge_stack();
}

}  // namespace twofold
