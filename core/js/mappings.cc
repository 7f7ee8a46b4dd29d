#include "core/js/mappings.h"

#include <algorithm>
#include <string>

#include "core/base/vlq.h"

namespace twofold::js {
namespace {

constexpr std::uint64_t kMaxField = 0x7FFFFFFF;  // ECMA-426: every decoded field fits 31 bits

// The running totals that the fields of a segment are relative to.
struct Totals {
  std::int64_t column = 0;
  std::int64_t source = 0;
  std::int64_t original_line = 0;
  std::int64_t original_column = 0;
  std::int64_t name = 0;
};

bool in_range(std::int64_t value, std::uint64_t end) {
  return static_cast<std::uint64_t>(value) < end;
}

class Decoder {
 public:
  Decoder(std::string_view mappings, const MappingBounds& bounds, std::vector<Segment>& segments)
      : begin_(mappings.data()),
        end_(mappings.data() + mappings.size()),
        bounds_(bounds),
        segments_(segments) {}

  Result<DecodedMappings> run() {
    // A line never has more than 2^32 - 2 predecessors: every ';' is a byte, and hosts cap inputs, but
    // the count is checked all the same because the next stages rely on it.
    if (static_cast<std::uint64_t>(end_ - begin_) >= kMaxField) {
      return Error{Code::kTooLarge, 0, "mappings of 2 GiB or more"};
    }
    const auto separators = std::count_if(begin_, end_, [](char c) { return c == ',' || c == ';'; });
    const std::size_t needed = segments_.size() + static_cast<std::size_t>(separators) + 1;
    // At least doubled, or the thousands of sections of an index map would each move all before them.
    if (needed > segments_.capacity()) segments_.reserve(std::max(needed, segments_.capacity() * 2));

    const char* at = begin_;
    while (at != end_) {
      if (*at == ';') {
        ++line_;
        totals_.column = 0;
        last_column_ = 0;
        ++at;
        continue;
      }
      at = decode_segment(at);
      if (at == nullptr) return std::move(error_);
      if (at != end_ && *at == ',') {
        ++at;
        if (at == end_ || *at == ',' || *at == ';') {
          fail(at, "an empty segment");
          return std::move(error_);
        }
      }
    }
    return DecodedMappings{is_sorted_};
  }

 private:
  // Adds the number at `at` to `total`. Returns the place behind it, null on a fault.
  const char* add_field(const char* at, std::int64_t& total) {
    const std::uint8_t digit = at != end_ ? kBase64Value[static_cast<std::uint8_t>(*at)] : kNotBase64;
    if (digit < 32 && digit != 1) {  // one digit: two thirds of all fields of real maps
      const std::int64_t magnitude = digit >> 1;
      total += (digit & 1) != 0 ? -magnitude : magnitude;
      return at + 1;
    }
    const Vlq vlq = decode_vlq(at, end_);
    switch (vlq.fault) {
      case VlqFault::kNone: total += vlq.value; return vlq.next;
      case VlqFault::kNotADigit: return fail(vlq.next, "not a base64 digit");
      case VlqFault::kUnfinished: return fail(vlq.next, "a number breaks off");
      case VlqFault::kTooBig: return fail(vlq.next, "a number passes 32 bits");
    }
    return nullptr;
  }

  bool at_end_of_segment(const char* at) const { return at == end_ || *at == ',' || *at == ';'; }

  const char* decode_segment(const char* start) {
    const char* at = add_field(start, totals_.column);
    if (at == nullptr) return nullptr;
    if (!in_range(totals_.column, kMaxField + 1)) return fail(start, "a generated column out of range");
    Segment segment;
    segment.generated = {Line(line_), Utf16Column(static_cast<std::uint32_t>(totals_.column))};

    if (!at_end_of_segment(at)) {
      for (std::int64_t* total : {&totals_.source, &totals_.original_line, &totals_.original_column}) {
        if (at_end_of_segment(at)) return fail(start, "a segment of 2 or 3 fields");
        at = add_field(at, *total);
        if (at == nullptr) return nullptr;
      }
      if (!at_end_of_segment(at)) {
        at = add_field(at, totals_.name);
        if (at == nullptr) return nullptr;
        if (!at_end_of_segment(at)) return fail(start, "a segment of more than 5 fields");
        if (!in_range(totals_.name, bounds_.name_count)) return fail(start, "a name that is not listed");
        segment.name = static_cast<std::uint32_t>(totals_.name);
      }
      if (!set_original(segment, start)) return nullptr;
    }
    is_sorted_ = is_sorted_ && totals_.column >= last_column_;
    last_column_ = totals_.column;
    segments_.push_back(segment);
    return at;
  }

  bool set_original(Segment& segment, const char* start) {
    if (!in_range(totals_.source, bounds_.source_count)) {
      fail(start, "a source that is not listed");
      return false;
    }
    if (!in_range(totals_.original_column, kMaxField + 1)) {
      fail(start, "an original column out of range");
      return false;
    }
    if (!in_range(totals_.original_line, kMaxField + 1)) {
      // Line -1 and the like are what the Hermes optimiser writes for code without a source.
      const bool tolerate = bounds_.strictness == Strictness::kTolerant && totals_.original_line < 0 &&
                            totals_.original_line >= -static_cast<std::int64_t>(kMaxField);
      if (!tolerate) {
        fail(start, "an original line out of range");
        return false;
      }
      segment.name = kNoIndex;
      return true;
    }
    segment.source = static_cast<std::uint32_t>(totals_.source);
    segment.original = {Line(static_cast<std::uint32_t>(totals_.original_line)),
                        Utf16Column(static_cast<std::uint32_t>(totals_.original_column))};
    return true;
  }

  const char* fail(const char* at, const char* detail) {
    error_ = {Code::kBadMapping, static_cast<std::uint64_t>(at - begin_), detail};
    return nullptr;
  }

  const char* begin_;
  const char* end_;
  const MappingBounds& bounds_;
  std::vector<Segment>& segments_;
  Totals totals_;
  std::uint32_t line_ = 0;
  std::int64_t last_column_ = 0;
  bool is_sorted_ = true;
  Error error_{Code::kBadMapping, 0, {}};
};

}  // namespace

Result<DecodedMappings> decode_mappings(std::string_view mappings, const MappingBounds& bounds,
                                        std::vector<Segment>& segments) {
  return Decoder(mappings, bounds, segments).run();
}

}  // namespace twofold::js
