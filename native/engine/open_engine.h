// The engine that a configuration asks for, with the stores it stands on.
#pragma once

#include <memory>

#include "core/base/result.h"
#include "native/config/config.h"
#include "native/engine/engine.h"
#include "native/os/clock.h"
#include "native/store/credentials.h"

namespace twofold::engine {

// `clock` must outlive it. `variables`: where the object store's keys are looked for. Errors: kIo
// for a folder that cannot be made, kUsage for an object store that cannot be.
[[nodiscard]] Result<std::unique_ptr<Engine>> open_engine(const config::Config& config,
                                                          const storage::Variables& variables,
                                                          const os::Clock& clock);

}  // namespace twofold::engine
