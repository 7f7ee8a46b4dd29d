#include "core/tw/block_writer.h"

#include <algorithm>
#include <bit>

#include "core/tw/layout.h"

namespace twofold::tw {
namespace {

using namespace blocks;

std::uint32_t line_of(std::uint64_t key) {
  return static_cast<std::uint32_t>(key >> 32);
}
std::uint32_t column_of(std::uint64_t key) {
  return static_cast<std::uint32_t>(key);
}

// Bytes of a key relative to the first, for growing spans of tokens.
struct KeySpan {
  std::uint64_t first;
  std::uint32_t most_column = 0;
  bool has_lines = false;

  // Of all tokens up to this one.
  std::size_t bytes_with(std::uint64_t key) {
    most_column = std::max(most_column, column_of(key));
    has_lines = line_of(key) != line_of(first);
    std::uint64_t most = key - first;
    if (has_lines) {
      const unsigned column_bits = static_cast<unsigned>(std::bit_width(most_column));
      const unsigned line_bits =
          static_cast<unsigned>(std::bit_width(line_of(key) - line_of(first)));
      most = line_bits + column_bits >= 64 ? ~std::uint64_t{0}
                                           : (std::uint64_t{1} << (line_bits + column_bits)) - 1;
    }
    return most <= 0xFF ? 1 : most <= 0xFFFF ? 2 : most <= 0xFFFFFFFF ? 4 : 8;
  }
};

// The values of one field of a block: their least, and how many bits the rest takes.
struct Field {
  std::uint32_t base = kNone;
  std::uint32_t most = 0;
  bool has_none = false;

  void add(std::uint32_t value) {
    base = std::min(base, value);
    most = std::max(most, value);
  }
  void add_optional(std::uint32_t value) {
    if (value == kNone) {
      has_none = true;
    } else {
      add(value);
    }
  }
  // Of a field that no token has.
  void settle() {
    if (base > most) base = most = 0;
  }
  [[nodiscard]] unsigned bits() const {
    return static_cast<unsigned>(std::bit_width(std::uint64_t{most} - base + (has_none ? 1 : 0)));
  }
  [[nodiscard]] std::uint64_t code(std::uint32_t value) const {
    return std::uint64_t{value} - base + (has_none ? 1 : 0);
  }
};

struct Fields {
  Field line, column, file, function, caller;

