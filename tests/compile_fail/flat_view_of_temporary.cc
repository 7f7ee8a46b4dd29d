// A view of bytes that are gone at the end of the statement.
// error: (deleted|delete)
#include "core/tw/flat_view.h"

using namespace twofold;

std::vector<std::uint8_t> load();

std::uint32_t right() {
  const std::vector<std::uint8_t> bytes = load();
  return tw::FlatView::open(bytes).value().token_count();
}

#ifdef WRONG
tw::FlatView wrong() {
  return tw::FlatView::open(load()).value();
}
#endif
