#include "core/js/mappings_simd.h"

#if !defined(__SSE4_1__)

namespace twofold::js {
std::size_t decode_mappings_simd(std::string_view, std::size_t at, const MappingBounds&,
                                 MappingsState&, std::vector<Segment>&) {
  return at;
}
}  // namespace twofold::js

#else

#include <smmintrin.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

// One round handles one segment:
//
//   1. 16 characters: where is the next separator, and what are the digits' values?
//   2. The bits "is the last digit of its number" are the shape of the segment: how many numbers,
//   each how
//      long. A table knows for each shape how to shuffle the digits of every number to a place of
//      its own.
//   3. Two multiply-adds make numbers of digits; sign, running totals and range checks for four
//   fields at
//      once, the fifth beside them; one store for all but line and name.
namespace twofold::js {
namespace {

constexpr std::size_t kWindowBytes = 16;
// Shapes in the table: up to 9 characters, numbers of up to 4 digits (below 2^19). Of 1.2 million
// segments of 25 real maps that leaves 3 in 10,000 to the plain decoder.
constexpr std::size_t kMaxLength = 9;
constexpr std::size_t kMaxDigits = 4;
constexpr std::uint8_t kNoDigit = 0x80;  // shuffles a zero in

// `fields` and `name` are shuffle controls: of column, source, original line and column; and of the
// name.
struct alignas(32) Shape {
  std::uint8_t fields[4 * kMaxDigits];
  std::uint8_t name[kMaxDigits];
  std::uint8_t field_count;  // 1, 4 or 5; 0: not one for us
  // All ones (kNoIndex) without a name. Names come and go too irregularly for a branch: 5 ns a
  // segment.
  std::uint32_t no_name;
};

// `lasts`: bit i set when character i ends a number; the highest one ends the segment.
constexpr Shape to_shape(std::uint32_t lasts) {
  Shape shape{};
  std::fill(std::begin(shape.fields), std::end(shape.fields), kNoDigit);
  std::fill(std::begin(shape.name), std::end(shape.name), kNoDigit);
  std::size_t count = 0;
  std::size_t digit = 0;
  for (std::uint8_t i = 0; lasts >> i != 0; ++i) {
    if (count == 5 || digit == kMaxDigits) return shape;
    (count < 4 ? shape.fields[count * kMaxDigits + digit] : shape.name[digit]) = i;
    ++digit;
    if ((lasts >> i & 1) != 0) {
      ++count;
      digit = 0;
    }
  }
  if (count == 1 || count == 4 || count == 5) shape.field_count = static_cast<std::uint8_t>(count);
  shape.no_name = count == 5 ? 0 : kNoIndex;
  return shape;
}
constexpr auto kShapes = [] {
  std::array<Shape, 1 << kMaxLength> shapes{};
  for (std::uint32_t lasts = 0; lasts < shapes.size(); ++lasts) shapes[lasts] = to_shape(lasts);
  return shapes;
}();

__m128i load16(const void* from) {
  return _mm_loadu_si128(static_cast<const __m128i*>(from));
}

std::uint32_t to_bits(__m128i mask) {
  return static_cast<std::uint32_t>(_mm_movemask_epi8(mask));
}

// Bit i: character i is `,` or `;`. The loop cannot go on before it knows where the segment ends,
// so this is the shortest way there: look up what separator a character would have to be, and
// compare.
std::uint32_t find_separators(__m128i text) {
  const __m128i separator_of_low_half =
      _mm_setr_epi8(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ';', ',', 0, 0, 0);
  return to_bits(_mm_cmpeq_epi8(_mm_shuffle_epi8(separator_of_low_half, text), text));
}

struct Digits {
  __m128i values;        // 0 to 63 where the character is a base64 digit
  std::uint32_t others;  // bit i: character i is none
  std::uint32_t more;    // bit i: digits of the same number follow character i
};

// Base64 to values by two lookups on half bytes: one finds what must be added to the character, the
// other what is no digit (the method of Muła and Lemire).
Digits to_digits(__m128i text) {
  const __m128i low_half = _mm_set1_epi8(0x0F);
  const __m128i high = _mm_and_si128(_mm_srli_epi32(text, 4), low_half);
  const __m128i low = _mm_and_si128(text, low_half);
  const __m128i bad_low = _mm_setr_epi8(0x15, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11,
                                        0x13, 0x1A, 0x1B, 0x1B, 0x1B, 0x1A);
  const __m128i bad_high = _mm_setr_epi8(0x10, 0x10, 0x01, 0x02, 0x04, 0x08, 0x04, 0x08, 0x10, 0x10,
                                         0x10, 0x10, 0x10, 0x10, 0x10, 0x10);
  const __m128i distance = _mm_setr_epi8(0, 16, 19, 4, -65, -65, -71, -71, 0, 0, 0, 0, 0, 0, 0, 0);
  const __m128i is_slash = _mm_cmpeq_epi8(text, _mm_set1_epi8('/'));
  const __m128i values =
      _mm_add_epi8(text, _mm_shuffle_epi8(distance, _mm_add_epi8(high, is_slash)));
  const __m128i bad =
      _mm_and_si128(_mm_shuffle_epi8(bad_low, low), _mm_shuffle_epi8(bad_high, high));
  const __m128i is_bad = _mm_cmpgt_epi8(bad, _mm_setzero_si128());
  return {values, to_bits(is_bad),
          to_bits(_mm_slli_epi16(values, 2))};  // bit 5 of a digit: more follow
}

// Four numbers of up to four digits each, the sign still in bit 0. Only the low 5 bits of `values`
// count.
__m128i to_numbers(__m128i values, __m128i control) {
  const __m128i digits = _mm_shuffle_epi8(_mm_and_si128(values, _mm_set1_epi8(31)), control);
  const __m128i pairs = _mm_maddubs_epi16(digits, _mm_set1_epi16(0x2001));  // a + 32 b
  return _mm_madd_epi16(pairs, _mm_set1_epi32((1024 << 16) | 1));           // a + 1024 b
}

__m128i to_signed(__m128i numbers) {
  const __m128i sign = _mm_or_si128(_mm_slli_epi32(numbers, 31), _mm_set1_epi32(1));
  return _mm_sign_epi32(_mm_srli_epi32(numbers, 1), sign);
}

static_assert(sizeof(Segment) == 24 && offsetof(Segment, generated.line) == 0 &&
              offsetof(Segment, generated.column) == 4 && offsetof(Segment, source) == 8 &&
              offsetof(Segment, original.line) == 12 && offsetof(Segment, original.column) == 16 &&
              offsetof(Segment, name) == 20);

// Gathers segments and appends them in blocks: one by one, appending costs as much as decoding. The
// place of the next one is the caller's, in a register.
class SegmentBlock {
 public:
  explicit SegmentBlock(std::vector<Segment>& segments) : segments_(segments) {}

