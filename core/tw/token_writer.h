// Writes the token array of a .tw version 1 file, leaving out every token that changes no answer.
//
// Used by FlatBuilder only; apart because the loop around it must be one with its caller's to be
// fast (1 ns a token instead of 8: everything stays in registers).
#pragma once

#include <cstdint>
#include <cstring>

#include "core/tw/layout.h"
#include "core/tw/token.h"

namespace twofold::tw {

// Of the tokens at one position only the first (exact hits) and the last (hits behind it) can
// answer. A position with one answer left is needed only if that differs from the answer in force
// before it; a line starts with "unmapped" in force.
class TokenWriter {
 public:
  // Precondition of `add`: sorted by generated position; room for every token at `out`.
  explicit TokenWriter(std::uint8_t* out) : out_(out) {}

  void add(const Token& token) {
    const Pairs pairs = to_pairs(token);
    if (has_open_ && pairs.generated == open_.generated) {
      last_original_ = pairs.original;
      last_strings_ = pairs.strings;
      return;
    }
    close();
    open_ = pairs;
    last_original_ = pairs.original;
    last_strings_ = pairs.strings;
    has_open_ = true;
  }

  // Behind the last token that was kept.
  [[nodiscard]] std::uint8_t* finish() {
    close();
    return out_;
  }

 private:
  // A token as the file has it, two u32 in one number, the first of them in the lower half (we
  // build for little-endian targets only).
  struct Pairs {
    std::uint64_t generated;  // line, column
    std::uint64_t original;   // line, column
    std::uint64_t strings;    // file, function
  };
  static std::uint64_t pair(std::uint32_t first, std::uint32_t second) {
    return std::uint64_t{second} << 32 | first;
  }
  static Pairs to_pairs(const Token& token) {
    return {pair(token.generated.line.value(), token.generated.column.value()),
            pair(token.original_line, token.original_column), pair(token.file, token.function)};
  }
  static constexpr std::uint64_t kUnmappedOriginal = 0;
  static constexpr std::uint64_t kUnmappedStrings = ~std::uint64_t{0};

  // Decides about the position that is behind us.
  void close() {
    if (!has_open_) return;
    const auto line = static_cast<std::uint32_t>(open_.generated);
    if (line != line_in_force_) {
      original_in_force_ = kUnmappedOriginal;
      strings_in_force_ = kUnmappedStrings;
      line_in_force_ = line;
    }
    const bool repeats =
        ((open_.original ^ original_in_force_) | (open_.strings ^ strings_in_force_)) == 0;
    const bool is_pair = ((open_.original ^ last_original_) | (open_.strings ^ last_strings_)) != 0;
    // Stored in any case, counted if needed: whether it is needed is too random for a branch.
    put(open_.generated, open_.original, open_.strings);
    out_ += !repeats || is_pair ? flat::kTokenSizeBytes : 0;
    if (is_pair) {
      put(open_.generated, last_original_, last_strings_);
      out_ += flat::kTokenSizeBytes;
    }
    original_in_force_ = last_original_;
    strings_in_force_ = last_strings_;
  }

  void put(std::uint64_t generated, std::uint64_t original, std::uint64_t strings) {
    std::memcpy(out_ + flat::kGeneratedLineAt, &generated, sizeof generated);
    std::memcpy(out_ + flat::kOriginalLineAt, &original, sizeof original);
    std::memcpy(out_ + flat::kFileAt, &strings, sizeof strings);
  }

  std::uint8_t* out_;
  bool has_open_ = false;
  Pairs open_{};                     // the first token of the position that is not decided yet
  std::uint64_t last_original_ = 0;  // and what the last one there answers
  std::uint64_t last_strings_ = 0;
  std::uint32_t line_in_force_ = 0;
  std::uint64_t original_in_force_ = kUnmappedOriginal;
  std::uint64_t strings_in_force_ = kUnmappedStrings;
};

}  // namespace twofold::tw
