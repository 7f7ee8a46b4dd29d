// The deep check of version 2. Each fault is given with where it is in the file, to the page.
#include <algorithm>
#include <string>
#include <vector>

#include "core/base/utf.h"
#include "core/base/xxh64.h"
#include "core/tw/block_walk.h"
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

  Status check_checksums() const {
    for (std::uint32_t kind = 1; kind <= kLastSectionKind; ++kind) {
      if (Status status = check_checksum(static_cast<SectionKind>(kind)); !status) return status;
    }
    return {};
  }

  Status run() {
    if (Status status = check_checksums(); !status) return status;
    if (Status status = check_names("file", view_.file_count(), true); !status) return status;
    if (Status status = check_names("function", view_.function_count(), false); !status) {
      return status;
    }
    if (Status status = check_tokens(); !status) return status;
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

  // What a token says, with names as indexes of the file.
  struct Said {
    std::uint32_t line, column, file, function, caller;
    friend bool operator==(const Said&, const Said&) = default;
  };

  // False: it refers to nothing, or to a name that is not the table's.
  bool resolve(const WalkedToken& walked, Said& said) const {
    const BlockToken& token = walked.token;
    said = {token.original_line, token.original_column, kNone, kNone, token.caller};
    if (token.is_unmapped()) said = {0, 0, kNone, kNone, 0};
    if (token.is_unmapped()) return true;
    const auto is_named = [&](std::uint32_t number, bool is_file, std::uint32_t& index) {
      PageName name;
      if (number == 0) return true;
      if (!read_page_name(view_.bytes(), walked.page_end, number, name)) return false;
      index = name.index;
      const auto in_table = is_file ? view_.file(index) : view_.function(index);
      return in_table && (name.is_long || name.text == *in_table);
    };
    return is_named(token.file, true, said.file) &&
           is_named(token.function, false, said.function) && token.caller <= view_.caller_count();
  }

  // The last token of a run is one place before its end, the next run with places follows.
  const char* check_run(const WalkedToken& walked) {
    const Run run = view_.runs().run(walked.run);
    if (token_count_ > 0 && walked.run == last_run_) {
      if (walked.place < last_place_) return "tokens are not sorted";
      same_count_ = walked.place == last_place_ ? same_count_ + 1 : 1;
      if (same_count_ > 2) return "three tokens at one position";
    } else {
      if (walked.place != run.begin) return "a run does not begin at a token";
      if (token_count_ > 0 && last_place_ + 2 != run.begin) {
        return "a run does not end behind its last token";
      }
      same_count_ = 1;
    }
    last_run_ = walked.run;
    last_place_ = walked.place;
    return nullptr;
  }

  Status check_runs() const {
    const std::uint32_t count = view_.runs().count();
    const SectionView section = view_.section(SectionKind::kRuns);
    const bool is_empty = view_.bucket_count() == 0;
    if (section.entries != count || (count == 0) != is_empty) {
      return fault(Code::kBadTable, section.offset, "runs");
    }
    std::uint64_t before = 0;
    std::uint64_t end = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const Run run = view_.runs().run(i);
      const std::uint64_t key = std::uint64_t{run.line} << 32 | run.first_column;
      if (run.begin != end || run.end < run.begin || (i > 0 && key <= before)) {
        return fault(Code::kBadTable, section.offset, "run " + std::to_string(i));
      }
      before = key;
      end = run.end;
    }
    const std::uint64_t buckets = (end + kLastInBucket) >> kBucketBits;
    if (buckets == view_.bucket_count()) return {};
    return fault(Code::kBadTable, section.offset, "buckets are not those of the runs");
  }

  Status check_tokens() {
    if (Status status = check_runs(); !status) return status;
    const char* wrong = nullptr;
    std::size_t wrong_at = 0;
    Said before{};
    BlockWalk walk(view_);
    const bool is_whole = walk.for_each([&](const WalkedToken& walked) {
      if (wrong != nullptr) return;
      Said said{};
      wrong_at = walk.at();
      if (!resolve(walked, said)) {
        wrong = "a token refers to nothing";
      } else if (walked.is_carried) {
        if (token_count_ == 0 || said != before) wrong = "what is carried is not the token before";
      } else {
        wrong = check_run(walked);
        if (wrong == nullptr && same_count_ == 1 && !is_found(walked, said)) {
          wrong = "a token is not found by its key";
        }
        before = said;
        ++token_count_;
      }
    });
    if (wrong == nullptr && !is_whole) wrong = "a block", wrong_at = walk.at();
    if (wrong == nullptr && token_count_ > 0 &&
        view_.runs().run(view_.runs().count() - 1).end != last_place_ + 2) {
      wrong = "a run does not end behind its last token";
    }
    return wrong == nullptr ? Status() : fault(Code::kBadTable, wrong_at, wrong);
  }

  // By a lookup, and behind the last token of its line as well.
  bool is_found(const WalkedToken& walked, const Said& said) const {
    const auto found = view_.find(view_.runs().run(walked.run).key(walked.place));
    if (said.line == 0) return !found;
    return found && Said{found->line.value(), found->column.value(), found->file_index,
                         found->function_index, found->caller} == said;
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
  std::uint64_t last_place_ = 0;
  std::uint32_t last_run_ = 0;
  std::uint32_t same_count_ = 0;  // tokens at the last place
};

}  // namespace

Status verify(const BlockView& view) {
  return BlockVerifier(view).run();
}

Status verify_checksums(const View& view) {
  return view.as_blocks() == nullptr ? Status()
                                     : BlockVerifier(*view.as_blocks()).check_checksums();
}

Status verify(const View& view) {
  return view.as_flat() != nullptr ? verify(*view.as_flat()) : verify(*view.as_blocks());
}

}  // namespace twofold::tw
