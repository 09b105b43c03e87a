// Every exception ends here, and only here becomes a message and an exit code.
#pragma once

#include <functional>

#include "apps/cli/exit_code.h"

namespace tahoma {

ExitCode guarded(const std::function<ExitCode()>& work);

}  // namespace tahoma
