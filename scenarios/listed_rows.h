// A row whose schedule is a listed program: run operation by operation.
#pragma once

#include "collectives/solve/solve.h"
#include "scenarios/rows.h"
#include "scenarios/run.h"

namespace tahoma {

/// Throws InfeasibleError where another solver, or a trace of the messages, is asked for.
Solution run_listed(const PlannedRow& row, const Problem& problem, const RunOptions& options);

}  // namespace tahoma
