#include "scenarios/run_step.h"

#include <algorithm>

#include "collectives/stack/on_network.h"
#include "core/errors.h"
#include "scenarios/network.h"
#include "scenarios/rows.h"
#include "scenarios/training/step_solve.h"

namespace tahoma {

namespace {

Scenario with_software(const Scenario& scenario, const Calibration& calibration) {
  StackFigures figures;
  figures.factor_up = {calibration.link, -6};
  figures.factor_out = {calibration.nic, -6};
  Scenario changed = scenario;
  changed.network = under_stack(scenario.network, figures);
  return changed;
}

// By rank, as every solver would say it.
void add_finishes(const StepAnswer& answer, const StepPlacement& placement, Fingerprint& fingerprint) {
  for (ChipId rank = 0; rank < placement.ranks(); ++rank)
    fingerprint.add_time(answer.finish[answer.classes.of(rank)]);
}

}  // namespace

NetworkStep run_step(const Scenario& scenario, const Parallel& parallel, const TrainingCost& cost,
                     const Calibration& calibration, const std::string& solver, Fingerprint& fingerprint) {
  if (parallel.one_nic_rings)
    throw InfeasibleError(
        "rings: one_nic is known to the closed form only; the network's collectives use all NICs");
  const PipelineOrder order =
      pipeline_order(parallel.schedule, parallel.pp, parallel.vp, parallel.micro_batches());
  const Scenario changed = with_software(scenario, calibration);
  const Network network = make_network(changed);
  const Problem problem = empty_problem(changed, network);
  // Axes are described by the healthy network: a dead link of one chip is no property of its dimension.
  const StepPlacement placement(network.healthy ? *network.healthy : *network.topology, parallel);
  StepSchedules schedules(placement, fastest_on(problem, network.healthy.get(), placement.without_stages()));
  TrainingStep step{&parallel, &cost, &order, &placement, &schedules, &problem};
  step.launch = calibration.launch;
  const StepAnswer answer = solve_step(step, solver);
  add_finishes(answer, placement, fingerprint);
  NetworkStep result;
  result.time = answer.breakdown();
  result.solver = answer.solver;
  result.why = answer.why;
  Solution solution;
  solution.classes = answer.classes;
  solution.links = answer.run.links;
  result.links = summarize_links(*network.topology, solution, result.time.step(), "training step");
  result.events = answer.run.events;
  result.solves = answer.run.solves;
  return result;
}

}  // namespace tahoma
