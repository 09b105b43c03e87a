#include "scenarios/check_schedules.h"

#include <variant>

#include "scenarios/stack_rows.h"

namespace tahoma {

namespace {

void check_job(const Job& job, const CollectiveWork& work, const Scenario& scenario, const Network& network) {
  const Problem problem = empty_problem(scenario, network);
  StackRows stacked(scenario);
  const RankGroups groups = make_groups(*network.topology, work, scenario.seed);
  for (const PlannedRow& row : plan_rows(job, work, groups, scenario.seed)) {
    if (work.program) program_of_row(row);
    if (work.stack) stacked.check(row);
    if (work.program || work.stack) continue;
    // Sizes do not decide whether an algorithm fits, and `auto` tries only those that do.
    if (row.size == work.sizes.front() && !row.algorithm->automatic) schedule_row(row, problem, network);
  }
}

}  // namespace

void check_schedules(const Scenario& scenario) {
  const Network network = make_network(scenario);
  for (const Job& job : scenario.jobs) {
    if (const auto* work = std::get_if<CollectiveWork>(&job.work)) check_job(job, *work, scenario, network);
  }
}

}  // namespace tahoma
