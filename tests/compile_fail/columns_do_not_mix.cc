// A byte column is not a UTF-16 column: after the first emoji they differ.
// error: (no match for|invalid operands|no viable|could not convert|cannot convert|conversion)
#include "core/base/utf.h"

using namespace twofold;

Utf16Column right(std::string_view line, Utf8Column column) {
  return to_utf16(line, column);
}

#ifdef WRONG
Utf16Column wrong(std::string_view, Utf8Column column) {
  return column;
}
#endif
