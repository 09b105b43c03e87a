// A training step on the scenario's own network, simulated exactly.
#pragma once

#include <string>

#include "collectives/solve/solve.h"
#include "scenarios/scenario.h"
#include "scenarios/summarize.h"
#include "scenarios/training/chip_math.h"
#include "scenarios/training/placement_fit.h"
#include "scenarios/training/stage_cost.h"
#include "scenarios/training/step_estimate.h"

namespace tahoma {

struct NetworkStep {
  StepBreakdown time;  // of the rank that computes most
  std::string solver, why;
  std::vector<LinkRow> links;
  std::uint64_t events = 0, solves = 0;
};

/// Links reach what `calibration` says software leaves of them, as in the closed form, and every collective
/// takes its launch. Finish times of all ranks are added to `fingerprint`. `solver`: "auto", "quotient",
/// "colours" or "program". Throws InfeasibleError where no exact solver can finish, with the reason.
NetworkStep run_step(const Scenario& scenario, const Parallel& parallel, const TrainingCost& cost,
                     const Calibration& calibration, const std::string& solver, Fingerprint& fingerprint);

}  // namespace tahoma
