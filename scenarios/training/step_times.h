// Where a rank's time in a step goes, read off the run.
//
// Idea: a rank computes, or it waits; and what it waited for is found by going back from what it did next: to
// the collective that ended last, to the message that arrived last, and before that message was sent, to
// nothing but the pipeline. So the parts add up to the step, to the picosecond.
//
//   tp, cp, ep, dp   in a collective, from when the rank entered it; that others came late to it counts too
//   pp               its input is under way
//   bubble           its input is not sent yet; or the rank is done, and others are not; or it began late
//
// Communication under computing does not show: it is exposed only as far as the rank waits.
#pragma once

#include <cstdint>
#include <vector>

#include "collectives/program/run_program.h"
#include "scenarios/training/step_estimate.h"
#include "scenarios/training/step_program.h"

namespace tahoma {

/// Of each rank of the program; step() of each is the end of the last one.
std::vector<StepBreakdown> breakdowns_of(const StepProgram& step, const ProgramRun& run);

}  // namespace tahoma
