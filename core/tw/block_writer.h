// Packs up to 64 tokens into a block. FORMAT.md has the bytes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/tw/page_view.h"

namespace twofold::tw {

// A token with the names that it has in its page.
struct KeyedToken {
  std::uint64_t key;
  PageToken token;
};

// How many of `tokens` the next block takes, so that it is small per token. Never parts two of one
// key. Precondition: at least one token, sorted by key, at most two of one key.
[[nodiscard]] std::size_t choose_block_size(std::span<const KeyedToken> tokens);

// Appends the block. Precondition: 1 to 64 tokens, sorted by key.
void append_block(std::span<const KeyedToken> tokens, std::vector<std::uint8_t>& to);

}  // namespace twofold::tw
