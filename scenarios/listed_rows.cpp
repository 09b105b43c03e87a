#include "scenarios/listed_rows.h"

#include "collectives/program/solve_program.h"
#include "core/errors.h"

namespace tahoma {

StackedRow listed_on(const PlannedRow& row, StackRows& stacks, const Problem& ideal) {
  StackedRow on;
  if (row.work->stack) {
    on = stacks.listed(row);
  } else {
    on.problem = ideal;
    on.groups = row.groups;
  }
  on.choice.schedule.algorithm = row.algorithm->name;
  on.choice.schedule.pipeline = row.work->pipeline;
  return on;
}

Solution run_listed(const PlannedRow& row, const StackedRow& on, const RunOptions& options) {
  if (options.solver != "auto" && options.solver != "engine") {
    throw InfeasibleError(
        "solver '" + options.solver +
        "' does not apply: a listed program is run operation by operation; accepted: auto, engine");
  }
  if (options.trace) throw InfeasibleError("the messages of a listed program cannot be traced yet");
  RankProgram program = program_of_row(row);
  program.launch = on.launch;
  program.send_rate = on.send_rate;
  return solve_program(program, on.problem, *on.groups);
}

}  // namespace tahoma
