// Lookups in a .tw version 2 of which only ranges can be read: in object storage, behind HTTP, on a
// page's server. Does no I/O: it says which ranges it needs, is given them, and goes on.
//
//   RangeLookup lookup(file_size_bytes, keys);
//   while (!lookup.needed().empty()) {
//     if (Status status = lookup.take(read(lookup.needed())); !status) ...
//   }
//   lookup.answer(0)
//
// One place in a file of any size takes at most four rounds of one read: the head (4 KB), the entry
// of its line, that of its bucket, a page; two or three where the tables before the pages are in
// the head. Lists of more than 4,096 runs are halved until they are short, a read each time. A name
// longer than 256 bytes takes two more, a bucket with more tokens than a page holds one. Several
// places share rounds and pages.
//
// Trusts the file as BlockView does: any bytes are safe, damaged ones answer wrong or not at all.
// Callers of inlined functions are not followed. Not thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/result.h"
#include "core/tw/directory.h"
#include "core/tw/location.h"
#include "core/tw/run_table.h"

namespace twofold::tw {

struct ByteRange {
  std::uint64_t offset;
  std::uint64_t size;
};

class RangeLookup {
 public:
  RangeLookup(std::uint64_t file_size_bytes, std::vector<std::uint64_t> keys);

  // What to read next, sorted and apart from each other; empty: all keys have their answer.
  [[nodiscard]] const std::vector<ByteRange>& needed() const { return needed_; }
  // The bytes of each range that is needed, in order; copied. Errors: kTruncated for a piece of
  // another size, and those of read_directory. After an error nothing is needed or answered.
  [[nodiscard]] Status take(std::span<const ByteView> pieces);

  // As BlockView::find for key i, once nothing is needed. Views into what this object keeps.
  [[nodiscard]] const std::optional<Location>& answer(std::size_t i) const { return answers_[i]; }

 private:
  enum class Outcome : std::uint8_t { kWaits, kNothing, kFound };

  // The bytes there, or none: then they are needed.
  [[nodiscard]] std::optional<ByteView> fetch(std::uint64_t offset, std::uint64_t size);
  void resolve_all();
  [[nodiscard]] Outcome resolve(std::uint64_t key, Location& location);
  [[nodiscard]] std::optional<std::uint64_t> find_place(std::uint64_t key);
  [[nodiscard]] std::optional<std::uint64_t> find_listed(std::uint64_t key, const RunRule& rule);
  // The page that an offset in the file is in: its bytes, and where they begin.
  struct Page {
    ByteView bytes;
    std::uint64_t begin = 0;
  };
  [[nodiscard]] std::optional<Page> fetch_page(std::uint64_t at);
  [[nodiscard]] bool find_long_name(const SectionRange& table, std::uint32_t index,
                                    std::optional<std::string_view>& name);
  void join_needed();

  std::uint64_t file_size_bytes_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::optional<Location>> answers_;
  std::vector<bool> is_answered_;
  std::optional<Directory> directory_;
  std::vector<ByteRange> needed_;
  // By their offset. They may overlap; none is changed or dropped, since answers look into them.
  std::multimap<std::uint64_t, std::vector<std::uint8_t>> pieces_;
};

}  // namespace twofold::tw
