// The lines of source text around a place, for people who read a trace without the source at hand.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/units.h"
#include "core/js/text_positions.h"

namespace twofold {

struct SourceContext {
  std::uint32_t first_line = 0;    // 1-based, of lines[0]
  std::vector<std::string> lines;  // without line breaks, long ones cut: never empty
};

// No line of a context is longer; "..." stands for what is cut. Minified sources are one line.
inline constexpr std::size_t kLongestContextLineBytes = 200;

// The source texts of one artifact. Not thread-safe: it indexes a text when it is first asked for.
class ArtifactSources {
 public:
  ArtifactSources() = default;
  // One text per file of the artifact's .tw; "" for unknown ones.
  explicit ArtifactSources(std::vector<std::string> texts)
      : texts_(std::move(texts)), positions_(texts_.size()) {}

  // `line` and up to `around` lines before and behind it. A long line is cut so that `column` is in
  // what remains. No value: the text of the file is unknown or has no such line.
  [[nodiscard]] std::optional<SourceContext> around(std::uint32_t file, OneBasedLine line,
                                                    OneBasedColumn column, std::uint32_t around);

 private:
  std::vector<std::string> texts_;
  std::vector<std::unique_ptr<js::TextPositions>> positions_;
};

}  // namespace twofold
