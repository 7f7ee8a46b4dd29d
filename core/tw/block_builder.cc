#include "core/tw/block_builder.h"

#include <algorithm>

#include "core/base/xxh64.h"
#include "core/tw/guide.h"

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

  void write_header(Language language, std::uint32_t token_count, std::size_t page_count) {
    std::uint8_t* const header = file_.data();
    std::copy(std::begin(kMagic), std::end(kMagic), header);
    store(header + 4, kVersion);
    store(header + kSectionCountAt, static_cast<std::uint32_t>(sections_.size()));
    store(header + kLanguageAt, static_cast<std::uint32_t>(language));
    store(header + kTokenCountAt, token_count);
    store(header + kPageCountAt, static_cast<std::uint32_t>(page_count));
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

Error bad_token(std::uint32_t index, const char* detail) {
  return {Code::kBadTable, flat::kHeaderSizeBytes + std::uint64_t{index} * flat::kTokenSizeBytes,
          detail};
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

Status BlockBuilder::fill_pages(const FlatView& flat, const BlockExtras& extras,
                                std::size_t first_page_at) {
  pages_.begin(first_page_at, flat.files().count(), flat.functions().count());
  for (std::uint32_t i = 0; i < flat.token_count(); ++i) {
    const Token token = flat.token(i);
    const std::uint64_t key = flat.key(i);
    if (i > 0 && key < flat.key(i - 1)) return bad_token(i, "tokens are not sorted");
    if (i > 1 && key == flat.key(i - 2)) return bad_token(i, "three tokens at one position");
    const auto file = flat.files().find(token.file);
    const auto function = flat.functions().find(token.function);
    if (!file && token.file != kNone) return bad_token(i, "no such file");
    if (!function && token.function != kNone) return bad_token(i, "no such function");
    PageToken page_token{token.original_line, token.original_column, token.file, token.function, 0};
    if (token.is_unmapped()) page_token = {};
    if (i < extras.token_callers.size()) page_token.caller = extras.token_callers[i];
    if (page_token.caller > extras.callers.size()) return bad_token(i, "no such caller");
    pages_.add(key, page_token, file.value_or(""), function.value_or(""));
  }
  pages_.finish();
  return {};
}

Result<std::vector<std::uint8_t>> BlockBuilder::build(const FlatView& flat,
                                                      const BlockExtras& extras) {
  if (Status status = check_callers(flat, extras); !status) return status.error();
  const bool has_callers = !extras.callers.empty();
  const bool has_sources = !extras.sources.empty();
  std::vector<std::uint8_t> file;
  FileWriter writer(file, 7u + (has_callers ? 1 : 0) + (has_sources ? 1 : 0));
  writer.begin(SectionKind::kIdentity, extras.identities.size());
  append_identities(extras.identities, file);
  writer.end();

  // Guide and keys of pages come before the pages, which begin in what those leave of their own
  // page. How many there are is known behind them: room for a generous guess, more if it was short.
  const std::size_t guide_at = file.size();
  std::size_t key_room = flat.token_count() / 512 + 2;
  std::size_t pages_at = 0;
  for (;; key_room = pages_.page_keys().size() + 2) {
    pages_at = guide_at + guide_size_bytes(key_room) + key_room * sizeof(std::uint64_t);
    const std::size_t used = pages_at % kPageSizeBytes;
    if (used > kPageSizeBytes / 2) pages_at += kPageSizeBytes - used;
    if (Status status = fill_pages(flat, extras, pages_at); !status) return status.error();
    if (pages_.page_keys().size() <= key_room) break;
  }
  writer.begin(SectionKind::kGuide, 0);
  append_guide(pages_.page_keys(), file);
  writer.end();
  writer.begin(SectionKind::kPageKeys, pages_.page_keys().size());
  for (const std::uint64_t key : pages_.page_keys()) append(key, file);
  writer.end();
  file.resize(pages_at);
  writer.begin(SectionKind::kPages, pages_.page_keys().size());
  file.insert(file.end(), pages_.bytes().begin(), pages_.bytes().end());
  writer.end();

  writer.begin(SectionKind::kLongNames, 0);
  append_long_names(flat.files(), pages_.files().first_at(), file);
  append_long_names(flat.functions(), pages_.functions().first_at(), file);
  writer.end();
  writer.begin(SectionKind::kFiles, flat.files().count());
  for (const std::uint32_t at : pages_.files().first_at()) append(at, file);
  for (std::uint32_t i = 0; i < flat.files().count(); ++i) {
    file.push_back(i < extras.is_ignored.size() && extras.is_ignored[i] ? 1 : 0);
  }
  writer.end();
  writer.begin(SectionKind::kFunctions, flat.functions().count());
  for (const std::uint32_t at : pages_.functions().first_at()) append(at, file);
  writer.end();
  if (has_callers) {
    writer.begin(SectionKind::kCallers, extras.callers.size());
    append_callers(extras.callers, file);
    writer.end();
  }
  if (has_sources) {
    writer.begin(SectionKind::kSources, flat.files().count());
    append_sources(extras.sources, flat.files().count(), file);
    writer.end();
  }
  if (file.size() > kMostFileBytes) {
    return Error{Code::kTooLarge, kNoOffset, "the file would pass 4 GiB"};
  }
  writer.write_header(extras.language, flat.token_count(), pages_.page_keys().size());
  return file;
}

}  // namespace twofold::tw
