// Collectives that meet nothing else, in one piece.
//
// Problem: nearly all messages of a step are those of tensor parallelism, the same few collectives thousands
// of times. Idea: where all members of a group enter together and nothing else is on their links meanwhile, a
// collective takes as long as it does alone. So it is run alone once, and stands in the step as one operation
// of that length.
//
// Guess and verify: a step is run with all of them in one piece. Then the times are looked at, link by link:
// a piece that overlaps with any message or other piece on a link means that the passes in which it lies are
// listed message by message, and the step is run again. If nothing overlaps, every rule of the model is
// obeyed, and by uniqueness of the trajectory (decision 0006) this is the answer.
//
// Members enter together where a fold by digits has made them one class; nothing else is asked for.
#pragma once

#include <optional>
#include <set>

#include "collectives/program/run_program.h"
#include "scenarios/training/step_program.h"

namespace tahoma {

/// What is to be listed message by message: (stage, pass).
struct StepBlocks {
  std::set<std::pair<std::uint32_t, std::uint32_t>> listed;
};

/// Nothing if members of different classes talk to each other or share links. `paths` holds those of
/// `instance` from `first_path` on.
std::optional<StepProgram::BlockKind> block_kind_of(const Instance& instance, const Problem& problem,
                                                    const Instance& paths, std::uint32_t first_path,
                                                    Duration launch);

/// The passes with a piece that something else meets on a link.
StepBlocks blocks_that_meet(const StepProgram& step, const ProgramRun& run);

/// Adds what the pieces carried to the links of `run`.
void add_carried(const StepProgram& step, ProgramRun& run);

}  // namespace tahoma
