#include "core/js/mappings.h"

#include <algorithm>

#include "core/base/vlq.h"
#include "core/js/mappings_simd.h"

namespace twofold::js {
namespace {

constexpr std::uint64_t kMaxField = 0x7FFFFFFF;  // ECMA-426: every decoded field fits 31 bits

bool is_below(std::int64_t value, std::uint64_t end) {
  return static_cast<std::uint64_t>(value) < end;
}

// Adds the number at `at` to `total`. Returns the place behind it; null when there is no number.
const char* add_field(const char* at, const char* end, std::int64_t& total) {
  const Vlq vlq = decode_vlq(at, end);
  if (vlq.fault != VlqFault::kNone) return nullptr;
  total += vlq.value;
  return vlq.next;
}

// Counts in bytes as long as they last, which compilers turn into 16 characters at a time.
std::size_t count_separators(std::string_view text) {
  std::size_t total = 0;
  while (!text.empty()) {
    const std::string_view block = text.substr(0, 240);
    std::uint8_t count = 0;
    for (const char c : block)
      count = static_cast<std::uint8_t>(count + (c == ',' || c == ';' ? 1 : 0));
    total += count;
    text.remove_prefix(block.size());
  }
  return total;
}

const char* explain(VlqFault fault) {
  switch (fault) {
    case VlqFault::kNone:
      break;
    case VlqFault::kNotADigit:
      return "not a base64 digit";
    case VlqFault::kUnfinished:
      return "a number breaks off";
    case VlqFault::kTooBig:
      return "a number passes 32 bits";
  }
  return "";
}

// One pass over the text: as far as possible by decode_mappings_simd, one segment at a time where
// that stops.
class Decoder {
 public:
  Decoder(std::string_view mappings, const MappingBounds& bounds, std::vector<Segment>& segments)
      : mappings_(mappings),
        begin_(mappings.data()),
        end_(mappings.data() + mappings.size()),
        bounds_(bounds),
        segments_(segments) {}

  Result<DecodedMappings> run() {
    // Lines are counted in 32 bits and every `;` is a byte.
    if (static_cast<std::uint64_t>(end_ - begin_) >= kMaxField) {
      return Error{Code::kTooLarge, 0, "mappings of 2 GiB or more"};
    }
    reserve_segments();

    const char* at = begin_;
    while (at != end_) {
      const auto from = static_cast<std::size_t>(at - begin_);
      at = step(begin_ + decode_mappings_simd(mappings_, from, bounds_, state_, segments_));
      if (at == nullptr) return std::move(error_);
    }
    return DecodedMappings{state_.is_sorted};
  }

 private:
  // Room for a segment per separator and one more. Grows by doubling at least, or the thousands of
  // sections of an index map would each move all before them.
  void reserve_segments() {
    const std::size_t needed = segments_.size() + count_separators(mappings_) + 1;
    if (needed > segments_.capacity())
      segments_.reserve(std::max(needed, segments_.capacity() * 2));
  }

  bool is_end_of_segment(const char* at) const { return at == end_ || *at == ',' || *at == ';'; }

  // Takes the next `;` or segment, with the comma behind it. Returns the place behind, null on a
  // fault.
  const char* step(const char* at) {
    const bool follows_comma = at != begin_ && at[-1] == ',';
    if (follows_comma && is_end_of_segment(at)) return fail(at, "an empty segment");
    if (at == end_) return at;
    if (*at == ';') {
      ++state_.line;
      state_.column = 0;
      return at + 1;
    }
    const std::int64_t column_before = state_.column;
    Segment segment;
    at = decode_segment(at, segment);
    if (at == nullptr) return nullptr;
    segment.generated = {Line(state_.line), Utf16Column(static_cast<std::uint32_t>(state_.column))};
    segments_.push_back(segment);
    state_.is_sorted = state_.is_sorted && state_.column >= column_before;
    if (at == end_ || *at != ',') return at;
    ++at;
    return at == end_ ? fail(at, "an empty segment") : at;
  }

  // The segment at `start` but for its generated position, which is in `state_`. Returns the place
  // behind it, null on a fault.
  const char* decode_segment(const char* start, Segment& segment) {
    const char* at = add_field(start, end_, state_.column);
    if (at == nullptr) return fail_in_number(start);
    if (!is_below(state_.column, kMaxField + 1))
      return fail(start, "a generated column out of range");
    if (is_end_of_segment(at)) return at;

    const char* field = at;
    if ((at = add_field(field, end_, state_.source)) == nullptr) return fail_in_number(field);
    if (is_end_of_segment(field = at)) return fail(start, "a segment of 2 or 3 fields");
    if ((at = add_field(field, end_, state_.original_line)) == nullptr)
      return fail_in_number(field);
    if (is_end_of_segment(field = at)) return fail(start, "a segment of 2 or 3 fields");
    if ((at = add_field(field, end_, state_.original_column)) == nullptr)
      return fail_in_number(field);
    if (!is_end_of_segment(at)) {
      field = at;
      if ((at = add_field(field, end_, state_.name)) == nullptr) return fail_in_number(field);
      if (!is_end_of_segment(at)) return fail(start, "a segment of more than 5 fields");
      if (!is_below(state_.name, bounds_.name_count))
        return fail(start, "a name that is not listed");
      segment.name = static_cast<std::uint32_t>(state_.name);
    }

    if (!is_below(state_.source, bounds_.source_count))
      return fail(start, "a source that is not listed");
    if (!is_below(state_.original_column, kMaxField + 1)) {
      return fail(start, "an original column out of range");
    }
    if (!is_below(state_.original_line, kMaxField + 1)) {
      if (!is_tolerable(state_.original_line)) return fail(start, "an original line out of range");
      segment.name = kNoIndex;
      return at;
    }
    segment.source = static_cast<std::uint32_t>(state_.source);
    segment.original = {Line(static_cast<std::uint32_t>(state_.original_line)),
                        Utf16Column(static_cast<std::uint32_t>(state_.original_column))};
    return at;
  }

  // Line -1 and the like are what the Hermes optimiser writes for code without a source.
  bool is_tolerable(std::int64_t original_line) const {
    return bounds_.strictness == Strictness::kTolerant && original_line < 0 &&
           original_line >= -static_cast<std::int64_t>(kMaxField);
  }

  const char* fail_in_number(const char* at) {
    const Vlq vlq = decode_vlq(at, end_);
    return fail(vlq.next, explain(vlq.fault));
  }
  const char* fail(const char* at, const char* detail) {
    error_ = {Code::kBadMapping, static_cast<std::uint64_t>(at - begin_), detail};
    return nullptr;
  }

  const std::string_view mappings_;
  const char* const begin_;
  const char* const end_;
  const MappingBounds bounds_;
  std::vector<Segment>& segments_;
  MappingsState state_;
  Error error_{Code::kBadMapping, 0, {}};
};

}  // namespace

Result<DecodedMappings> decode_mappings(std::string_view mappings, const MappingBounds& bounds,
                                        std::vector<Segment>& segments) {
  return Decoder(mappings, bounds, segments).run();
}

}  // namespace twofold::js
