// A row whose schedule is a listed program: run operation by operation.
#pragma once

#include "collectives/program/rank_program.h"
#include "collectives/solve/solve.h"
#include "scenarios/rows.h"
#include "scenarios/run.h"

namespace tahoma {

/// Of `problem` programs and flows are not looked at. Throws InfeasibleError where another solver, or a trace
/// of the messages, is asked for.
Solution run_listed(const RankProgram& program, const Problem& problem, const RankGroups& groups,
                    const RunOptions& options);

}  // namespace tahoma
