#include "core/js/ram_bundle.h"

namespace twofold::js {
namespace {

constexpr std::uint64_t kModuleEntryBytes = 8;

Error truncated(const ByteReader& reader, const char* what) {
  return {Code::kTruncated, reader.at(), std::string("the file ends before ") + what};
}

}  // namespace

Result<RamBundle> read_ram_bundle(ByteView file) {
  ByteReader reader(file);
  std::uint32_t magic = 0;
  std::uint32_t id_count = 0;
  std::uint32_t startup_bytes = 0;
  if (!reader.read_u32(magic) || magic != kRamBundleMagic) {
    return Error{Code::kBadMagic, 0, "not an indexed RAM bundle"};
  }
  if (!reader.read_u32(id_count) || !reader.read_u32(startup_bytes)) {
    return truncated(reader, "the header does");
  }
  ByteView table;
  if (!reader.read_bytes(id_count * kModuleEntryBytes, table)) {
    return truncated(reader, "the table of modules does");
  }
  const std::uint64_t code_bytes = reader.remaining();
  ByteView startup_code;
  if (!reader.read_bytes(startup_bytes, startup_code)) {
    return truncated(reader, "the startup code does");
  }
  RamBundle bundle{0, as_text(startup_code)};
  for (std::size_t at = 0; at < table.size(); at += kModuleEntryBytes) {
    const std::uint64_t offset = load_u32(table.data() + at);
    const std::uint64_t size = load_u32(table.data() + at + 4);
    if (offset > code_bytes || size > code_bytes - offset) {
      return truncated(reader, "a module does");
    }
    bundle.module_count += size > 0 ? 1u : 0u;
  }
  return bundle;
}

}  // namespace twofold::js
