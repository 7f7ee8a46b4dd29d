#include "core/tw/block_writer.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace twofold::tw {
namespace {

using namespace blocks;

// The least and largest of one field.
struct Range {
  std::uint32_t least;
  std::uint32_t most;
};
Range find_range(const BucketTokens::Field& values, std::uint32_t count) {
  Range range{kNone, 0};
  for (std::uint32_t i = 0; i < count; ++i) {
    range.least = std::min(range.least, values[i]);
    range.most = std::max(range.most, values[i]);
  }
  return range;
}
// The least is one less than it is: 0 is none, becomes the largest number and is never least.
Range find_range_above_0(const BucketTokens::Field& values, std::uint32_t count) {
  Range range{kNone, 0};
  for (std::uint32_t i = 0; i < count; ++i) {
    range.least = std::min(range.least, values[i] - 1);
    range.most = std::max(range.most, values[i]);
  }
  return range;
}

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

BlockForm::BlockForm(const BucketTokens& bucket, const BucketNames& names) {
  const Range line = find_range_above_0(bucket.lines, bucket.count);
  if (line.most != 0) {
    const Range column = find_range(bucket.columns, bucket.count);
    const Range file = find_range(names.files, bucket.count);
    const Range function = find_range(names.functions, bucket.count);
    base_ = {line.least, std::min(column.least, kMostColumnBase), file.least, function.least, 0};
    width_ = {bits_of(line.most - base_.original_line),
              bits_of(column.most - base_.original_column), bits_of(file.most - base_.file),
              bits_of(function.most - base_.function), 0};
  }
  if (bucket.has_callers) {
    const Range caller = find_range_above_0(bucket.callers, bucket.count);
    base_.caller = caller.least;
    width_.caller = bits_of(caller.most - caller.least);
  }
  bits_ =
      width_.original_line + width_.original_column + width_.file + width_.function + width_.caller;
  is_wide_ = bits_ > kMostRecordBits || width_.caller > kMostCallerBits;
  is_extended_ = bucket.has_callers || is_wide_;
  const std::size_t record_bits = is_wide_ ? kWideRecordSizeBytes * 8 : bits_;
  size_bytes_ = (is_extended_ ? kExtendedHeaderSizeBytes : kBlockHeaderSizeBytes) + bucket.count +
                (bucket.count * record_bits + 7) / 8;
}

// Of a wide block nothing is said about fields.
std::uint64_t BlockForm::head(const BucketTokens& bucket) const {
  const std::uint64_t common = std::uint64_t{bucket.count} << kCountShift |
                               std::uint64_t{is_extended_} << kExtendedShift |
                               std::uint64_t{bucket.is_carried} << kCarriedShift |
                               std::uint64_t{bucket.has_twins} << kTwinsShift;
  if (is_wide_) return common;
  return common | std::uint64_t{width_.original_line} << kLineWidthShift |
         std::uint64_t{width_.original_column} << kColumnWidthShift |
         std::uint64_t{width_.file} << kFileWidthShift |
         std::uint64_t{width_.function} << kFunctionWidthShift |
         std::uint64_t{base_.file} << kFileBaseShift |
         std::uint64_t{base_.function} << kFunctionBaseShift |
         std::uint64_t{base_.original_column} << kColumnBaseShift;
}

void BlockForm::append_wide(const BucketTokens& bucket, const BucketNames& names,
                            std::uint8_t* at) {
  for (std::uint32_t i = 0; i < bucket.count; ++i) {
    for (const std::uint32_t number : {bucket.lines[i], bucket.columns[i], names.files[i],
                                       names.functions[i], bucket.callers[i]}) {
      store(at, bucket.lines[i] == 0 ? 0 : number);
      at += sizeof number;
    }
  }
}

void BlockForm::append_records(const BucketTokens& bucket, const BucketNames& names,
                               std::uint8_t* at) const {
  BitWriter writer(at);
  const std::uint32_t column_shift = width_.original_line;
  const std::uint32_t file_shift = column_shift + width_.original_column;
  const std::uint32_t function_shift = file_shift + width_.file;
  const std::uint32_t caller_shift = function_shift + width_.function;
  for (std::uint32_t i = 0; i < bucket.count; ++i) {
    if (bucket.lines[i] == 0) {
      writer.put(0, bits_);
      continue;
    }
    std::uint64_t record = std::uint64_t{bucket.lines[i] - base_.original_line} |
                           std::uint64_t{bucket.columns[i] - base_.original_column}
                               << column_shift |
                           std::uint64_t{names.files[i] - base_.file} << file_shift |
                           std::uint64_t{names.functions[i] - base_.function} << function_shift;
    if (bucket.callers[i] != 0) {
      record |= std::uint64_t{bucket.callers[i] - base_.caller} << caller_shift;
    }
    writer.put(record, bits_);
  }
}

void BlockForm::append(const BucketTokens& bucket, const BucketNames& names,
                       std::vector<std::uint8_t>& to) const {
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
    append_wide(bucket, names, at);
  } else {
    append_records(bucket, names, at);
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
