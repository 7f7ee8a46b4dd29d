// Whether a map of Hermes bytecode is of the build that printed a stack. The stack has no ID, and
// few maps have one; but the addresses tell.
//
// An address in a stack is where an instruction begins that calls or throws, and Hermes writes a
// segment for each of those. So with the map of its own build every address is the start of a
// segment: all 72 of the corpus are. In another build the instructions lie elsewhere, and one
// address in five hits a start by chance: at most 3 of 11 with maps whose code is moved by 28
// bytes, which would have given wrong lines in functions that look right.
//
// Some reporters count addresses from 1, so starts one before the address are counted apart: a
// stack has one reporter. Three of four addresses suffice, for a frame that a reporter made up must
// not cost the others. A stack of one or two frames can pass by chance.
#pragma once

#include <vector>

#include "core/symbolicate/answer.h"
#include "core/symbolicate/artifact_source.h"
#include "core/trace/trace.h"

namespace twofold {

// Takes back the answers of maps of another build: their frames become unmapped, kWrongBuild, and
// the map a fault of the answer. A stack is what stands on consecutive lines. `asked`: per frame
// the artifact that was looked in, or null. Artifacts without instruction starts (other maps, maps
// of old composers, a .tw) are not judged.
void refuse_other_builds(const std::vector<trace::Frame>& frames,
                         const std::vector<const ScriptArtifact*>& asked, Answer& answer);

}  // namespace twofold
