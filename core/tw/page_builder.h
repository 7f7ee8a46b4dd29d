// Fills the pages of a .tw version 2: blocks of tokens from their start, and from their end the
// names that they need.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/tw/block_writer.h"
#include "core/tw/flat_view.h"

namespace twofold::tw {

// Which names of one kind are in the page being filled, and where in the file each came first.
class PageNames {
 public:
  void begin_file(const StringTableView& table) {
    table_ = &table;
    places_.assign(table.count(), {});
    first_at_.assign(table.count(), 0);
  }
  struct Place {
    std::uint32_t page = 0;
    std::uint32_t number = 0;  // in that page
  };
  // Precondition of both: `index` is one of the table's.
  [[nodiscard]] Place& place(std::uint32_t index) { return places_[index]; }
  [[nodiscard]] std::string_view text(std::uint32_t index) const {
    return table_->find(index).value_or(std::string_view());
  }
  // Offset in the file of the first record of a name with its text; 0: none.
  [[nodiscard]] std::vector<std::uint32_t>& first_at() { return first_at_; }

 private:
  const StringTableView* table_ = nullptr;
  std::vector<Place> places_;  // per name of the file
  std::vector<std::uint32_t> first_at_;
};

class PageBuilder {
 public:
  // Pages begin at `first_page_at`, an offset in the file, not 0. The tables must outlive `finish`.
  void begin(std::size_t first_page_at, const StringTableView& files,
             const StringTableView& functions);
  // Packs the tokens of a bucket, whose `file` and `function` are indexes of the tables, kNone for
  // none. The result is its entry in the table of buckets; beyond kMostOffset if the file is too
  // large. Precondition: at least one token, the first at offset 0.
  [[nodiscard]] std::size_t add(const BucketTokens& bucket);
  void finish();

  [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }
  [[nodiscard]] PageNames& files() { return files_; }
  [[nodiscard]] PageNames& functions() { return functions_; }

 private:
  struct Entry {
    PageNames* names;
    std::uint32_t index;
    std::string_view text;  // empty for what is stored elsewhere
    bool is_long;
  };

  [[nodiscard]] bool number_names(const BucketTokens& bucket, bool are_long);
  [[nodiscard]] std::uint32_t intern(PageNames& names, std::uint32_t index, bool is_long);
  void forget_names(std::size_t count);
  [[nodiscard]] std::size_t room_bytes() const;
  [[nodiscard]] bool try_add(const BucketTokens& bucket, bool are_long, std::size_t& at);
  [[nodiscard]] std::size_t add_fork(const BucketTokens& bucket);
  void begin_page();
  void close_page();
  void append_names(std::size_t end);

  std::size_t first_page_at_ = 0;
  std::vector<std::uint8_t> bytes_;
  // The page that is being filled: it begins at `page_begin_` of bytes_.
  std::uint32_t page_ = 0;
  std::size_t page_begin_ = 0;
  std::size_t names_size_bytes_ = 0;
  std::vector<Entry> entries_;
  BucketNames numbers_;
  PageNames files_;
  PageNames functions_;
};

}  // namespace twofold::tw
