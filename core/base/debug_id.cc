#include "core/base/debug_id.h"

#include <cstddef>

#include "core/base/ascii.h"

namespace twofold {

bool same_debug_id(std::string_view a, std::string_view b) {
  const auto skip_dashes = [](std::string_view& id) {
    while (id.starts_with('-')) id.remove_prefix(1);
  };
  for (;;) {
    skip_dashes(a);
    skip_dashes(b);
    if (a.empty() || b.empty()) return a.empty() && b.empty();
    if (to_lower_ascii(a.front()) != to_lower_ascii(b.front())) return false;
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
}

}  // namespace twofold
