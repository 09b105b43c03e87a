// What `tahoma check` can know beyond a readable file: that every named algorithm fits the ranks it is given.
#pragma once

#include "scenarios/scenario.h"

namespace tahoma {

/// Makes a schedule of each named algorithm and collective, at the first size; nothing is simulated. Throws
/// as run() would.
void check_schedules(const Scenario& scenario);

}  // namespace tahoma
