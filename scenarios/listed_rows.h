// A row whose schedule is a listed program: run operation by operation.
#pragma once

#include "collectives/solve/solve.h"
#include "scenarios/run.h"
#include "scenarios/stack_rows.h"

namespace tahoma {

/// Where the program runs and what it costs: under the row's stack, or on `ideal` hardware if it has none.
StackedRow listed_on(const PlannedRow& row, StackRows& stacks, const Problem& ideal);

/// Throws InfeasibleError where another solver, or a trace of the messages, is asked for.
Solution run_listed(const PlannedRow& row, const StackedRow& on, const RunOptions& options);

}  // namespace tahoma
