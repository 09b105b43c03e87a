// A training step, solved exactly: which ranks are told apart, and the run of those.
//
//   quotient   digits of the rank's number that network and step do not see are collapsed (decision 0004):
//   the
//              cost is that of one rank per class, however many there are
//   colours    among what is left, operations that cannot be told apart (collectives/program/fold_program.h)
//   program    every operation of every rank: the judge of the other two
#pragma once

#include <string>

#include "scenarios/training/step_times.h"

namespace tahoma {

struct StepAnswer {
  std::string solver, why;
  std::vector<Time> finish;               // by rank of `program`
  std::vector<StepBreakdown> breakdowns;  // likewise
  std::uint32_t busiest = 0;              // that computes most
  ChipClasses classes;                    // of ranks
  ProgramRun run;                         // of `program`
  StepProgram program;
  std::uint64_t operations = 0, classes_run = 0;
  bool folded_by_colour = false;
  const StepBreakdown& breakdown() const { return breakdowns[busiest]; }
};

/// `solver`: "auto", "quotient", "colours" or "program". Throws InfeasibleError past the limits, or where the
/// one asked for does not apply.
StepAnswer solve_step(const TrainingStep& step, const std::string& solver = "auto");

}  // namespace tahoma
