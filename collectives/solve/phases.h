// A collective phase by phase: blocks that do not meet, solved once per kind.
//
// Problem: one fault breaks every symmetry of a million chips, yet its influence is small. Idea: within a run
// of phases, the ranks fall into blocks that share no link (UltraServers inside, rails between them). A block
// is a function from the ready times of its ranks to their finish times that shifts with time; equal blocks
// with equal (relative) ready times have equal answers. So each distinct pair is solved once, by the first
// exact solver that applies:
//   ring on unshared links      streams                   (stream.h)
//   exchange, links unshared    level by level            (exchange_levels.h), with its certificate
//   anything, links unshared    straight-line arithmetic  (uncontended.h), with its certificate
//   all ranks ready together    the engine on one rank per class, if there are classes
//   exchange                    message by message        (star.h)
//   else                        the engine on the block
//
//   ready --[RS inside]--> 16,384 blocks, few kinds --[all-reduce on rails]--> 64 blocks --[AG inside]-->
//   finish
//
// What makes it exact (docs/decisions/0006-solvers.md): blocks share no binding link (checked from the links
// of one block per kind), and two runs of phases that use the same links do not overlap in time (checked).
// Where a check fails the answer is "not by this solver", never an approximation.
#pragma once

#include <optional>
#include <string>

#include "collectives/solve/solve.h"

namespace tahoma {

/// Nothing if the solver does not apply; `why_not` then says why.
std::optional<Solution> solve_by_phases(const Problem& problem, std::string& why_not);

}  // namespace tahoma