  explicit Fields(std::span<const KeyedToken> tokens) {
    caller.base = 0;
    for (const auto& [key, token] : tokens) {
      if (token.is_unmapped()) {
        line.has_none = true;
        continue;
      }
      line.add(token.original_line);
      column.add(token.original_column);
      file.add_optional(token.file);
      function.add_optional(token.function);
      caller.add(token.caller);
    }
    for (Field* field : {&line, &column, &file, &function, &caller}) field->settle();
  }
  [[nodiscard]] unsigned bits() const {
    return line.bits() + column.bits() + file.bits() + function.bits() + caller.bits();
  }
  [[nodiscard]] std::uint64_t record(const PageToken& token) const {
    if (token.is_unmapped()) return 0;
    std::uint64_t bits = 0;
    unsigned at = 0;
    const auto put = [&](const Field& field, std::uint32_t value) {
      bits |= field.code(value) << at;
      at += field.bits();
    };
    const auto put_optional = [&](const Field& field, std::uint32_t value) {
      if (value != kNone) {
        put(field, value);
      } else {
        at += field.bits();  // code 0
      }
    };
    put(line, token.original_line);
    put(column, token.original_column);
    put_optional(file, token.file);
    put_optional(function, token.function);
    put(caller, token.caller);
    return bits;
  }
};

void append_packed(std::span<const KeyedToken> tokens, const Fields& fields,
                   std::vector<std::uint8_t>& to) {
  const unsigned bits = fields.bits();
  std::uint64_t pending = 0;
  unsigned filled = 0;  // below 8 between tokens: with a record of 57 bits at most 64
  for (const auto& [key, token] : tokens) {
    pending |= fields.record(token) << filled;
    for (filled += bits; filled >= 8; filled -= 8, pending >>= 8) {
      to.push_back(static_cast<std::uint8_t>(pending));
    }
  }
  if (filled > 0) to.push_back(static_cast<std::uint8_t>(pending));
}

template <class Number>
void append(Number value, std::vector<std::uint8_t>& to) {
  const std::size_t at = to.size();
  to.resize(at + sizeof value);
  store(to.data() + at, value);
}

void append_wide(std::span<const KeyedToken> tokens, std::vector<std::uint8_t>& to) {
  for (const auto& [key, token] : tokens) {
    append(token.original_line, to);
    append(token.original_column, to);
    append(token.file, to);
    append(token.function, to);
    append(token.caller, to);
  }
}

void append_keys(std::span<const KeyedToken> tokens, std::size_t key_bytes, bool has_lines,
                 unsigned column_bits, std::vector<std::uint8_t>& to) {
  const std::uint64_t first = tokens.front().key;
  for (const auto& [key, token] : tokens) {
    std::uint64_t relative = key - first;
    if (has_lines) {
      const std::uint64_t lines = line_of(key) - line_of(first);
      relative = lines << column_bits | column_of(key);
    }
    for (std::size_t i = 0; i < key_bytes; ++i, relative >>= 8) {
      to.push_back(static_cast<std::uint8_t>(relative));
    }
  }
}

// Header, keys and place in the page's index, for each token of a block.
double overhead_per_token(std::size_t count, std::size_t key_bytes) {
  constexpr double kOnce = kBlockHeaderSizeBytes + kBlockKeySizeBytes + kBlockOffsetSizeBytes;
  return kOnce / static_cast<double>(count) + static_cast<double>(key_bytes);
}

}  // namespace

std::size_t choose_block_size(std::span<const KeyedToken> tokens) {
  const std::size_t most = std::min(tokens.size(), kMostTokens);
  KeySpan span{tokens.front().key};
  std::size_t best = 1;
  double best_cost = overhead_per_token(1, 1);
  for (std::size_t count = 1; count <= most; ++count) {
    const std::size_t key_bytes = span.bytes_with(tokens[count - 1].key);
    // Both of one key, or neither.
    if (count < tokens.size() && tokens[count].key == tokens[count - 1].key) continue;
    const double cost = overhead_per_token(count, key_bytes);
    if (cost <= best_cost || best == 1) {
      best = count;
      best_cost = cost;
    }
  }
  return best;
}

void append_block(std::span<const KeyedToken> tokens, std::vector<std::uint8_t>& to) {
  KeySpan span{tokens.front().key};
  std::size_t key_bytes = 1;
  for (const KeyedToken& token : tokens) key_bytes = span.bytes_with(token.key);
  const unsigned column_bits =
      span.has_lines ? static_cast<unsigned>(std::bit_width(span.most_column)) : 0;
  const Fields fields(tokens);
  const bool is_wide = fields.bits() > kMostRecordBits;

  unsigned flags = 0;
  if (span.has_lines) flags |= kManyLines;
  if (is_wide) flags |= kWide;
  if (fields.line.has_none) flags |= kHasUnmapped;
  if (fields.file.has_none) flags |= kHasNoFile;
  if (fields.function.has_none) flags |= kHasNoFunction;
  to.push_back(static_cast<std::uint8_t>(tokens.size()));
  to.push_back(static_cast<std::uint8_t>(std::countr_zero(key_bytes)));
  to.push_back(static_cast<std::uint8_t>(column_bits));
  to.push_back(static_cast<std::uint8_t>(flags));
  for (const Field* field :
       {&fields.line, &fields.column, &fields.file, &fields.function, &fields.caller}) {
    to.push_back(static_cast<std::uint8_t>(is_wide ? 0 : field->bits()));
  }
  to.push_back(static_cast<std::uint8_t>(is_wide ? 0 : fields.bits()));
  append(static_cast<std::uint16_t>(is_wide ? 0 : fields.file.base), to);
  append(static_cast<std::uint16_t>(is_wide ? 0 : fields.function.base), to);
  append(is_wide ? 0 : fields.line.base, to);
  append(is_wide ? 0 : fields.column.base, to);
  append_keys(tokens, key_bytes, span.has_lines, column_bits, to);
  if (is_wide) {
    append_wide(tokens, to);
  } else {
    append_packed(tokens, fields, to);
  }
}

}  // namespace twofold::tw
