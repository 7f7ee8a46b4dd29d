// A failure that nobody looks at, of a function that returns nothing else.
// error: (nodiscard|ignoring|unused)
#include "core/base/result.h"

using namespace twofold;

Status check();

bool right() {
  return check().ok();
}

#ifdef WRONG
void wrong() {
  check();
}
#endif
