#include "scenarios/listed_rows.h"

#include "collectives/program/solve_program.h"
#include "core/errors.h"

namespace tahoma {

Solution run_listed(const RankProgram& program, const Problem& problem, const RankGroups& groups,
                    const RunOptions& options) {
  if (options.solver != "auto" && options.solver != "engine") {
    throw InfeasibleError(
        "solver '" + options.solver +
        "' does not apply: a listed program is run operation by operation; accepted: auto, engine");
  }
  if (options.trace) throw InfeasibleError("the messages of a listed program cannot be traced yet");
  return solve_program(program, problem, groups);
}

}  // namespace tahoma
