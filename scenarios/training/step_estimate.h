// A training step in closed form: compute, bubble, exposed communication, optimiser, overhead.
//
// Problem and idea: a step is m micro-batches through p stages. The slowest stage sets the beat; the others
// add what it takes to fill and drain the pipeline once, a fraction of it where a schedule hides it. What no
// computation hides of the communication is added by axis.
//
// Limit: an estimate. Stages do not wait for late messages of each other, collectives do not share links, and
// what overlaps does so as far as there is time beside it. The engine's step replaces it where there is one.
#pragma once

#include "scenarios/training/axis_network.h"
#include "scenarios/training/stage_cost.h"

namespace tahoma {

/// Parts of a step; they add up to it, to the picosecond.
struct StepBreakdown {
  Duration compute;             // forward and backward of the slowest stage
  Duration recompute;           // its forward passes computed again
  Duration bubble;              // it waits for the pipeline to fill and to drain
  Duration tp, cp, ep, pp, dp;  // exposed communication
  Duration optimiser, overhead;
  Duration step() const {
    return compute + recompute + bubble + tp + cp + ep + pp + dp + optimiser + overhead;
  }
};

/// What travels, by axis, in time; the engine's step gives its own.
struct StageTraffic {
  Duration tp, cp, ep, pp;  // exposed, of one micro-batch through all chunks of the stage
};
StageTraffic stage_traffic(const StageCost& stage, const Parallel& parallel, const TrainingNetwork& network);

StepBreakdown estimate_step(const TrainingCost& cost, const Parallel& parallel,
                            const TrainingNetwork& network);

}  // namespace tahoma
