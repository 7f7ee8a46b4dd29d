// A failure that nobody looks at.
// error: (nodiscard|ignoring|unused)
#include "core/base/result.h"

using namespace twofold;

Result<int> parse();

int right() {
  const Result<int> parsed = parse();
  return parsed.ok() ? parsed.value() : 0;
}

#ifdef WRONG
void wrong() {
  parse();
}
#endif
