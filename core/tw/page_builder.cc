#include "core/tw/page_builder.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "core/tw/layout.h"

namespace twofold::tw {

using namespace blocks;

void PageBuilder::begin(std::size_t first_page_at, const StringTableView& files,
                        const StringTableView& functions) {
  first_page_at_ = first_page_at;
  bytes_.clear();
  files_.begin_file(files);
  functions_.begin_file(functions);
  page_ = 0;
  begin_page();
}

void PageBuilder::begin_page() {
  ++page_;
  page_begin_ = bytes_.size();
  entries_.clear();
  names_size_bytes_ = 0;
}

void PageBuilder::finish() {
  if (bytes_.size() > page_begin_) append_names(bytes_.size() + names_size_bytes_);
}

void PageBuilder::close_page() {
  append_names(bytes_.size() + room_bytes() + names_size_bytes_);
  begin_page();
}

// What the page has left for blocks and names.
std::size_t PageBuilder::room_bytes() const {
  const std::size_t begin = first_page_at_ + page_begin_;
  const std::size_t end = (begin | (kPageSizeBytes - 1)) + 1;
  return end - (first_page_at_ + bytes_.size()) - names_size_bytes_;
}

// The number of a name in this page.
std::uint32_t PageBuilder::intern(PageNames& names, std::uint32_t index, bool is_long) {
  if (index == kNone) return 0;
  PageNames::Place& place = names.place(index);
  if (place.page == page_) return place.number;
  const std::string_view text = names.text(index);
  is_long = is_long || text.size() > kLongestPageName;
  entries_.push_back({&names, index, is_long ? std::string_view() : text, is_long});
  names_size_bytes_ += kNameSizeBytes + entries_.back().text.size();
  place = {page_, static_cast<std::uint32_t>(entries_.size())};
  return place.number;
}

// Forgets all names of this page but the first `count`.
void PageBuilder::forget_names(std::size_t count) {
  for (; entries_.size() > count; entries_.pop_back()) {
    const Entry& entry = entries_.back();
    entry.names->place(entry.index).page = 0;
    names_size_bytes_ -= kNameSizeBytes + entry.text.size();
  }
}

// Fills numbers_. False: more names than a page can number.
bool PageBuilder::number_names(const BucketTokens& bucket, bool are_long) {
  // Tokens beside each other mostly have the names of the one before.
  std::uint32_t file = kNone, file_number = 0, function = kNone, function_number = 0;
  for (std::uint32_t i = 0; i < bucket.count; ++i) {
    if (bucket.files[i] != file) {
      file = bucket.files[i];
      file_number = intern(files_, file, are_long);
    }
    if (bucket.functions[i] != function) {
      function = bucket.functions[i];
      function_number = intern(functions_, function, are_long);
    }
    numbers_.files[i] = file_number;
    numbers_.functions[i] = function_number;
  }
  return entries_.size() <= kMostPageNames;
}

// Puts the tokens into this page. False, and nothing done: no room.
bool PageBuilder::try_add(const BucketTokens& bucket, bool are_long, std::size_t& at) {
  const std::size_t names_before = entries_.size();
  // What is there already may be all that fits.
  const std::size_t room_before = room_bytes() + names_size_bytes_;
  if (number_names(bucket, are_long)) {
    const BlockForm form(bucket, numbers_);
    if (form.size_bytes() + names_size_bytes_ <= room_before) {
      at = first_page_at_ + bytes_.size();
      form.append(bucket, numbers_, bytes_);
      return true;
    }
  }
  forget_names(names_before);
  return false;
}

std::size_t PageBuilder::add(const BucketTokens& bucket) {
  std::size_t at = 0;
  if (try_add(bucket, false, at)) return at;
  if (room_bytes() < kPageSizeBytes) {
    close_page();
    if (try_add(bucket, false, at)) return at;
  }
  const bool is_forked = bucket.count <= (2u << kForkedBits) + 1 &&
                         bucket.offsets[bucket.count - 1] < 1u << kForkedBits;
  if (!is_forked) return add_fork(bucket);
  // 65 wide records and as many names twice, with the texts elsewhere, fit any page.
  const bool is_added = try_add(bucket, true, at);
  assert(is_added);
  static_cast<void>(is_added);
  return at;
}

std::size_t PageBuilder::add_fork(const BucketTokens& bucket) {
  std::array<std::uint32_t, kForkedCount> entries{};
  std::uint32_t next = 0;
  std::size_t last_at = 0;
  for (std::uint32_t part = 0; part < kForkedCount; ++part) {
    BucketTokens smaller;
    const std::uint32_t begin = part << kForkedBits;
    const bool has_any = next < bucket.count && bucket.offsets[next] >> kForkedBits == part;
    if (!has_any) {
      entries[part] = static_cast<std::uint32_t>(last_at) | kIsEmpty;
      continue;
    }
    if (bucket.offsets[next] != begin) {
      smaller.is_carried = true;
      smaller.add(0, bucket.token(next - 1));
    } else {
      smaller.is_carried = next == 0 && bucket.is_carried;
    }
    for (; next < bucket.count && bucket.offsets[next] >> kForkedBits == part; ++next) {
      smaller.add(static_cast<std::uint8_t>(bucket.offsets[next] - begin), bucket.token(next));
    }
    last_at = add(smaller);
    entries[part] = static_cast<std::uint32_t>(last_at);
    if (last_at > kMostOffset) return last_at;
  }
  if (room_bytes() < kBlockHeaderSizeBytes + kForkedCount * 4) close_page();
  const std::size_t at = first_page_at_ + bytes_.size();
  append_fork(entries, bytes_);
  return at;
}

// The page ends at `end`: texts first, so that the records are at the very end.
void PageBuilder::append_names(std::size_t end) {
  std::size_t at = end - names_size_bytes_;
  bytes_.resize(end);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    const std::size_t record_at = end - (i + 1) * kNameSizeBytes;
    std::uint8_t* const record = bytes_.data() + record_at;
    const std::uint64_t length = entry.is_long ? kLongName : entry.text.size();
    const std::uint64_t back = entry.is_long ? 1 : end - at;
    const std::uint64_t word = (back - 1) << kNameBackShift | length << kNameLengthShift |
                               std::uint64_t{entry.index} << kNameIndexShift;
    std::memcpy(record, &word, kNameSizeBytes);
    std::copy(entry.text.begin(), entry.text.end(), bytes_.data() + at);
    at += entry.text.size();
    std::uint32_t& first_at = entry.names->first_at()[entry.index];
    if (first_at == 0 && !entry.is_long) {
      first_at = static_cast<std::uint32_t>(first_page_at_ + record_at);
    }
  }
}

}  // namespace twofold::tw
