// A program on groups of ranks -> the answer that every solver gives.
#pragma once

#include "collectives/groups.h"
#include "collectives/program/rank_program.h"
#include "collectives/solve/solve.h"

namespace tahoma {

/// Runs the program on each group at once, unfolded. Throws InfeasibleError past the limits of one run.
Solution solve_program(const RankProgram& program, const Problem& problem, const RankGroups& groups);

}  // namespace tahoma
