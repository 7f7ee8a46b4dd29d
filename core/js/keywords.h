// The words that steer the scanner, found by a perfect hash over their first eight
// bytes.
//
// Words that only ever stand for a value (`this`, `null`, `true`) are not here: to the scanner they
// are identifiers. Contextual words (`of`, `get`, `static`) are looked at where they can occur.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace twofold::js {

enum class Keyword : std::uint8_t {
  kNone,
  kAsync,
  kAwait,
  kBreak,
  kCase,
  kCatch,
  kClass,
  kConst,
  kContinue,
  kDebugger,
  kDefault,
  kDelete,
  kDo,
  kElse,
  kExport,
  kFinally,
  kFor,
  kFunction,
  kIf,
  kImport,
  kIn,
  kInstanceof,
  kLet,
  kNew,
  kReturn,
  kSwitch,
  kThrow,
  kTry,
  kTypeof,
  kVar,
  kVoid,
  kWhile,
  kWith,
  kYield,
};

namespace keyword_table {

inline constexpr std::string_view kSpelling[] = {
    "",           "async",    "await",    "break",    "case",   "catch",  "class",
    "const",      "continue", "debugger", "default",  "delete", "do",     "else",
    "export",     "finally",  "for",      "function", "if",     "import", "in",
    "instanceof", "let",      "new",      "return",   "switch", "throw",  "try",
    "typeof",     "var",      "void",     "while",    "with",   "yield"};
inline constexpr std::size_t kCount = std::size(kSpelling);
inline constexpr std::size_t kPackedBytes = 8;  // of `instanceof`, the one longer word, the first 8

constexpr std::uint64_t pack(std::string_view word) {
  std::uint64_t packed = 0;
  for (std::size_t i = 0; i < word.size() && i < kPackedBytes; ++i) {
    packed |= std::uint64_t{static_cast<std::uint8_t>(word[i])} << (8 * i);
  }
  return packed;
}

// Found by search; the assertion below keeps it honest.
inline constexpr std::uint64_t kMultiplier = 0x2F8E2E3C29129F2Fu;
inline constexpr unsigned kSlotBits = 6;
constexpr std::size_t slot(std::uint64_t packed) {
  return static_cast<std::size_t>((packed * kMultiplier) >> (64 - kSlotBits));
}

struct Entry {
  std::uint64_t packed;
  std::uint32_t size_bytes;
  Keyword keyword;
};
inline constexpr std::array<Entry, std::size_t{1} << kSlotBits> kSlots = [] {
  std::array<Entry, std::size_t{1} << kSlotBits> slots{};
  for (std::size_t i = 1; i < kCount; ++i) {
    const std::uint64_t packed = pack(kSpelling[i]);
    slots[slot(packed)] = {packed, static_cast<std::uint32_t>(kSpelling[i].size()),
                           static_cast<Keyword>(i)};
  }
  return slots;
}();
constexpr bool is_perfect() {
  for (std::size_t i = 1; i < kCount; ++i) {
    if (kSlots[slot(pack(kSpelling[i]))].keyword != static_cast<Keyword>(i)) return false;
  }
  return true;
}
static_assert(is_perfect(), "two keywords share a slot: search another multiplier");

// The first `size_bytes` (at least 1) bytes at `at`, at most eight, zero above. One load where
// eight bytes are readable.
inline std::uint64_t load_packed(const char* at, std::size_t size_bytes, const char* end) {
  const std::size_t kept = size_bytes < kPackedBytes ? size_bytes : kPackedBytes;
  std::uint64_t packed = 0;
  if (end - at >= 8) [[likely]] {
    std::memcpy(&packed, at, 8);
    return packed & (~std::uint64_t{0} >> (64 - 8 * kept));
  }
  std::memcpy(&packed, at, kept);
  return packed;
}

}  // namespace keyword_table

// The keyword that the word [at, at + size_bytes), which is not empty, spells. `end` is the end of
// the text. No branch depends on the length: half of all words have one letter, a quarter more than
// eight, in no order that a processor could learn.
[[nodiscard]] inline Keyword find_keyword(const char* at, std::size_t size_bytes, const char* end) {
  using namespace keyword_table;
  const std::uint64_t packed = load_packed(at, size_bytes, end);
  const Entry& entry = kSlots[slot(packed)];
  if (entry.packed != packed || entry.size_bytes != size_bytes) return Keyword::kNone;
  const bool is_spelled_out = size_bytes <= kPackedBytes || std::memcmp(at + 8, "of", 2) == 0;
  return is_spelled_out ? entry.keyword : Keyword::kNone;
}

}  // namespace twofold::js
