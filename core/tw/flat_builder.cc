#include "core/tw/flat_builder.h"

#include <algorithm>
#include <limits>

namespace twofold::tw {
namespace {

void write_header(ByteWriter& writer, std::uint32_t tokens, std::uint32_t files,
                  std::uint32_t functions) {
  writer.put_bytes(kMagic);
  writer.put_u32(flat::kVersion);
  writer.put_u32(tokens);
  writer.put_u32(files);
  writer.put_u32(functions);
  writer.put_u32(0);
}

// In memory a token is laid out as in the file, so the array is written at once.
static_assert(sizeof(Token) == flat::kTokenSizeBytes);
static_assert(offsetof(Token, generated) == flat::kGeneratedLineAt);
static_assert(offsetof(Token, original_line) == flat::kOriginalLineAt);
static_assert(offsetof(Token, original_column) == flat::kOriginalColumnAt);
static_assert(offsetof(Token, file) == flat::kFileAt);
static_assert(offsetof(Token, function) == flat::kFunctionAt);

ByteView as_bytes(const std::vector<Token>& tokens) {
  return {reinterpret_cast<const std::uint8_t*>(tokens.data()), tokens.size() * sizeof(Token)};
}

}  // namespace

void drop_redundant(std::vector<Token>& tokens) {
  // Of the tokens at one position only the first (exact hits) and the last (hits behind it) can answer.
  // A position with one answer left is needed only if that differs from the answer before it, where
  // "before" ends with the line: a line starts unmapped.
  std::size_t kept = 0;
  std::size_t at = 0;
  while (at < tokens.size()) {
    const Token first = tokens[at];
    std::size_t end = at + 1;
    while (end < tokens.size() && tokens[end].generated == first.generated) ++end;
    const Token last = tokens[end - 1];
    at = end;

    const bool line_starts =
        kept == 0 || tokens[kept - 1].generated.line != first.generated.line;
    if (first.same_target(last)) {
      const bool adds_nothing =
          line_starts ? first.is_unmapped() : tokens[kept - 1].same_target(first);
      if (!adds_nothing) tokens[kept++] = first;
    } else {
      tokens[kept++] = first;
      tokens[kept++] = last;
    }
  }
  tokens.resize(kept);
}

Result<std::vector<std::uint8_t>> FlatBuilder::finish() {
  if (!is_sorted_) {
    std::stable_sort(tokens_.begin(), tokens_.end(), [](const Token& a, const Token& b) {
      return a.generated < b.generated;
    });
  }
  drop_redundant(tokens_);

  constexpr std::uint64_t kMaxU32 = std::numeric_limits<std::uint32_t>::max();
  const auto reset = [&] {
    tokens_.clear();
    files_.clear();
    functions_.clear();
    is_sorted_ = true;
  };
  if (tokens_.size() >= kMaxU32 || files_.text_size_bytes() > kMaxU32 ||
      functions_.text_size_bytes() > kMaxU32) {
    reset();
    return Error{Code::kTooLarge, kNoOffset, "a .tw holds 32-bit counts and string offsets"};
  }

  ByteWriter writer;
  writer.reserve(flat::kHeaderSizeBytes + as_bytes(tokens_).size() +
                 (std::size_t{files_.count()} + functions_.count() + 2) *
                     flat::kStringOffsetSizeBytes +
                 static_cast<std::size_t>(files_.text_size_bytes() + functions_.text_size_bytes()));
  write_header(writer, static_cast<std::uint32_t>(tokens_.size()), files_.count(),
               functions_.count());
  writer.put_bytes(as_bytes(tokens_));
  files_.write(writer);
  functions_.write(writer);
  reset();
  return std::move(writer).take();
}

}  // namespace twofold::tw
