#include "core/tw/page_builder.h"

#include <algorithm>
#include <cassert>

#include "core/tw/layout.h"

namespace twofold::tw {
namespace {

using namespace blocks;

bool is_long(std::string_view text) {
  return text.size() > kLongestPageName;
}

std::size_t entry_size_bytes(std::string_view text) {
  return kNameSizeBytes + (is_long(text) ? 0 : text.size());
}

// Tokens that must be known before a block is chosen: a whole one, and the one behind it.
constexpr std::size_t kLookAhead = kMostTokens + 1;

}  // namespace

void PageNames::begin_file(std::size_t name_count) {
  page_ = 1;
  places_.assign(name_count, {});
  first_at_.assign(name_count, 0);
  entries_.clear();
}

std::uint32_t PageNames::intern(std::uint32_t index, std::string_view text,
                                std::size_t& size_bytes) {
  Place& place = places_[index];
  if (place.page != page_) {
    place = {page_, static_cast<std::uint32_t>(entries_.size())};
    entries_.push_back({index, text});
    size_bytes += entry_size_bytes(text);
  }
  return place.number;
}

void PageNames::shrink(std::size_t count) {
  for (std::size_t i = count; i < entries_.size(); ++i) places_[entries_[i].index].page = 0;
  entries_.resize(count);
}

void PageBuilder::begin(std::size_t first_page_at, std::size_t file_count,
                        std::size_t function_count) {
  first_page_at_ = first_page_at;
  bytes_.clear();
  page_keys_.clear();
  pending_.clear();
  block_keys_.clear();
  block_ends_.clear();
  blocks_.clear();
  names_size_bytes_ = 0;
  files_.begin_file(file_count);
  functions_.begin_file(function_count);
}

void PageBuilder::add(std::uint64_t key, PageToken token, std::string_view file,
                      std::string_view function) {
  pending_.push_back({key, token, file, function});
  if (pending_.size() == kLookAhead) flush_block();
}

void PageBuilder::finish() {
  while (!pending_.empty()) flush_block();
  if (!block_keys_.empty()) close_page();
}

// From here to where the next page begins.
std::size_t PageBuilder::capacity_bytes() const {
  return kPageSizeBytes - (first_page_at_ + bytes_.size()) % kPageSizeBytes;
}

std::size_t PageBuilder::page_size_bytes() const {
  return kPageHeaderSizeBytes + block_keys_.size() * (kBlockKeySizeBytes + kBlockOffsetSizeBytes) +
         blocks_.size() + names_size_bytes_;
}

// Puts the first `count` tokens into the page as a block. False, and nothing done: no room.
bool PageBuilder::try_block(std::size_t count) {
  const std::size_t files_before = files_.entries().size();
  const std::size_t functions_before = functions_.entries().size();
  const std::size_t names_before = names_size_bytes_;
  const std::size_t blocks_before = blocks_.size();
  numbered_.clear();
  for (std::size_t i = 0; i < count; ++i) {
    PageToken token = pending_[i].token;
    if (token.file != kNone) {
      token.file = files_.intern(token.file, pending_[i].file, names_size_bytes_);
    }
    if (token.function != kNone) {
      token.function = functions_.intern(token.function, pending_[i].function, names_size_bytes_);
    }
    numbered_.push_back({pending_[i].key, token});
  }
  append_block(numbered_, blocks_);
  block_keys_.push_back(pending_.front().key);
  block_ends_.push_back(static_cast<std::uint32_t>(blocks_.size()));
  if (page_size_bytes() <= capacity_bytes()) return true;

  block_keys_.pop_back();
  block_ends_.pop_back();
  blocks_.resize(blocks_before);
  names_size_bytes_ = names_before;
  files_.shrink(files_before);
  functions_.shrink(functions_before);
  return false;
}

// The next block, in this page or the next; smaller only if a page of its own is too small for it.
void PageBuilder::flush_block() {
  numbered_.clear();
  for (const Pending& token : pending_) numbered_.push_back({token.key, token.token});
  std::size_t count = choose_block_size(numbered_);
  while (!try_block(count)) {
    if (!block_keys_.empty()) {
      close_page();
      bytes_.resize(bytes_.size() + capacity_bytes() % kPageSizeBytes);
    } else {
      assert(count > 2);  // two tokens and four names fit in half a page
      count /= 2;
      if (pending_[count].key == pending_[count - 1].key) ++count;
    }
  }
  pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(count));
}

// Records from `records_at` on, an offset in bytes_; texts behind all that is there.
void PageBuilder::append_names(PageNames& names, std::size_t page_begin, std::size_t records_at) {
  for (const PageNames::Entry& entry : names.entries()) {
    const bool is_elsewhere = is_long(entry.text);
    std::uint8_t* const record = bytes_.data() + records_at;
    store(record + kNameIndexAt, entry.index);
    store(record + kNameTextAt, static_cast<std::uint16_t>(bytes_.size() - page_begin));
    store(record + kNameLengthAt,
          is_elsewhere ? kLongName : static_cast<std::uint16_t>(entry.text.size()));
    std::uint32_t& first_at = names.first_at()[entry.index];
    if (first_at == 0 && !is_elsewhere) {
      first_at = static_cast<std::uint32_t>(first_page_at_ + records_at);
    }
    if (!is_elsewhere) bytes_.insert(bytes_.end(), entry.text.begin(), entry.text.end());
    records_at += kNameSizeBytes;
  }
  names.begin_page();
}

void PageBuilder::close_page() {
  const std::size_t begin = bytes_.size();
  const std::size_t block_count = block_keys_.size();
  const std::size_t blocks_at =
      kPageHeaderSizeBytes + block_count * (kBlockKeySizeBytes + kBlockOffsetSizeBytes);
  const std::size_t names_at = blocks_at + blocks_.size();
  const std::size_t file_count = files_.entries().size();
  const std::size_t function_count = functions_.entries().size();
  bytes_.resize(begin + names_at + kNameSizeBytes * (file_count + function_count));
  std::uint8_t* const page = bytes_.data() + begin;
  store(page + kBlockCountAt, static_cast<std::uint16_t>(block_count));
  store(page + kPageFilesAt, static_cast<std::uint16_t>(file_count));
  store(page + kPageFunctionsAt, static_cast<std::uint16_t>(function_count));
  store(page + kPageNamesAt, static_cast<std::uint16_t>(names_at));
  std::uint8_t* key = page + kPageHeaderSizeBytes;
  std::uint8_t* offset = key + block_count * kBlockKeySizeBytes;
  std::size_t block_at = blocks_at;
  for (std::size_t i = 0; i < block_count; ++i) {
    store(key, block_keys_[i]);
    store(offset, static_cast<std::uint16_t>(block_at));
    key += kBlockKeySizeBytes;
    offset += kBlockOffsetSizeBytes;
    block_at = blocks_at + block_ends_[i];
  }
  std::copy(blocks_.begin(), blocks_.end(), page + blocks_at);
  append_names(files_, begin, begin + names_at);
  append_names(functions_, begin, begin + names_at + kNameSizeBytes * file_count);

  page_keys_.push_back(block_keys_.front());
  block_keys_.clear();
  block_ends_.clear();
  blocks_.clear();
  names_size_bytes_ = 0;
}

}  // namespace twofold::tw
