// The words that steer the scanner, found by a perfect hash over their first eight bytes.
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
inline constexpr std::size_t kLongest =
    8;  // `instanceof` is the one longer word, compared by itself

constexpr std::uint64_t pack(std::string_view word) {
  std::uint64_t packed = 0;
  for (std::size_t i = 0; i < word.size(); ++i) {
    packed |= std::uint64_t{static_cast<std::uint8_t>(word[i])} << (8 * i);
  }
  return packed;
}

// Found by search; the assertion below keeps it honest.
inline constexpr std::uint64_t kMultiplier = 0xA1E3EC76EC2A293Du;
inline constexpr unsigned kSlotBits = 6;
constexpr std::size_t slot(std::uint64_t packed) {
  return static_cast<std::size_t>((packed * kMultiplier) >> (64 - kSlotBits));
}

struct Entry {
  std::uint64_t packed;
  Keyword keyword;
};
inline constexpr std::array<Entry, std::size_t{1} << kSlotBits> kSlots = [] {
  std::array<Entry, std::size_t{1} << kSlotBits> slots{};
  for (std::size_t i = 1; i < kCount; ++i) {
    if (kSpelling[i].size() > kLongest) continue;
    slots[slot(pack(kSpelling[i]))] = {pack(kSpelling[i]), static_cast<Keyword>(i)};
  }
  return slots;
}();
constexpr bool is_perfect() {
  for (std::size_t i = 1; i < kCount; ++i) {
    if (kSpelling[i].size() > kLongest) continue;
    if (kSlots[slot(pack(kSpelling[i]))].keyword != static_cast<Keyword>(i)) return false;
  }
  return true;
}
static_assert(is_perfect(), "two keywords share a slot: search another multiplier");

// The first `size_bytes` (1 to 8) bytes at `at`, zero above. One load where eight bytes are
// readable.
inline std::uint64_t load_packed(const char* at, std::size_t size_bytes, const char* end) {
  std::uint64_t packed = 0;
  if (end - at >= 8) [[likely]] {
    std::memcpy(&packed, at, 8);
    return packed & (~std::uint64_t{0} >> (64 - 8 * size_bytes));
  }
  std::memcpy(&packed, at, size_bytes);
  return packed;
}

}  // namespace keyword_table

// The keyword that [at, at + size_bytes) spells. `end` is the end of the text.
[[nodiscard]] inline Keyword find_keyword(const char* at, std::size_t size_bytes, const char* end) {
  using namespace keyword_table;
  if (size_bytes > kLongest) [[unlikely]] {
    const bool is = size_bytes == 10 && std::memcmp(at, "instanceof", 10) == 0;
    return is ? Keyword::kInstanceof : Keyword::kNone;
  }
  const std::uint64_t packed = load_packed(at, size_bytes, end);
  const Entry& entry = kSlots[slot(packed)];
  return entry.packed == packed ? entry.keyword : Keyword::kNone;
}

}  // namespace twofold::js
