// What the files of this folder share about the operating system.
#pragma once

#include <string>

#include "core/base/result.h"

namespace twofold::os {

// `code`: an errno. kNotFound for a missing file, else kIo, with the system's words.
[[nodiscard]] Error system_fault(const std::string& path, int code);

// A file descriptor that closes itself, standard ones excepted.
class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor();
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int value() const { return value_; }
  [[nodiscard]] bool is_open() const { return value_ >= 0; }

 private:
  int value_;
};

}  // namespace twofold::os
