// Where every byte of a .tw file is. The only file with offsets: the writer and the reader share
// it, so they cannot disagree. FORMAT.md says why it looks like this.
#pragma once

#include <cstddef>
#include <cstdint>

namespace twofold::tw {

inline constexpr std::uint8_t kMagic[4] = {'T', 'W', 'S', 'M'};

// Version 1, "flat": header, tokens, file table, function table. Little-endian, no padding
// anywhere, so everything behind the file table may be unaligned.
namespace flat {

inline constexpr std::uint32_t kVersion = 1;

// Header.
inline constexpr std::size_t kMagicAt = 0;
inline constexpr std::size_t kVersionAt = 4;
inline constexpr std::size_t kTokenCountAt = 8;
inline constexpr std::size_t kFileCountAt = 12;
inline constexpr std::size_t kFunctionCountAt = 16;
inline constexpr std::size_t kReservedAt = 20;
inline constexpr std::size_t kHeaderSizeBytes = 24;

// Token, relative to its start. Generated numbers are 0-based, original ones 1-based.
inline constexpr std::size_t kGeneratedLineAt = 0;
inline constexpr std::size_t kGeneratedColumnAt = 4;
inline constexpr std::size_t kOriginalLineAt = 8;
inline constexpr std::size_t kOriginalColumnAt = 12;
inline constexpr std::size_t kFileAt = 16;
inline constexpr std::size_t kFunctionAt = 20;
inline constexpr std::size_t kTokenSizeBytes = 24;

// A string table of n strings: n + 1 offsets from the start of its bytes, then the bytes (UTF-8).
inline constexpr std::size_t kStringOffsetSizeBytes = 4;

}  // namespace flat

// Version 2, "blocks": header, directory of sections, sections. Little-endian, no alignment but
// that of pages. All offsets are from the start of the file, which is smaller than 4 GiB.
namespace blocks {

inline constexpr std::uint32_t kVersion = 2;

// Header.
inline constexpr std::size_t kSectionCountAt = 8;
inline constexpr std::size_t kLanguageAt = 12;
inline constexpr std::size_t kTokenCountAt = 16;
inline constexpr std::size_t kPageCountAt = 20;
inline constexpr std::size_t kChecksumAt = 24;  // of header and directory, this field being 0
inline constexpr std::size_t kHeaderSizeBytes = 32;

// An entry of the directory.
inline constexpr std::size_t kSectionKindAt = 0;
inline constexpr std::size_t kSectionOffsetAt = 4;
inline constexpr std::size_t kSectionSizeAt = 8;
inline constexpr std::size_t kSectionEntriesAt = 12;
inline constexpr std::size_t kSectionChecksumAt = 16;
inline constexpr std::size_t kSectionSizeBytes = 24;
inline constexpr std::uint32_t kMostSections = 64;

// A page: a piece of the file that a lookup needs one of. Pages begin where those of the operating
// system do; the first one takes what the sections before it leave of theirs.
inline constexpr std::size_t kPageSizeBytes = 4096;
inline constexpr std::size_t kBlockCountAt = 0;     // u16
inline constexpr std::size_t kPageFilesAt = 2;      // u16: names of files at the end of the page
inline constexpr std::size_t kPageFunctionsAt = 4;  // u16: and of functions behind them
inline constexpr std::size_t kPageNamesAt = 6;      // u16: where their records begin
inline constexpr std::size_t kPageHeaderSizeBytes = 8;
inline constexpr std::size_t kBlockKeySizeBytes = 8;     // per block: the key of its first token
inline constexpr std::size_t kBlockOffsetSizeBytes = 2;  // and behind all keys: where it begins

// The record of a name in a page. A long one has length kLongName and its text elsewhere.
inline constexpr std::size_t kNameIndexAt = 0;   // u32: of the file's table
inline constexpr std::size_t kNameTextAt = 4;    // u16: from the start of the page
inline constexpr std::size_t kNameLengthAt = 6;  // u16
inline constexpr std::size_t kNameSizeBytes = 8;
inline constexpr std::uint16_t kLongName = 0xFFFF;

// The guide to pages: header, then u32 each: the page where a range of keys begins.
inline constexpr std::size_t kGuideColumnBitsAt = 0;  // u32: bits that columns take
inline constexpr std::size_t kGuideShiftAt = 4;       // u32: bits that a range takes
inline constexpr std::size_t kGuideFirstLineAt = 8;   // u32: of the first key
inline constexpr std::size_t kGuideHeaderSizeBytes = 12;

// A block: up to 64 tokens. Offsets are relative to its start.
inline constexpr std::size_t kMostTokens = 64;
inline constexpr std::size_t kTokenCountInBlockAt = 0;
inline constexpr std::size_t kKeySizeAt =
    1;  // a key relative to the first takes 1 << this, up to 3
inline constexpr std::size_t kColumnBitsAt = 2;  // with kManyLines: of a key, the rest is the line
inline constexpr std::size_t kFlagsAt = 3;
inline constexpr std::size_t kWidthsAt = 4;      // bits of line, column, file, function, caller
inline constexpr std::size_t kRecordBitsAt = 9;  // their sum
inline constexpr std::size_t kFileBaseAt = 10;
inline constexpr std::size_t kFunctionBaseAt = 12;
inline constexpr std::size_t kLineBaseAt = 14;
inline constexpr std::size_t kColumnBaseAt = 18;
inline constexpr std::size_t kBlockHeaderSizeBytes = 22;

// A code 0 means "none", and every other one counts from 1.
inline constexpr std::uint8_t kHasUnmapped = 1;
inline constexpr std::uint8_t kHasNoFile = 2;
inline constexpr std::uint8_t kHasNoFunction = 4;
inline constexpr std::uint8_t kWide = 8;  // records are five u32 as they are, kNone for none
inline constexpr std::uint8_t kManyLines = 16;

inline constexpr unsigned kMostRecordBits =
    57;  // one load of 8 bytes has a record, wherever it begins
inline constexpr std::size_t kWideRecordSizeBytes = 20;

inline constexpr std::size_t kCallerSizeBytes = 20;
inline constexpr std::size_t kSourceSizeBytes = 12;

// Longer names are not repeated in pages.
inline constexpr std::size_t kLongestPageName = 256;

}  // namespace blocks

// An index that names no file or no function: -1 as a u32.
inline constexpr std::uint32_t kNone = 0xFFFFFFFF;

}  // namespace twofold::tw
