// A read-only view of a .tw file of either version. Owns nothing, copies nothing, allocates
// nothing. What `open` checks, and that no access leaves the bytes, is as flat_view.h and
// block_view.h say.
//
// Thread-safe: const all over. Valid as long as the bytes it was opened on.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "core/tw/block_view.h"
#include "core/tw/flat_view.h"
#include "core/tw/lookup.h"

namespace twofold::tw {

class View {
 public:
  // Errors: those of FlatView::open and BlockView::open.
  [[nodiscard]] static Result<View> open(ByteView bytes);
  static Result<View> open(const std::vector<std::uint8_t>&&) = delete;  // would dangle
  explicit View(FlatView flat) : view_(flat) {}
  explicit View(BlockView blocks) : view_(blocks) {}

  // As lookup.h says. O(log tokens).
  [[nodiscard]] std::optional<Location> find(Position position) const {
    const BlockView* const blocks = as_blocks();
    return blocks != nullptr ? blocks->find(to_key(position)) : find_location(*as_flat(), position);
  }
  // As BlockView::find_caller; version 1 has none.
  [[nodiscard]] std::optional<Location> find_caller(std::uint32_t caller) const {
    const BlockView* const blocks = as_blocks();
    return blocks != nullptr ? blocks->find_caller(caller) : std::nullopt;
  }

  // Names by index. No value: kNone, out of range or damaged.
  [[nodiscard]] std::optional<std::string_view> file(std::uint32_t index) const;
  [[nodiscard]] std::optional<std::string_view> function(std::uint32_t index) const;
  // Third-party code; version 1 does not tell.
  [[nodiscard]] bool is_ignored(std::uint32_t file) const;
  // "" for none; version 1 has none.
  [[nodiscard]] std::string_view debug_id() const;

  [[nodiscard]] std::uint32_t version() const { return as_flat() != nullptr ? 1 : 2; }
  [[nodiscard]] std::uint32_t token_count() const;
  [[nodiscard]] std::uint32_t file_count() const;
  [[nodiscard]] std::uint32_t function_count() const;
  [[nodiscard]] ByteView bytes() const;

  // The one that it is, else null.
  [[nodiscard]] const FlatView* as_flat() const { return std::get_if<FlatView>(&view_); }
  [[nodiscard]] const BlockView* as_blocks() const { return std::get_if<BlockView>(&view_); }

 private:
  std::variant<FlatView, BlockView> view_;
};

}  // namespace twofold::tw
