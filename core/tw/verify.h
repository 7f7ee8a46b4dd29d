// The deep check of a .tw file, for files from elsewhere and for tests: everything that `open`
// takes on trust. O(file).
#pragma once

#include "core/base/result.h"
#include "core/tw/view.h"

namespace twofold::tw {

// Fails on the first thing that is wrong: tokens out of order, an index that names no string, an
// original column without a line, string offsets that fall or start above 0, text that is not
// UTF-8. Errors: kBadTable, kBadUtf8, each with the byte offset in the file.
[[nodiscard]] Status verify(const FlatView& view);
// All checksums, all pages, blocks and names; offsets of faults are those of the page or the entry.
[[nodiscard]] Status verify(const BlockView& view);
[[nodiscard]] Status verify(const View& view);

// The checksums alone: that the bytes are those that were written. At the speed of memory. Version
// 1 has none and passes. Errors: kBadTable with the offset of the section.
[[nodiscard]] Status verify_checksums(const View& view);

}  // namespace twofold::tw
