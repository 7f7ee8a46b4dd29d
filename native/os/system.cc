#include "native/os/system.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace twofold::os {

Error system_fault(const std::string& path, int code) {
  return {code == ENOENT ? Code::kNotFound : Code::kIo, kNoOffset, std::strerror(code), path};
}

Descriptor::~Descriptor() {
  if (value_ > STDERR_FILENO) ::close(value_);
}

}  // namespace twofold::os
