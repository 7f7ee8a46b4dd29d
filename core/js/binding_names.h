// What the place is called that a value goes to: `a.b` in `a.b = {c: function () {}}` and `a.b.c`
// for the function in it. Reads keys and assignment targets, and takes their identifiers back
// through the map.
//
// Knows bindings and spans, not scopes: which class a field belongs to and what `this` is, names.cc
// says.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/js/map_names.h"
#include "core/js/scopes.h"

namespace twofold::js {

// No name is longer. An owner that would make one longer is left out, anything else is cut.
inline constexpr std::size_t kMaxNameBytes = 512;

// Makes `owner` to `owner.name`, or to `name` alone if it is empty or both are too long. `name`
// must not be a part of `owner`.
void extend_name(std::string& owner, std::string_view name);

struct BindingName {
  std::string_view text;     // "": the value of such a binding has no name
  bool is_known = false;     // the map knows the identifier that it begins with
  bool is_field = false;     // begins with a class field, so the class belongs before it
  bool begins_this = false;  // began with `this`, which is not in the text
};

// Keeps its memory for the next text. Not thread-safe.
class BindingNames {
 public:
  // The bindings of another text, which are borrowed. Without positions and map the text is the
  // original, and every identifier its own name.
  void assign(std::string_view text, const std::vector<Binding>& bindings,
              const TextPositions* positions, MapNames* map);

  // Remembered, so that a chain of bindings is climbed once. Valid until the next call.
  [[nodiscard]] BindingName name_of(std::uint32_t binding);
  // A key: an identifier, `#x`, the value of a string or number, or what stands in brackets. Valid
  // until the next call of this and of `name_of`.
  [[nodiscard]] std::string_view key_name(TextSpan key, bool is_computed);
  // The identifier by its original name.
  [[nodiscard]] OriginalName original(TextSpan identifier);

 private:
  // A name that is made: where in texts_ it stands, and what is known of it.
  struct Made {
    std::size_t begin = 0;
    std::uint32_t size = 0;
    bool is_known = false;
    bool is_field = false;
    bool begins_this = false;
  };
  Made make_name(const Binding& binding);
  Made make_property(const Binding& binding);
  Made make_chain(TextSpan span);
  Made store(std::string_view text, Made made);
  std::string_view text_of(const Made& made) const {
    return std::string_view(texts_).substr(made.begin, made.size);
  }
  void add_word(TextSpan word, bool is_first, Made& made);
  std::string_view computed_name(std::string_view text);
  std::string_view described_class(const Binding& binding);

  std::string_view text_;
  std::span<const Binding> bindings_;
  const TextPositions* positions_ = nullptr;
  MapNames* map_ = nullptr;
  std::size_t budget_bytes_ = 0;     // what owners may still add to texts_
  std::vector<std::uint32_t> made_;  // per binding: its place in names_, or kNoEntry
  std::vector<Made> names_;
  std::string texts_;                 // of all names_
  std::vector<std::uint32_t> chain_;  // bindings that wait for their parent's name
  std::string joined_;                // the name that is being made
  std::string key_;                   // the key that is, if it does not stand anywhere as it is
};

}  // namespace twofold::js
