// Fills the pages of a .tw version 2: blocks of tokens, and behind them the names that they need.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/tw/block_writer.h"

namespace twofold::tw {

// Where a name of one kind is in the page being filled, and where in the file it came first.
class PageNames {
 public:
  struct Entry {
    std::uint32_t index;  // of the file's table
    std::string_view text;
  };

  void begin_file(std::size_t name_count);
  void begin_page() {
    ++page_;
    entries_.clear();
  }
  // The number of a name in this page; a new one takes `size_bytes` more of it.
  [[nodiscard]] std::uint32_t intern(std::uint32_t index, std::string_view text,
                                     std::size_t& size_bytes);
  // Forgets all entries of this page but the first `count`.
  void shrink(std::size_t count);

  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  // Offset in the file of the first record of a name with its text; 0: none yet.
  std::vector<std::uint32_t>& first_at() { return first_at_; }

 private:
  struct Place {
    std::uint32_t page = 0;
    std::uint32_t number = 0;
  };
  std::uint32_t page_ = 0;
  std::vector<Place> places_;  // per name of the file
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> first_at_;
};

class PageBuilder {
 public:
  // Pages begin at `first_page_at`, an offset in the file, not 0 and in the first half of a page.
  void begin(std::size_t first_page_at, std::size_t file_count, std::size_t function_count);
  // One token after the other, in order. `file` and `function` are indexes of the file's tables,
  // and their names; those longer than kLongestPageName are stored elsewhere.
  void add(std::uint64_t key, PageToken token, std::string_view file, std::string_view function);
  void finish();

  [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }
  // The first key of each page.
  [[nodiscard]] const std::vector<std::uint64_t>& page_keys() const { return page_keys_; }
  [[nodiscard]] PageNames& files() { return files_; }
  [[nodiscard]] PageNames& functions() { return functions_; }

 private:
  struct Pending {
    std::uint64_t key;
    PageToken token;  // file and function: indexes of the file's tables
    std::string_view file;
    std::string_view function;
  };

  void flush_block();
  [[nodiscard]] bool try_block(std::size_t count);
  [[nodiscard]] std::size_t page_size_bytes() const;
  [[nodiscard]] std::size_t capacity_bytes() const;
  void close_page();
  void append_names(PageNames& names, std::size_t page_begin, std::size_t records_at);

  std::size_t first_page_at_ = 0;
  std::vector<std::uint8_t> bytes_;
  std::vector<std::uint64_t> page_keys_;

  std::vector<Pending> pending_;      // tokens that are in no block yet
  std::vector<KeyedToken> numbered_;  // the same with numbers of this page
  std::vector<std::uint8_t> block_;

  // The page that is being filled.
  std::vector<std::uint64_t> block_keys_;
  std::vector<std::uint32_t> block_ends_;  // in blocks_
  std::vector<std::uint8_t> blocks_;
  std::size_t names_size_bytes_ = 0;
  PageNames files_;
  PageNames functions_;
};

}  // namespace twofold::tw
