// Result<T>: a value, or why there is none. For bad input and a bad environment only; "no answer"
// is an optional or an enum, and a bug of ours is an assert.
//
// The core has no exceptions, so a failure is a value that the compiler makes you look at.
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace twofold {

// The closed list of failures. The text form (`to_string`) is part of every host's interface:
// scripts match on it, so a code may be added but never renamed.
enum class Code : std::uint8_t {
  kTruncated,           // the input ends before what it announces
  kBadMagic,            // not a file of the kind it was taken for
  kUnsupportedVersion,  // of the kind, but of a version this build does not read
  kUnsupported,         // understood, but nothing here reads it (yet)
  kTooLarge,            // a count or size beyond what the format or this build allows
  kBadTable,            // a .tw table contradicts itself
  kBadJson,             // not JSON, or JSON that breaks off
  kBadMap,              // JSON, but not a source map: a field is missing or of the wrong type
  kBadMapping,          // `mappings` breaks the grammar or names what does not exist
  kBadSection,          // sections of an index map overlap, go backwards or nest too deeply
  kBadUrl,              // a data: URL that does not decode
  kBadUtf8,             // text that is not UTF-8 where it must be
  kWrongBuild,          // two files that belong to different builds
  kNotFound,            // no such file, or nothing in it of the kind asked for
  kIo,                  // the operating system refused
  kUnavailable,         // a service did not answer this time; a later try may
  kUsage,               // arguments that do not fit together
};
[[nodiscard]] std::string_view to_string(Code code);

inline constexpr std::uint64_t kNoOffset = ~std::uint64_t{0};

// One failure. `offset` counts bytes from the start of the input it names; `input` is the name that
// the host gave that input, empty until somebody who knows it says so.
struct Error {
  Code code;
  std::uint64_t offset = kNoOffset;
  std::string detail;
  std::string input = {};
};

// One line without a newline: `app.js.map: offset 17: bad_mapping: 2 fields in a segment`.
[[nodiscard]] std::string to_string(const Error& error);

// The same failure, said of `input` if it names none yet.
[[nodiscard]] Error with_input(Error error, std::string_view input);

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value)
      : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: implicit by design
  Result(Error error)
      : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit by design

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  [[nodiscard]] T& value() & {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  [[nodiscard]] const T& value() const& {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  [[nodiscard]] T&& value() && {
    assert(ok());
    return std::move(*std::get_if<0>(&state_));
  }
  [[nodiscard]] const Error& error() const& {
    assert(!ok());
    return *std::get_if<1>(&state_);
  }
  [[nodiscard]] Error&& error() && {
    assert(!ok());
    return std::move(*std::get_if<1>(&state_));
  }

 private:
  std::variant<T, Error> state_;
};

// Nothing to return but success or a failure.
class [[nodiscard]] Status {
 public:
  // Not `= default`: with that, `return {};` first fills the room for an error with zeros, 10 ns a
  // call.
  Status() {}                                        // NOLINT(modernize-use-equals-default)
  Status(Error error) : error_(std::move(error)) {}  // NOLINT: implicit by design
  [[nodiscard]] bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  [[nodiscard]] const Error& error() const {
    assert(!ok());
    return *error_;
  }

 private:
  std::optional<Error> error_;
};

}  // namespace twofold
