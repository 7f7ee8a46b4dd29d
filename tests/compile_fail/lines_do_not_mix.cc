// A line as people count it is not a line as the core counts it.
// error: (could not convert|cannot convert|no viable|no matching|conversion)
#include "core/base/units.h"

using namespace twofold;

Position right(OneBasedLine line) {
  return {to_line(line).value(), Utf16Column(0)};
}

#ifdef WRONG
Position wrong(OneBasedLine line) {
  return {line, Utf16Column(0)};
}
#endif
