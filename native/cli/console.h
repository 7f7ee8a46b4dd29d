// What the commands print, and where: answers to standard output, one-line errors and progress to
// standard error. Nothing below this folder prints.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace twofold::cli {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;  // the input is bad, or nothing could be read or written
inline constexpr int kExitUsage = 2;   // the arguments do not fit together

// Writes all of it; false when standard output is gone.
[[nodiscard]] bool print(std::string_view text);

// `twofold: <what>` on one line. Returns the exit status that goes with it.
int fail(const Error& error);

// One more line for people, on standard error.
void note(std::string text);

// Shows what takes long, on a terminal only, and wipes it when done.
class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Files of a few megabytes are done before anybody could read the line.
  void reading(const std::string& path, std::uint64_t size_bytes);

 private:
  bool is_terminal_;
  bool is_shown_ = false;
};

}  // namespace twofold::cli
