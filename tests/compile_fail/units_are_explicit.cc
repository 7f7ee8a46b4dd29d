// A bare number has no unit; somebody must say which.
// error: (could not convert|cannot convert|no viable|no matching|conversion)
#include "core/base/units.h"

using namespace twofold;

Line right() {
  return Line(3);
}

#ifdef WRONG
Line wrong() {
  return 3;
}
#endif
