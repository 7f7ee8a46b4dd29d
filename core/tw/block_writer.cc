#include "core/tw/block_writer.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace twofold::tw {
namespace {

using namespace blocks;

// The least and largest of one field.
struct Range {
  std::uint32_t least = kNone;
  std::uint32_t most = 0;

  void add(std::uint32_t value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
};

std::uint32_t bits_of(std::uint32_t value) {
  return static_cast<std::uint32_t>(std::bit_width(value));
}

// Callers are few and their numbers large: 31 bits of them fit a record, larger ones are wide.
constexpr std::uint32_t kMostCallerBits = 31;

// Numbers packed without gaps, lowest bit first. Eight bytes are written at once, so there must be
// room for as many behind the last one.
class BitWriter {
 public:
  explicit BitWriter(std::uint8_t* at) : at_(at) {}
  // Precondition: `value` takes at most `width` bits, and that is at most kMostRecordBits.
  void put(std::uint64_t value, std::uint32_t width) {
    pending_ |= value << count_;
    count_ += width;
    store(at_, pending_);
    at_ += count_ >> 3;
    pending_ = count_ >> 3 == 8 ? 0 : pending_ >> (count_ & ~7u);
    count_ &= 7;
  }

 private:
  std::uint8_t* at_;
  std::uint64_t pending_ = 0;
  std::uint32_t count_ = 0;  // bits in `pending_`, below 8 between calls
};

}  // namespace

BlockForm::BlockForm(const BucketTokens& bucket) {
  Range line, column, file, function, caller;
  bool has_callers = false;
  for (std::uint32_t i = 0; i < bucket.count; ++i) {
    const BlockToken& token = bucket.tokens[i];
    if (token.is_unmapped()) continue;
    line.add(token.original_line);
    column.add(token.original_column);
    file.add(token.file);
    function.add(token.function);
    if (token.caller == 0) continue;
    caller.add(token.caller);
    has_callers = true;
  }
  if (line.most != 0) {
    base_ = {line.least - 1, std::min(column.least, kMostColumnBase), file.least, function.least,
             has_callers ? caller.least - 1 : 0};
    width_ = {bits_of(line.most - base_.original_line),
              bits_of(column.most - base_.original_column), bits_of(file.most - base_.file),
              bits_of(function.most - base_.function),
              has_callers ? bits_of(caller.most - base_.caller) : 0};
  }
  bits_ =
      width_.original_line + width_.original_column + width_.file + width_.function + width_.caller;
  is_wide_ = bits_ > kMostRecordBits || width_.caller > kMostCallerBits;
  is_extended_ = has_callers || is_wide_;
  const std::size_t record_bits = is_wide_ ? kWideRecordSizeBytes * 8 : bits_;
  size_bytes_ = (is_extended_ ? kExtendedHeaderSizeBytes : kBlockHeaderSizeBytes) + bucket.count +
                (bucket.count * record_bits + 7) / 8;
}

bool BlockForm::has_twins(const BucketTokens& bucket) {
  const auto end = bucket.offsets.begin() + bucket.count;
  return std::adjacent_find(bucket.offsets.begin(), end) != end;
}

// Of a wide block nothing is said about fields.
std::uint64_t BlockForm::head(const BucketTokens& bucket) const {
  const std::uint64_t common = std::uint64_t{bucket.count} << kCountShift |
                               std::uint64_t{is_extended_} << kExtendedShift |
                               std::uint64_t{bucket.is_carried} << kCarriedShift |
                               std::uint64_t{has_twins(bucket)} << kTwinsShift;
  if (is_wide_) return common;
  return common | std::uint64_t{width_.original_line} << kLineWidthShift |
         std::uint64_t{width_.original_column} << kColumnWidthShift |
         std::uint64_t{width_.file} << kFileWidthShift |
         std::uint64_t{width_.function} << kFunctionWidthShift |
         std::uint64_t{base_.file} << kFileBaseShift |
         std::uint64_t{base_.function} << kFunctionBaseShift |
         std::uint64_t{base_.original_column} << kColumnBaseShift;
}

void BlockForm::append(const BucketTokens& bucket, std::vector<std::uint8_t>& to) const {
  const std::size_t begin = to.size();
  to.resize(begin + size_bytes_ + 8);  // room for the writer's last eight bytes
  std::uint8_t* at = to.data() + begin;
  store(at, head(bucket));
  store(at + kLineBaseAt, is_wide_ ? 0 : base_.original_line);
  if (is_extended_) {
    store(at + kCallerBaseAt, is_wide_ ? 0 : base_.caller);
    at[kCallerWidthAt] = is_wide_ ? 0 : static_cast<std::uint8_t>(width_.caller);
    at[kIsWideAt] = is_wide_ ? 1 : 0;
  }
  at += is_extended_ ? kExtendedHeaderSizeBytes : kBlockHeaderSizeBytes;
  at = std::copy_n(bucket.offsets.data(), bucket.count, at);
  if (is_wide_) {
    for (std::uint32_t i = 0; i < bucket.count; ++i) {
      const BlockToken& token = bucket.tokens[i];
      for (const std::uint32_t number :
           {token.original_line, token.original_column, token.file, token.function, token.caller}) {
        store(at, number);
        at += sizeof number;
      }
    }
  } else {
    BitWriter writer(at);
    for (std::uint32_t i = 0; i < bucket.count; ++i) {
      const BlockToken& token = bucket.tokens[i];
      std::uint64_t record = 0;
      if (!token.is_unmapped()) {
        std::uint32_t shift = 0;
        const auto put = [&](std::uint32_t value, std::uint32_t base, std::uint32_t width) {
          record |= std::uint64_t{value - base} << shift;
          shift += width;
        };
        put(token.original_line, base_.original_line, width_.original_line);
        put(token.original_column, base_.original_column, width_.original_column);
        put(token.file, base_.file, width_.file);
        put(token.function, base_.function, width_.function);
        if (token.caller != 0) put(token.caller, base_.caller, width_.caller);
      }
      writer.put(record, bits_);
    }
  }
  to.resize(begin + size_bytes_);
}

void append_fork(const std::array<std::uint32_t, kForkedCount>& entries,
                 std::vector<std::uint8_t>& to) {
  const std::size_t begin = to.size();
  to.resize(begin + kBlockHeaderSizeBytes + kForkedCount * 4);
  std::uint8_t* at = to.data() + begin;
  store(at, std::uint64_t{1} << kForkShift);
  at += kBlockHeaderSizeBytes;
  for (const std::uint32_t entry : entries) {
    store(at, entry);
    at += 4;
  }
}

}  // namespace twofold::tw
