// The engine that a configuration asks for, with the stores it stands on.
#pragma once

#include <memory>

#include "core/base/result.h"
#include "native/config/config.h"
#include "native/engine/engine.h"
#include "native/os/clock.h"

namespace twofold::engine {

// `clock` must outlive it. Errors: kIo for a folder that cannot be made, kUnsupported for a store
// that this build does not speak to.
[[nodiscard]] Result<std::unique_ptr<Engine>> open_engine(const config::Config& config,
                                                          const os::Clock& clock);

}  // namespace twofold::engine
