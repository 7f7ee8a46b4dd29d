#include "core/tw/flat_builder.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace twofold::tw {
namespace {

constexpr std::uint64_t kMaxU32 = std::numeric_limits<std::uint32_t>::max();

void put_u32(std::uint32_t value, std::uint8_t* at) {
  std::memcpy(at, &value, sizeof value);
}

void write_header(std::uint32_t tokens, std::uint32_t files, std::uint32_t functions,
                  std::uint8_t* header) {
  std::memcpy(header + flat::kMagicAt, kMagic, sizeof kMagic);
  put_u32(flat::kVersion, header + flat::kVersionAt);
  put_u32(tokens, header + flat::kTokenCountAt);
  put_u32(files, header + flat::kFileCountAt);
  put_u32(functions, header + flat::kFunctionCountAt);
  put_u32(0, header + flat::kReservedAt);
}

}  // namespace

std::size_t FlatBuilder::table_size_bytes() const {
  return static_cast<std::size_t>(files_.size_bytes() + functions_.size_bytes());
}

Result<std::vector<std::uint8_t>> FlatBuilder::finish() {
  const auto is_before = [](const Token& a, const Token& b) { return a.generated < b.generated; };
  if (!std::is_sorted(tokens_.begin(), tokens_.end(), is_before)) {
    std::stable_sort(tokens_.begin(), tokens_.end(), is_before);
  }
  auto file = finish_sorted(tokens_.size(), [&](std::size_t i) { return tokens_[i]; });
  tokens_.clear();
  return file;
}

// `file`: room for the header, and the tokens.
Result<std::vector<std::uint8_t>> FlatBuilder::write_tables(std::vector<std::uint8_t> file) {
  const std::uint64_t tokens = (file.size() - flat::kHeaderSizeBytes) / flat::kTokenSizeBytes;
  const bool fits = tokens < kMaxU32 && files_.text_size_bytes() <= kMaxU32 &&
                    functions_.text_size_bytes() <= kMaxU32;
  if (fits) {
    write_header(static_cast<std::uint32_t>(tokens), files_.count(), functions_.count(),
                 file.data());
    file.reserve(file.size() + table_size_bytes());
    files_.write(file);
    functions_.write(file);
    // Room that dropped tokens left; worth a copy only if it is much.
    if (file.capacity() - file.size() > file.size() / 4) file.shrink_to_fit();
  }
  files_.clear();
  functions_.clear();
  if (!fits)
    return Error{Code::kTooLarge, kNoOffset, "a .tw holds 32-bit counts and string offsets"};
  return file;
}

}  // namespace twofold::tw
