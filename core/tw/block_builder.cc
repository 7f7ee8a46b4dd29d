#include "core/tw/block_builder.h"

#include <algorithm>
#include <cstring>

#include "core/base/xxh64.h"

namespace twofold::tw {
namespace {

using namespace blocks;

constexpr std::uint64_t kMostFileBytes = 0xFFFFFFFF;

// A section that is written already.
struct Section {
  SectionKind kind;
  std::size_t offset;
  std::size_t size;
  std::size_t entries;
};

template <class Number>
void append(Number value, std::vector<std::uint8_t>& to) {
  const std::size_t at = to.size();
  to.resize(at + sizeof value);
  store(to.data() + at, value);
}

void append_all(std::span<const std::uint32_t> numbers, std::vector<std::uint8_t>& to) {
  const std::size_t at = to.size();
  to.resize(at + numbers.size_bytes());
  if (!numbers.empty()) std::memcpy(to.data() + at, numbers.data(), numbers.size_bytes());
}

bool has_missing(std::span<const std::uint32_t> first_at) {
  return std::find(first_at.begin(), first_at.end(), 0u) != first_at.end();
}

// Appends sections to a file and remembers where they are.
class FileWriter {
 public:
  FileWriter(std::vector<std::uint8_t>& file, std::size_t section_count) : file_(file) {
    file_.assign(kHeaderSizeBytes + section_count * kSectionSizeBytes, 0);
    sections_.reserve(section_count);
  }
  void begin(SectionKind kind, std::size_t entries) {
    sections_.push_back({kind, file_.size(), 0, entries});
  }
  void end() { sections_.back().size = file_.size() - sections_.back().offset; }

  void write_header(Language language, std::uint32_t token_count) {
    std::uint8_t* const header = file_.data();
    std::copy(std::begin(kMagic), std::end(kMagic), header);
    store(header + 4, kVersion);
    store(header + kSectionCountAt, static_cast<std::uint32_t>(sections_.size()));
    store(header + kLanguageAt, static_cast<std::uint32_t>(language));
    store(header + kTokenCountAt, token_count);
    store(header + kBuilderVersionAt, kBuilderVersion);
    std::uint8_t* entry = header + kHeaderSizeBytes;
    for (const Section& section : sections_) {
      store(entry + kSectionKindAt, static_cast<std::uint32_t>(section.kind));
      store(entry + kSectionOffsetAt, static_cast<std::uint32_t>(section.offset));
      store(entry + kSectionSizeAt, static_cast<std::uint32_t>(section.size));
      store(entry + kSectionEntriesAt, static_cast<std::uint32_t>(section.entries));
      store(entry + kSectionChecksumAt,
            xxh64(ByteView(file_).subspan(section.offset, section.size)));
      entry += kSectionSizeBytes;
    }
    const auto size = static_cast<std::size_t>(entry - header);
    store(header + kChecksumAt, xxh64(ByteView(file_).first(size)));
  }

