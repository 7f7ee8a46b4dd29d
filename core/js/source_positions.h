// The line indexes of a map's source texts, each made when it is first needed.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/make_room.h"
#include "core/js/source_texts.h"
#include "core/js/text_positions.h"

namespace twofold::js {

// Keeps its memory for the next map. Not thread-safe.
class SourcePositions {
 public:
  // The indexes of other texts, which are borrowed.
  void assign(SourceTexts& texts) {
    texts_ = &texts;
    indexes_.assign(texts.size(), {});
    line_starts_.clear();
    block_units_.clear();
    if (texts.size() != 0) make_room(kFirstLines, line_starts_);
  }

  [[nodiscard]] std::string_view text(std::size_t source) { return texts_->text(source); }
  // Precondition: there is a text. Valid until the next call.
  [[nodiscard]] TextPositionsView of(std::size_t source) {
    Index& index = indexes_[source];
    if (index.lines.begin == index.lines.end) make(source, index);
    return {texts_->text(source), index.lines.in(line_starts_), index.blocks.in(block_units_)};
  }

 private:
  static constexpr std::size_t kFirstLines = 4096;

  // All texts together are shorter than 4 GiB, so are their lines.
  struct Range {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    [[nodiscard]] std::span<const std::uint32_t> in(const std::vector<std::uint32_t>& all) const {
      return std::span(all).subspan(begin, end - begin);
    }
  };
  // Every text has a line; none yet: the index is not made.
  struct Index {
    Range lines;
    Range blocks;
  };
  void make(std::size_t source, Index& index) {
    index.lines.begin = static_cast<std::uint32_t>(line_starts_.size());
    index.blocks.begin = static_cast<std::uint32_t>(block_units_.size());
    append_line_index(texts_->text(source), line_starts_, block_units_);
    index.lines.end = static_cast<std::uint32_t>(line_starts_.size());
    index.blocks.end = static_cast<std::uint32_t>(block_units_.size());
  }

  SourceTexts* texts_ = nullptr;
  std::vector<Index> indexes_;              // per source
  std::vector<std::uint32_t> line_starts_;  // of all of them, one after the other
  std::vector<std::uint32_t> block_units_;
};

}  // namespace twofold::js
