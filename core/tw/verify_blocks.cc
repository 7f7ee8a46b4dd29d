// The deep check of version 2. Each fault is given with where it is in the file, to the page.
#include <algorithm>
#include <string>
#include <vector>

#include "core/base/utf.h"
#include "core/base/xxh64.h"
#include "core/tw/block_view.h"
#include "core/tw/verify.h"

namespace twofold::tw {
namespace {

using namespace blocks;

Error fault(Code code, std::uint64_t offset, std::string detail) {
  return {code, offset, std::move(detail)};
}

class BlockVerifier {
 public:
  explicit BlockVerifier(const BlockView& view) : view_(view) {}

  Status run() {
    for (std::uint32_t kind = 1; kind <= kLastSectionKind; ++kind) {
      if (Status status = check_checksum(static_cast<SectionKind>(kind)); !status) return status;
    }
    if (Status status = check_names("file", view_.file_count(), true); !status) return status;
    if (Status status = check_names("function", view_.function_count(), false); !status) {
      return status;
    }
    for (std::uint32_t page = 0; page < view_.page_count(); ++page) {
      if (Status status = check_page(page); !status) return status;
    }
    if (Status status = check_guide(); !status) return status;
    if (token_count_ != view_.token_count()) {
      return fault(Code::kBadTable, kTokenCountAt,
                   "there are " + std::to_string(token_count_) + " tokens");
    }
    return check_callers();
  }

 private:
  Status check_checksum(SectionKind kind) const {
    const SectionView section = view_.section(kind);
    if (section.offset == 0 || xxh64(section.bytes) == section.checksum) return {};
    return fault(Code::kBadTable, section.offset,
                 "checksum of section " + std::to_string(static_cast<std::uint32_t>(kind)));
  }

  Status check_names(const char* what, std::uint32_t count, bool is_file) const {
    const SectionView section =
        view_.section(is_file ? SectionKind::kFiles : SectionKind::kFunctions);
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto name = is_file ? view_.file(i) : view_.function(i);
      const std::uint64_t at = section.offset + std::uint64_t{i} * 4;
      if (!name) return fault(Code::kBadTable, at, std::string(what) + " name is not there");
      if (!is_valid_utf8(*name)) {
        return fault(Code::kBadUtf8, at, std::string(what) + " name is not UTF-8");
      }
    }
    return {};
  }

  // It is what the builder would have written.
  Status check_guide() const {
    std::vector<std::uint64_t> keys;
    for (std::uint32_t page = 0; page < view_.page_count(); ++page) {
      keys.push_back(view_.page_key(page));
    }
    std::vector<std::uint8_t> expected;
    append_guide(keys, expected);
    const SectionView guide = view_.section(SectionKind::kGuide);
    const bool is_same =
        std::equal(expected.begin(), expected.end(), guide.bytes.begin(), guide.bytes.end());
    return is_same ? Status() : fault(Code::kBadTable, guide.offset, "guide to pages");
  }

  // Names of a page are those of the tables.
  bool has_table_names(const PageView& page) const {
    const auto is_same = [](const PageName& name, const std::optional<std::string_view>& in_table) {
      return in_table && (name.is_long || name.text == *in_table);
    };
    PageName name;
    for (std::uint32_t i = 0; i < page.file_count(); ++i) {
      if (!page.find_file(i, name) || !is_same(name, view_.file(name.index))) return false;
    }
    for (std::uint32_t i = 0; i < page.function_count(); ++i) {
      if (!page.find_function(i, name) || !is_same(name, view_.function(name.index))) return false;
    }
    return true;
  }

  bool check_token(const PageView& page, const PageToken& token) const {
    if (token.is_unmapped()) return true;
    return (token.file == kNone || token.file < page.file_count()) &&
           (token.function == kNone || token.function < page.function_count()) &&
           token.caller <= view_.caller_count();
  }

  Status check_page(std::uint32_t index) {
    const ByteView bytes = view_.page_bytes(index);
    const std::uint64_t at = static_cast<std::uint64_t>(bytes.data() - view_.bytes().data());
    const PageView page(bytes);
    if (page.block_count() == 0) return fault(Code::kBadTable, at, "a page without blocks");
    if (!has_table_names(page)) return fault(Code::kBadTable, at, "names of a page");
    bool is_first = true;
    const char* wrong = nullptr;
    const bool is_whole = page.for_each([&](std::uint64_t key, const PageToken& token) {
      if (is_first && key != view_.page_key(index)) wrong = "a page does not begin at its key";
      is_first = false;
      if (token_count_ > 0 && key < last_key_) wrong = "tokens are not sorted";
      same_key_count_ = token_count_ > 0 && key == last_key_ ? same_key_count_ + 1 : 1;
      if (same_key_count_ > 2) wrong = "three tokens at one position";
      if (!check_token(page, token)) wrong = "a token refers to nothing";
      last_key_ = key;
      ++token_count_;
    });
    if (!is_whole) return fault(Code::kBadTable, at, "a block of a page");
    if (wrong != nullptr) return fault(Code::kBadTable, at, wrong);
    // What `find` goes by must be what the tokens say.
    const char* const misplaced = "a block is not found by its key";
    std::optional<std::uint64_t> before;
    const bool is_found = page.for_each([&](std::uint64_t key, const PageToken& token) {
      PageToken found;
      if (before == key) return;  // the second of two is not found by its own key
      before = key;
      if (!page.find(key, found) || found.is_unmapped() != token.is_unmapped()) wrong = misplaced;
    });
    if (!is_found || wrong != nullptr) return fault(Code::kBadTable, at, misplaced);
    return {};
  }

  Status check_callers() const {
    const SectionView section = view_.section(SectionKind::kCallers);
    for (std::uint32_t i = 0; i < view_.caller_count(); ++i) {
      const std::uint8_t* const record = section.bytes.data() + std::size_t{i} * kCallerSizeBytes;
      const std::uint32_t function = load_u32(record);
      const std::uint32_t file = load_u32(record + 4);
      const bool is_sound = (function == kNone || function < view_.function_count()) &&
                            (file == kNone || file < view_.file_count()) &&
                            load_u32(record + 16) <= i;
      if (!is_sound) {
        return fault(Code::kBadTable, section.offset + std::uint64_t{i} * kCallerSizeBytes,
                     "a caller refers to nothing");
      }
    }
    return {};
  }

  const BlockView& view_;
  std::uint64_t token_count_ = 0;
  std::uint64_t last_key_ = 0;
  std::uint32_t same_key_count_ = 0;
};

}  // namespace

Status verify(const BlockView& view) {
  return BlockVerifier(view).run();
}

Status verify(const View& view) {
  return view.as_flat() != nullptr ? verify(*view.as_flat()) : verify(*view.as_blocks());
}

}  // namespace twofold::tw
