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

// An index that names no file or no function: -1 as a u32.
inline constexpr std::uint32_t kNone = 0xFFFFFFFF;

}  // namespace twofold::tw
