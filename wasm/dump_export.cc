// Beside lookup_exports.cc, in the whole module only: the listing for people.
#include <emscripten/emscripten.h>

#include "core/tw/dump.h"
#include "wasm/open_tw.h"

// Size of the listing in `twofold_text`.
extern "C" EMSCRIPTEN_KEEPALIVE std::uint32_t twofold_dump(OpenTw* tw) {
  tw->text = twofold::tw::dump(*tw->view);
  return static_cast<std::uint32_t>(tw->text.size());
}
