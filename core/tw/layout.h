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

// Counts up when the same input gives other bytes.
inline constexpr std::uint32_t kBuilderVersion = 1;

// Header.
inline constexpr std::size_t kSectionCountAt = 8;
inline constexpr std::size_t kLanguageAt = 12;
inline constexpr std::size_t kTokenCountAt = 16;
inline constexpr std::size_t kBuilderVersionAt = 20;
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

// Runs of tokens, each on one line: header, then per run and once more `start << bits | first
// column`, the last being where all end; if listed, the line of each run behind it.
inline constexpr std::size_t kFirstLineAt = 0;      // u32
inline constexpr std::size_t kRunColumnBitsAt = 4;  // u8: up to 32
inline constexpr std::size_t kRunSizeAt = 5;        // u8: bytes of an entry, 4 or 8
inline constexpr std::size_t kIsListedAt = 6;       // u8: 0: run i is on the first line + i
inline constexpr std::size_t kRunsHeaderSizeBytes = 8;

// A bucket: so many places, answered by one block. Buckets are u32 each: where the block is.
inline constexpr std::uint32_t kBucketBits = 8;
inline constexpr std::uint32_t kLastInBucket = (1u << kBucketBits) - 1;
// No token begins in the bucket: the last one of the block answers all of it.
inline constexpr std::uint32_t kIsEmpty = 0x80000000;
inline constexpr std::uint32_t kMostOffset = 0x7FFFFFFF;

// A page: what a lookup needs of a file that is not in memory. Pages begin where those of the
// operating system do; the first one takes what the sections before it leave of theirs. Blocks are
// at its start, names at its end.
inline constexpr std::size_t kPageSizeBytes = 4096;

// The record of a name; number n (from 1) is n records before the end of its page. One number, from
// the lowest bit on. A long name has its text elsewhere.
inline constexpr std::size_t kNameSizeBytes = 6;
inline constexpr unsigned kNameBackShift = 0;     // 12 bits: bytes from its text to the end, less 1
inline constexpr unsigned kNameLengthShift = 12;  // 9 bits
inline constexpr unsigned kNameIndexShift = 21;   // 27 bits: of the file's table
inline constexpr std::uint32_t kLongName = 511;   // as a length
inline constexpr std::uint32_t kMostNames = 1u << 27;
inline constexpr std::uint32_t kMostPageNames = 255;
// Longer names are not repeated in pages.
inline constexpr std::size_t kLongestPageName = 256;

// A block. Its first eight bytes are one number, from the lowest bit on.
inline constexpr unsigned kCountShift = 0;           // 10 bits: tokens
inline constexpr unsigned kLineWidthShift = 10;      // 6 bits: of the field in a record
inline constexpr unsigned kColumnWidthShift = 16;    // 6
inline constexpr unsigned kFileWidthShift = 22;      // 4
inline constexpr unsigned kFunctionWidthShift = 26;  // 4
inline constexpr unsigned kExtendedShift = 30;       // 1 bit: the block has a longer header
inline constexpr unsigned kForkShift = 31;           // 1 bit: not tokens, but smaller buckets
inline constexpr unsigned kFileBaseShift = 32;       // 8 bits: the least of each field
inline constexpr unsigned kFunctionBaseShift = 40;   // 8
inline constexpr unsigned kCarriedShift = 48;        // 1 bit: the first token began before
inline constexpr unsigned kTwinsShift = 49;          // 1 bit: two tokens are at one place
inline constexpr unsigned kColumnBaseShift = 50;     // 14
inline constexpr std::size_t kLineBaseAt = 8;        // u32: one less than the least line
inline constexpr std::size_t kBlockHeaderSizeBytes = 12;
inline constexpr std::size_t kCallerBaseAt = 12;   // u32, when extended: one less than the least
inline constexpr std::size_t kCallerWidthAt = 16;  // u8
inline constexpr std::size_t kIsWideAt = 17;       // u8: records are five u32
inline constexpr std::size_t kExtendedHeaderSizeBytes = 18;
inline constexpr std::uint32_t kMostColumnBase = 0x3FFF;
// Two tokens for each place, and one that began before.
inline constexpr std::uint32_t kMostTokens = (2u << kBucketBits) + 1;

// A fork has eight buckets of this many bits instead of tokens, u32 each as in the table.
inline constexpr std::uint32_t kForkedBits = 5;
inline constexpr std::uint32_t kForkedCount = 1u << (kBucketBits - kForkedBits);

inline constexpr unsigned kMostRecordBits =
    57;  // one load of 8 bytes has a record, wherever it begins
inline constexpr std::size_t kWideRecordSizeBytes = 20;

inline constexpr std::size_t kCallerSizeBytes = 20;
inline constexpr std::size_t kSourceSizeBytes = 12;

}  // namespace blocks

// An index that names no file or no function: -1 as a u32.
inline constexpr std::uint32_t kNone = 0xFFFFFFFF;

}  // namespace twofold::tw
