#include "native/store/content_hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "native/store/hex.h"

namespace twofold::storage {

std::string hash_hex(ByteView bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, hash);
  return to_hex({canonical.digest, sizeof canonical.digest});
}

}  // namespace twofold::storage
