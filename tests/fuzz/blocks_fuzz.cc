// Fuzzes the sections of a .tw version 2: the header's and the sections' checksums are put right,
// so that mutations reach what is behind them. Whatever `open` accepts must be safe to look up,
// verify and dump; what verifies must be found by its own keys.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <vector>

#include "core/base/xxh64.h"
#include "core/tw/block_walk.h"
#include "core/tw/dump.h"
#include "core/tw/verify.h"
#include "core/tw/view.h"

using namespace twofold;

namespace {

using namespace tw::blocks;

void repair(std::vector<std::uint8_t>& file) {
  if (file.size() < kHeaderSizeBytes) return;
  std::memcpy(file.data(), tw::kMagic, sizeof tw::kMagic);
  store(file.data() + 4, kVersion);
  const std::size_t count = load_u32(file.data() + kSectionCountAt);
  const std::size_t end = kHeaderSizeBytes + count * kSectionSizeBytes;
  if (count > kMostSections || end > file.size()) return;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint8_t* const entry = file.data() + kHeaderSizeBytes + i * kSectionSizeBytes;
    const std::size_t offset = load_u32(entry + kSectionOffsetAt);
    const std::size_t size = load_u32(entry + kSectionSizeAt);
    if (offset > file.size() || size > file.size() - offset) continue;
    store(entry + kSectionChecksumAt, xxh64(ByteView(file).subspan(offset, size)));
  }
  store(file.data() + kChecksumAt, std::uint64_t{0});
  store(file.data() + kChecksumAt, xxh64(ByteView(file).first(end)));
}

std::size_t touch(std::string_view text) {
  std::size_t sum = 0;
  for (const char c : text) sum += static_cast<unsigned char>(c);
  return sum;
}

// A chain of callers ends.
std::size_t look_up(const tw::BlockView& view, std::uint64_t key) {
  std::size_t sum = 0;
  std::uint32_t depth = 0;
  for (auto frame = view.find(key); frame; frame = view.find_caller(frame->caller)) {
    sum += touch(frame->file.value_or("")) + touch(frame->function.value_or(""));
    if (depth++ > view.caller_count()) std::abort();
  }
  return sum;
}

void check_all_found(const tw::BlockView& view) {
  std::optional<std::uint64_t> before;
  tw::BlockWalk walk(view);
  const bool is_whole = walk.for_each([&](const tw::WalkedToken& walked) {
    const std::uint64_t key = view.runs().run(walked.run).key(walked.place);
    if (walked.is_carried || before == key) return;  // of two at one position the first answers
    before = key;
    const auto found = view.find(key);
    if (found.has_value() == walked.token.is_unmapped()) std::abort();
    if (found && found->line.value() != walked.token.original_line) std::abort();
  });
  if (!is_whole) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::uint8_t> file(data, data + size);
  repair(file);
  const auto opened = tw::BlockView::open(file);
  if (!opened) return 0;
  const tw::BlockView& view = opened.value();
  std::size_t sum = view.identity(tw::IdentityKind::kDebugId).size();
  for (std::uint32_t run = 0; run < std::min(view.runs().count(), 16u); ++run) {
    const std::uint64_t key = view.runs().run(run).key(view.runs().run(run).begin);
    for (const std::uint64_t step : {0u, 1u, 7u, 40u, 250u, 4000u})
      sum += look_up(view, key + step);
    sum += look_up(view, key - 1) + look_up(view, key + (std::uint64_t{3} << 32));
  }
  sum += look_up(view, 0) + look_up(view, ~std::uint64_t{0});
  for (std::uint32_t i = 0; i < std::min(view.file_count(), 64u); ++i) {
    sum += touch(view.file(i).value_or("")) + (view.is_ignored(i) ? 1 : 0);
    if (const auto source = view.source(i)) sum += touch(as_text(source->packed));
  }
  for (std::uint32_t i = 0; i < std::min(view.function_count(), 64u); ++i) {
    sum += touch(view.function(i).value_or(""));
  }
  if (tw::verify(view)) check_all_found(view);
  if (view.file_count() < 1000 && view.function_count() < 1000) {
    sum += tw::dump(tw::View(view)).size();
  }
  return sum == ~std::size_t{0} ? 1 : 0;
}
