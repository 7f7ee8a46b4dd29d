#include "native/cli/console.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace twofold::cli {
namespace {

constexpr std::uint64_t kWorthShowingBytes = 4 << 20;

}  // namespace

bool print(std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() &&
         std::fflush(stdout) == 0;
}

void note(std::string text) {
  const auto breaks_line = [](char c) { return c == '\n' || c == '\r'; };
  std::replace_if(text.begin(), text.end(), breaks_line, ' ');
  std::fprintf(stderr, "twofold: %s\n", text.c_str());
}

int fail(const Error& error) {
  note(to_string(error));
  return error.code == Code::kUsage ? kExitUsage : kExitFailed;
}

Progress::Progress() : is_terminal_(::isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (is_shown_) std::fputs("\r\x1b[K", stderr);
}

void Progress::reading(const std::string& path, std::uint64_t size_bytes) {
  if (!is_terminal_ || size_bytes < kWorthShowingBytes) return;
  is_shown_ = true;
  std::fprintf(stderr, "\r\x1b[Kreading %s (%llu MB)", path.c_str(),
               static_cast<unsigned long long>(size_bytes >> 20));
}

}  // namespace twofold::cli
