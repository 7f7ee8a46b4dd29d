#include "core/tw/flat_view.h"

#include <algorithm>

namespace twofold::tw {
namespace {

using namespace flat;

Error truncated(const char* what, std::uint64_t offset) {
  return {Code::kTruncated, offset, std::string("the file ends inside its ") + what};
}

// Reads one string table at the reader's place and moves behind it. The last offset is the length
// of the bytes; the others are checked when a string is read.
Result<StringTableView> read_string_table(ByteReader& reader, std::uint32_t count,
                                          const char* what) {
  const std::uint64_t start = reader.at();
  ByteView offsets;
  if (!reader.read_bytes((std::uint64_t{count} + 1) * kStringOffsetSizeBytes, offsets)) {
    return truncated(what, start);
  }
  const std::uint32_t size = load_u32(offsets.data() + offsets.size() - kStringOffsetSizeBytes);
  ByteView bytes;
  if (!reader.read_bytes(size, bytes)) return truncated(what, reader.at());
  return StringTableView(offsets, bytes);
}

constexpr std::uint32_t kFewTokens = 64;  // halving is as fast

}  // namespace

void FlatView::prepare_guess() {
  if (token_count_ <= kFewTokens) return;
  const std::uint64_t last_key = key(token_count_ - 1);
  first_key_ = key(0);
  if (first_key_ >> 32 != last_key >> 32 || first_key_ >= last_key) return;
  key_span_ = last_key - first_key_;
  // A little less than even, so that no rounding makes a guess of token_count_.
  constexpr float kLess = 1 - 1.0F / (1 << 20);
  tokens_per_column_ = kLess * static_cast<float>(token_count_) / static_cast<float>(key_span_);
}

Result<FlatView> FlatView::open(ByteView bytes) {
  if (bytes.size() < sizeof kMagic || !std::equal(kMagic, kMagic + sizeof kMagic, bytes.begin())) {
    return Error{Code::kBadMagic, kMagicAt, "not a .tw file"};
  }
  if (bytes.size() < kHeaderSizeBytes) return truncated("header", bytes.size());
  const std::uint32_t version = load_u32(bytes.data() + kVersionAt);
  if (version != kVersion) {
    return Error{Code::kUnsupportedVersion, kVersionAt, "version " + std::to_string(version)};
  }
  if (load_u32(bytes.data() + kReservedAt) != 0) {
    return Error{Code::kBadTable, kReservedAt, "the reserved field must be 0"};
  }

  FlatView view;
  view.bytes_ = bytes;
  view.token_count_ = load_u32(bytes.data() + kTokenCountAt);
  ByteReader reader(bytes.subspan(kHeaderSizeBytes));
  ByteView tokens;
  if (!reader.read_bytes(std::uint64_t{view.token_count_} * kTokenSizeBytes, tokens)) {
    return truncated("tokens", bytes.size());
  }
  view.tokens_ = tokens.data();
  view.prepare_guess();

  const auto in_file = [](Error error) {
    error.offset += kHeaderSizeBytes;
    return error;
  };
  auto files = read_string_table(reader, load_u32(bytes.data() + kFileCountAt), "file table");
  if (!files) return in_file(std::move(files).error());
  auto functions =
      read_string_table(reader, load_u32(bytes.data() + kFunctionCountAt), "function table");
  if (!functions) return in_file(std::move(functions).error());
  if (reader.remaining() != 0) {
    return in_file({Code::kBadTable, reader.at(), "bytes behind the last table"});
  }
  view.files_ = files.value();
  view.functions_ = functions.value();
  return view;
}

}  // namespace twofold::tw
