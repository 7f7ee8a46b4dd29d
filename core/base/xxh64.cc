#include "core/base/xxh64.h"

#include <bit>
#include <cstring>

namespace twofold {
namespace {

constexpr std::uint64_t kPrime1 = 0x9E3779B185EBCA87u;
constexpr std::uint64_t kPrime2 = 0xC2B2AE3D27D4EB4Fu;
constexpr std::uint64_t kPrime3 = 0x165667B19E3779F9u;
constexpr std::uint64_t kPrime4 = 0x85EBCA77C2B2AE63u;
constexpr std::uint64_t kPrime5 = 0x27D4EB2F165667C5u;

std::uint64_t round(std::uint64_t lane, std::uint64_t word) {
  return std::rotl(lane + word * kPrime2, 31) * kPrime1;
}
std::uint64_t merge(std::uint64_t hash, std::uint64_t lane) {
  return (hash ^ round(0, lane)) * kPrime1 + kPrime4;
}

// 32 bytes at a time, in four lanes that do not wait for each other.
std::uint64_t hash_stripes(const std::uint8_t* at, std::size_t stripe_count) {
  std::uint64_t a = kPrime1 + kPrime2;
  std::uint64_t b = kPrime2;
  std::uint64_t c = 0;
  std::uint64_t d = 0 - kPrime1;
  for (; stripe_count > 0; --stripe_count, at += 32) {
    a = round(a, load_u64(at));
    b = round(b, load_u64(at + 8));
    c = round(c, load_u64(at + 16));
    d = round(d, load_u64(at + 24));
  }
  std::uint64_t hash = std::rotl(a, 1) + std::rotl(b, 7) + std::rotl(c, 12) + std::rotl(d, 18);
  hash = merge(hash, a);
  hash = merge(hash, b);
  hash = merge(hash, c);
  return merge(hash, d);
}

}  // namespace

std::uint64_t xxh64(ByteView bytes) {
  const std::size_t stripe_count = bytes.size() / 32;
  std::uint64_t hash = stripe_count > 0 ? hash_stripes(bytes.data(), stripe_count) : kPrime5;
  hash += bytes.size();
  std::size_t at = stripe_count * 32;
  for (; bytes.size() - at >= 8; at += 8) {
    hash = std::rotl(hash ^ round(0, load_u64(bytes.data() + at)), 27) * kPrime1 + kPrime4;
  }
  if (bytes.size() - at >= 4) {
    hash = std::rotl(hash ^ (load_u32(bytes.data() + at) * kPrime1), 23) * kPrime2 + kPrime3;
    at += 4;
  }
  for (; at < bytes.size(); ++at) hash = std::rotl(hash ^ (bytes[at] * kPrime5), 11) * kPrime1;
  hash = (hash ^ (hash >> 33)) * kPrime2;
  hash = (hash ^ (hash >> 29)) * kPrime3;
  return hash ^ (hash >> 32);
}

}  // namespace twofold
