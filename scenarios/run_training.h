// A training workload, answered in closed form.
#pragma once

#include "scenarios/run.h"

namespace tahoma {

bool has_training(const Scenario& scenario);

/// The whole result of a scenario with a training step. Throws InfeasibleError where the model does not fit,
/// with the cheapest change that makes it fit.
Result run_training(const Scenario& scenario, const RunOptions& options);

/// The same with the fewest units that meet the deadline.
Result run_found_count(const Scenario& scenario, const RunOptions& options);

}  // namespace tahoma
