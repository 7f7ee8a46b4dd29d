// Builds a .tw version 1 file. The same calls give the same bytes on every host.
//
// What is stored is the shortest list of tokens that answers every position the same (FORMAT.md,
// "What the builder drops").
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/tw/string_table_builder.h"
#include "core/tw/token.h"
#include "core/tw/token_writer.h"

namespace twofold::tw {

class FlatBuilder {
 public:
  [[nodiscard]] std::uint32_t intern_file(std::string_view name) { return files_.intern(name); }
  // Another file called "".
  [[nodiscard]] std::uint32_t add_nameless_file() { return files_.append(""); }
  [[nodiscard]] std::uint32_t intern_function(std::string_view name) {
    return functions_.intern(name);
  }

  // Tokens in any order and with duplicates. Those at one position keep the order in which they are
  // added.
  void reserve(std::size_t token_count) { tokens_.reserve(token_count); }
  void add(const Token& token) { tokens_.push_back(token); }
  // The file, and an empty builder that keeps its memory for the next one.
  // Errors: kTooLarge, when a string table passes 4 GiB or there are 2^32 - 1 tokens.
  [[nodiscard]] Result<std::vector<std::uint8_t>> finish();

  // In place of `add` and `finish`, for a caller whose tokens are sorted by generated position
  // already: `token_at(i)` is called once for each i of [0, count), in order, and may intern. Half
  // the cost.
  template <class TokenAt>
  [[nodiscard]] Result<std::vector<std::uint8_t>> finish_sorted(std::size_t count,
                                                                TokenAt token_at) {
    // Room for the tables too, so that appending them does not move the tokens; names that are
    // interned meanwhile are not known yet, hence the slack.
    const std::size_t tokens_end = flat::kHeaderSizeBytes + count * flat::kTokenSizeBytes;
    std::vector<std::uint8_t> file;
    file.reserve(tokens_end + table_size_bytes() + count / 8 + 1024);
    file.resize(tokens_end);
    TokenWriter writer(file.data() + flat::kHeaderSizeBytes);
    for (std::size_t i = 0; i < count; ++i) writer.add(token_at(i));
    file.resize(static_cast<std::size_t>(writer.finish() - file.data()));
    return write_tables(std::move(file));
  }

 private:
  [[nodiscard]] std::size_t table_size_bytes() const;
  [[nodiscard]] Result<std::vector<std::uint8_t>> write_tables(std::vector<std::uint8_t> file);

  std::vector<Token> tokens_;
  StringTableBuilder files_;
  StringTableBuilder functions_;
};

}  // namespace twofold::tw