  [[nodiscard]] std::byte* begin() { return bytes_; }
  [[nodiscard]] const std::byte* end() const { return bytes_ + sizeof bytes_; }
  // Appends what stands before `next`; returns where to go on.
  std::byte* flush(const std::byte* next) {
    segments_.insert(segments_.end(), reinterpret_cast<const Segment*>(bytes_),
                     reinterpret_cast<const Segment*>(next));
    return bytes_;
  }

 private:
  std::vector<Segment>& segments_;
  alignas(Segment) std::byte bytes_[64 * sizeof(Segment)];
};

// `fields`: generated column, source, original line, original column.
void store_segment(std::uint32_t line, __m128i fields, std::uint32_t name, std::byte* out) {
  std::memcpy(out, &line, sizeof line);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out + sizeof line), fields);
  std::memcpy(out + offsetof(Segment, name), &name, sizeof name);
}

std::int32_t to_int32(std::int64_t value) {
  return static_cast<std::int32_t>(value);
}

// What totals may grow to, from the lengths of the lists that they point into.
struct Limits {
  explicit Limits(const MappingBounds& bounds)
      : totals(_mm_setr_epi32(kMaxField, to_int32(last_index(bounds.source_count)), kMaxField,
                              kMaxField)),
        name(static_cast<std::uint32_t>(last_index(bounds.name_count))),
        field_counts(1u << 1 | (bounds.source_count > 0 ? 1u << 4 : 0u) |
                     (bounds.source_count > 0 && bounds.name_count > 0 ? 1u << 5 : 0u)) {}

  static constexpr std::int32_t kMaxField = 0x7FFFFFFF;
  // 0 for an empty list, which `field_counts` keeps out.
  static std::int64_t last_index(std::uint64_t count) {
    return static_cast<std::int64_t>(
        std::min<std::uint64_t>(std::max<std::uint64_t>(count, 1) - 1, kMaxField));
  }

  __m128i totals;
  std::uint32_t name;
  std::uint32_t field_counts;  // bit n: a segment of n fields may occur
};

