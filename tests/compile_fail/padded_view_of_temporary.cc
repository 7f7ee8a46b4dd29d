// A view of a buffer that is gone at the end of the statement.
// error: (deleted|delete)
#include "core/base/padded.h"

using namespace twofold;

PaddedBuffer load();

std::size_t right() {
  const PaddedBuffer buffer = load();
  const PaddedView view(buffer);
  return view.text().size();
}

#ifdef WRONG
PaddedView wrong() {
  return PaddedView(load());
}
#endif