 private:
  std::vector<std::uint8_t>& file_;
  std::vector<Section> sections_;
};

void append_identities(std::span<const Identity> identities, std::vector<std::uint8_t>& file) {
  for (const Identity& identity : identities) {
    const std::size_t size = std::min<std::size_t>(identity.value.size(), 255);
    file.push_back(static_cast<std::uint8_t>(identity.kind));
    file.push_back(static_cast<std::uint8_t>(size));
    file.insert(file.end(), identity.value.begin(),
                identity.value.begin() + static_cast<std::ptrdiff_t>(size));
  }
}

// Of a file that passes 4 GiB offsets are wrong; `build` then throws it away.
void append_long_names(const StringTableView& table, std::vector<std::uint32_t>& first_at,
                       std::vector<std::uint8_t>& file) {
  for (std::uint32_t i = 0; i < table.count(); ++i) {
    if (first_at[i] != 0) continue;
    const std::string_view text = table.find(i).value_or("");
    first_at[i] = static_cast<std::uint32_t>(file.size());
    append(static_cast<std::uint32_t>(text.size()), file);
    file.insert(file.end(), text.begin(), text.end());
  }
}

void append_callers(std::span<const Caller> callers, std::vector<std::uint8_t>& file) {
  for (const Caller& caller : callers) {
    append(caller.function, file);
    append(caller.file, file);
    append(caller.line, file);
    append(caller.column, file);
    append(caller.parent, file);
  }
}

void append_sources(std::span<const SourcePiece> sources, std::size_t file_count,
                    std::vector<std::uint8_t>& file) {
  std::size_t at = file.size() + file_count * kSourceSizeBytes;
  for (std::size_t i = 0; i < file_count; ++i) {
    const SourcePiece piece = i < sources.size() ? sources[i] : SourcePiece{};
    append(static_cast<std::uint32_t>(piece.packed.empty() ? 0 : at), file);
    append(static_cast<std::uint32_t>(piece.packed.size()), file);
    append(piece.size_bytes, file);
    at += piece.packed.size();
  }
  for (std::size_t i = 0; i < std::min(sources.size(), file_count); ++i) {
    file.insert(file.end(), sources[i].packed.begin(), sources[i].packed.end());
  }
}

// Its names are none of the tables'.
constexpr BlockToken kUnmapped{0, 0, kNone, kNone, 0};

Error bad_token(std::uint32_t index, const char* detail) {
  return {Code::kBadTable, flat::kHeaderSizeBytes + std::uint64_t{index} * flat::kTokenSizeBytes,
          detail};
}

BlockToken to_block_token(const FlatView& flat, const BlockExtras& extras, std::uint32_t index) {
  const Token token = flat.token(index);
  if (token.is_unmapped()) return kUnmapped;
  return {token.original_line, token.original_column, token.file, token.function,
          index < extras.token_callers.size() ? extras.token_callers[index] : 0};
}

Status check_callers(const FlatView& flat, const BlockExtras& extras) {
  for (std::size_t i = 0; i < extras.callers.size(); ++i) {
    const Caller& caller = extras.callers[i];
    const bool has_file = caller.file == kNone || caller.file < flat.files().count();
    const bool has_function =
        caller.function == kNone || caller.function < flat.functions().count();
    if (!has_file || !has_function || caller.parent > i) {
      return Error{Code::kBadTable, kNoOffset, "caller " + std::to_string(i)};
    }
  }
  return {};
}

}  // namespace

Status BlockBuilder::check_tokens(const FlatView& flat, const BlockExtras& extras) const {
  std::uint64_t before = 0;
  std::uint64_t before_that = 0;
  for (std::uint32_t i = 0; i < flat.token_count(); ++i) {
    const std::uint64_t key = flat.key(i);
    if (i > 0 && key < before) return bad_token(i, "tokens are not sorted");
    if (i > 1 && key == before_that) return bad_token(i, "three tokens at one position");
    before_that = before;
    before = key;
    const Token token = flat.token(i);
    if (token.file != kNone && token.file >= flat.files().count()) {
      return bad_token(i, "no such file");
    }
    if (token.function != kNone && token.function >= flat.functions().count()) {
      return bad_token(i, "no such function");
    }
    if (i < extras.token_callers.size() && extras.token_callers[i] > extras.callers.size()) {
      return bad_token(i, "no such caller");
    }
  }
  const auto is_whole = [](const StringTableView& table) {
    for (std::uint32_t i = 0; i < table.count(); ++i) {
      if (!table.find(i)) return false;
    }
    return true;
  };
  if (is_whole(flat.files()) && is_whole(flat.functions())) return {};
  return Error{Code::kBadTable, kNoOffset, "a name is not there"};
}

Status BlockBuilder::end_bucket() {
  if (bucket_.count == 0) {
    buckets_.push_back(buckets_.back() | kIsEmpty);
    return {};
  }
  const std::size_t at = pages_.add(bucket_);
  if (at > kMostOffset) return Error{Code::kTooLarge, kNoOffset, "pages would pass 2 GiB"};
  buckets_.push_back(static_cast<std::uint32_t>(at));
  bucket_.clear();
  return {};
}

// Tokens [first, last), the first of which is at `place`.
void BlockBuilder::add_to_bucket(const FlatView& flat, const BlockExtras& extras,
                                 std::uint32_t first, std::uint32_t last, std::uint64_t place) {
  if (bucket_.count == 0 && (place & kLastInBucket) != 0) {
    bucket_.add(0, to_block_token(flat, extras, first - 1));
    bucket_.is_carried = true;
  }
  const auto offset = static_cast<std::uint32_t>(place & kLastInBucket);
  if (extras.token_callers.empty()) return bucket_.add(flat, first, last, offset);
  for (std::uint32_t i = first; i < last; ++i) {
    const std::uint64_t distance = flat.key(i) - flat.key(first);
    bucket_.add(static_cast<std::uint8_t>(offset + distance), to_block_token(flat, extras, i));
  }
}

Status BlockBuilder::fill_pages(const FlatView& flat, const BlockExtras& extras) {
  buckets_.clear();
  bucket_.clear();
  std::uint32_t first = 0;
  for (const Run& run : runs_.runs()) {
    const std::uint64_t first_key = std::uint64_t{run.line} << 32 | run.first_column;
    // The last token of a run is two places before its end.
    const std::uint64_t last_place = run.end - 2;
    while (first < flat.token_count()) {
      const std::uint64_t place = run.begin + (flat.key(first) - first_key);
      if (flat.key(first) - first_key > last_place - run.begin) break;
      while (buckets_.size() < place >> kBucketBits) {
        if (Status status = end_bucket(); !status) return status;
      }
      // Up to the end of the bucket or the run.
      const std::uint64_t last_key =
          first_key + (std::min(place | kLastInBucket, last_place) - run.begin);
      std::uint32_t last = first + 1;
      while (last < flat.token_count() && flat.key(last) <= last_key) ++last;
      add_to_bucket(flat, extras, first, last, place);
      first = last;
    }
  }
  while (buckets_.size() < runs_.bucket_count()) {
    if (Status status = end_bucket(); !status) return status;
  }
  pages_.finish();
  return {};
}

Result<std::vector<std::uint8_t>> BlockBuilder::build(const FlatView& flat,
                                                      const BlockExtras& extras) {
  if (Status status = check_callers(flat, extras); !status) return status.error();
  if (Status status = check_tokens(flat, extras); !status) return status.error();
  if (Status status = runs_.plan(flat); !status) return status.error();
  Sections sections;
  sections.has_identity = !extras.identities.empty();
  sections.has_files = flat.files().count() > 0;
  sections.has_functions = flat.functions().count() > 0;
  sections.has_callers = !extras.callers.empty();
  sections.has_sources = !extras.sources.empty() && sections.has_files;
  // Where pages begin depends on the sections, and only behind the pages is it known whether all
  // names are in them. Mostly they are.
  auto file = write(flat, extras, sections);
  if (file && !sections.has_long_names &&
      (has_missing(pages_.files().first_at()) || has_missing(pages_.functions().first_at()))) {
    sections.has_long_names = true;
    file = write(flat, extras, sections);
  }
  return file;
}

Result<std::vector<std::uint8_t>> BlockBuilder::write(const FlatView& flat,
                                                      const BlockExtras& extras,
                                                      const Sections& sections) {
  std::vector<std::uint8_t> file;
  FileWriter writer(file, sections.count());
  if (sections.has_identity) {
    writer.begin(SectionKind::kIdentity, extras.identities.size());
    append_identities(extras.identities, file);
    writer.end();
  }
  writer.begin(SectionKind::kRuns, runs_.entry_count());
  runs_.append(file);
  writer.end();

  // Pages begin in what the sections before them leave of their own page, if it is worth it.
  std::size_t pages_at = file.size() + std::size_t{runs_.bucket_count()} * 4;
  const std::size_t used = pages_at % kPageSizeBytes;
  if (used > kPageSizeBytes * 3 / 4) pages_at += kPageSizeBytes - used;
  pages_.begin(pages_at, flat.files(), flat.functions());
  if (Status status = fill_pages(flat, extras); !status) return status.error();
  file.reserve(pages_at + pages_.bytes().size() + std::size_t{flat.files().count()} * 5 +
               std::size_t{flat.functions().count()} * 4);
  writer.begin(SectionKind::kBuckets, buckets_.size());
  append_all(buckets_, file);
  writer.end();
  file.resize(pages_at);
  writer.begin(SectionKind::kPages, 0);
  file.insert(file.end(), pages_.bytes().begin(), pages_.bytes().end());
  writer.end();

  if (sections.has_long_names) {
    writer.begin(SectionKind::kLongNames, 0);
    append_long_names(flat.files(), pages_.files().first_at(), file);
    append_long_names(flat.functions(), pages_.functions().first_at(), file);
    writer.end();
  }
  if (sections.has_files) {
    writer.begin(SectionKind::kFiles, flat.files().count());
    append_all(pages_.files().first_at(), file);
    for (std::uint32_t i = 0; i < flat.files().count(); ++i) {
      file.push_back(i < extras.is_ignored.size() && extras.is_ignored[i] ? 1 : 0);
    }
    writer.end();
  }
  if (sections.has_functions) {
    writer.begin(SectionKind::kFunctions, flat.functions().count());
    append_all(pages_.functions().first_at(), file);
    writer.end();
  }
  if (sections.has_callers) {
    writer.begin(SectionKind::kCallers, extras.callers.size());
    append_callers(extras.callers, file);
    writer.end();
  }
  if (sections.has_sources) {
    writer.begin(SectionKind::kSources, flat.files().count());
    append_sources(extras.sources, flat.files().count(), file);
    writer.end();
  }
  if (file.size() > kMostFileBytes) {
    return Error{Code::kTooLarge, kNoOffset, "the file would pass 4 GiB"};
  }
  writer.write_header(extras.language, flat.token_count());
  return file;
}

}  // namespace twofold::tw
