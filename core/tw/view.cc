#include "core/tw/view.h"

namespace twofold::tw {

Result<View> View::open(ByteView bytes) {
  const bool is_blocks = bytes.size() >= 8 && load_u32(bytes.data() + 4) == blocks::kVersion;
  if (is_blocks) {
    const auto opened = BlockView::open(bytes);
    if (!opened) return opened.error();
    return View(opened.value());
  }
  const auto opened = FlatView::open(bytes);
  if (!opened) return opened.error();
  return View(opened.value());
}

std::optional<std::string_view> View::file(std::uint32_t index) const {
  return as_flat() != nullptr ? as_flat()->files().find(index) : as_blocks()->file(index);
}
std::optional<std::string_view> View::function(std::uint32_t index) const {
  return as_flat() != nullptr ? as_flat()->functions().find(index) : as_blocks()->function(index);
}
bool View::is_ignored(std::uint32_t file) const {
  return as_blocks() != nullptr && as_blocks()->is_ignored(file);
}
std::string_view View::debug_id() const {
  return as_blocks() != nullptr ? as_blocks()->identity(IdentityKind::kDebugId)
                                : std::string_view();
}
std::uint32_t View::token_count() const {
  return as_flat() != nullptr ? as_flat()->token_count() : as_blocks()->token_count();
}
std::uint32_t View::file_count() const {
  return as_flat() != nullptr ? as_flat()->files().count() : as_blocks()->file_count();
}
std::uint32_t View::function_count() const {
  return as_flat() != nullptr ? as_flat()->functions().count() : as_blocks()->function_count();
}
ByteView View::bytes() const {
  return as_flat() != nullptr ? as_flat()->bytes() : as_blocks()->bytes();
}

}  // namespace twofold::tw
