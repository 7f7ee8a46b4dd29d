// Builds a .tw version 1 file. The same calls give the same bytes on every host.
//
// Tokens may come in any order and with duplicates; what is stored is the shortest list that answers
// every position the same (FORMAT.md, "What the builder drops").
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/tw/string_table_builder.h"
#include "core/tw/token.h"

namespace twofold::tw {

class FlatBuilder {
 public:
  [[nodiscard]] std::uint32_t intern_file(std::string_view name) { return files_.intern(name); }
  [[nodiscard]] std::uint32_t intern_function(std::string_view name) {
    return functions_.intern(name);
  }

  void reserve(std::size_t token_count) { tokens_.reserve(token_count); }
  // Tokens at one position keep the order in which they are added.
  void add(const Token& token) {
    is_sorted_ = is_sorted_ && (tokens_.empty() || tokens_.back().generated <= token.generated);
    tokens_.push_back(token);
  }

  // The file, and an empty builder that keeps its memory for the next one.
  // Errors: kTooLarge, when a string table passes 4 GiB or there are 2^32 - 1 tokens.
  [[nodiscard]] Result<std::vector<std::uint8_t>> finish();

 private:
  std::vector<Token> tokens_;
  StringTableBuilder files_;
  StringTableBuilder functions_;
  bool is_sorted_ = true;
};

// Drops every token that changes no answer; `tokens` sorted by generated position, equal positions in
// order of preference. Keeps the capacity.
void drop_redundant(std::vector<Token>& tokens);

}  // namespace twofold::tw