// The running totals: generated column, source, original line, original column; and the name.
struct Totals {
  explicit Totals(const MappingsState& state)
      : fields(_mm_setr_epi32(to_int32(state.column), to_int32(state.source),
                              to_int32(state.original_line), to_int32(state.original_column))),
        name(static_cast<std::uint32_t>(state.name)) {}

  void write(MappingsState& state) const {
    state.column = _mm_extract_epi32(fields, 0);
    state.source = _mm_extract_epi32(fields, 1);
    state.original_line = _mm_extract_epi32(fields, 2);
    state.original_column = _mm_extract_epi32(fields, 3);
    state.name = name;
    state.is_sorted = state.is_sorted && _mm_extract_epi32(moves, 0) >= 0;
  }
  // Adds the numbers of a segment, unless that gives a total out of range (one that wraps is
  // negative) or one of them is "-0", which means -2^31.
  [[gnu::always_inline]] bool add(__m128i values, const Shape& shape, const Limits& limits) {
    const __m128i numbers = to_numbers(values, load16(shape.fields));
    std::int32_t name_control = 0;
    std::memcpy(&name_control, shape.name, sizeof name_control);
    const __m128i name_number = to_numbers(values, _mm_cvtsi32_si128(name_control));

    const __m128i move = to_signed(numbers);
    const __m128i next = _mm_add_epi32(fields, move);
    const std::uint32_t next_name =
        name + static_cast<std::uint32_t>(_mm_cvtsi128_si32(to_signed(name_number)));
    const __m128i odd = _mm_or_si128(_mm_or_si128(next, _mm_cmpgt_epi32(next, limits.totals)),
                                     _mm_cmpeq_epi32(numbers, _mm_set1_epi32(1)));
    const bool is_odd_name = next_name > limits.name || _mm_cvtsi128_si32(name_number) == 1;
    if (_mm_movemask_ps(_mm_castsi128_ps(odd)) != 0 || is_odd_name) return false;
    fields = next;
    name = next_name;
    moves = _mm_or_si128(moves, move);
    return true;
  }
  void start_line() { fields = _mm_and_si128(fields, _mm_setr_epi32(0, -1, -1, -1)); }
  // As a segment of one field has them.
  [[nodiscard]] __m128i without_source() const {
    const __m128i none = _mm_setr_epi32(0, to_int32(kNoIndex), 0, 0);
    return _mm_insert_epi32(none, _mm_cvtsi128_si32(fields), 0);
  }

  __m128i fields;
  std::uint32_t name;
  __m128i moves = _mm_setzero_si128();  // sign bit of the first lane: a column went back
};

}  // namespace

std::size_t decode_mappings_simd(std::string_view mappings, std::size_t from,
                                 const MappingBounds& bounds, MappingsState& state,
                                 std::vector<Segment>& segments) {
  const Limits limits(bounds);
  Totals totals(state);
  std::uint32_t line = state.line;
  SegmentBlock block(segments);
  std::byte* next = block.begin();

  const char* at = mappings.data() + from;
  const char* const end = mappings.data() + mappings.size();
  bool follows_comma = from > 0 && at[-1] == ',';
  while (static_cast<std::size_t>(end - at) > kWindowBytes) {
    const __m128i text = load16(at);
    const std::uint32_t separators = find_separators(text);
    const std::uint32_t behind = separators & (0 - separators);  // the bit of the first one alone
    const auto length = static_cast<std::uint32_t>(std::countr_zero(separators));
    if (length == 0) {
      if (*at != ';' || follows_comma) break;
      ++line;
      totals.start_line();
      ++at;
      continue;
    }
    if (length > kMaxLength) break;

    const Digits digits = to_digits(text);
    const std::uint32_t inside = behind - 1;
    const std::uint32_t lasts = ~digits.more & inside;
    const bool is_whole = (lasts << 1 & behind) != 0;  // the last character ends a number
    const Shape& shape = kShapes[lasts];
    const bool is_known = is_whole && (limits.field_counts >> shape.field_count & 1) != 0;
    if (!is_known || (digits.others & inside) != 0) break;
    if (!totals.add(digits.values, shape, limits)) break;

    store_segment(line, shape.field_count == 1 ? totals.without_source() : totals.fields,
                  totals.name | shape.no_name, next);
    next += sizeof(Segment);
    if (next == block.end()) next = block.flush(next);

    const bool ends_line = at[length] == ';';
    line += ends_line ? 1 : 0;
    if (ends_line) totals.start_line();
    follows_comma = !ends_line;
    at += length + 1;
  }

  block.flush(next);
  totals.write(state);
  state.line = line;
  return static_cast<std::size_t>(at - mappings.data());
}

}  // namespace twofold::js

#endif
