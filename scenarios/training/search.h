// The best split of a training step: every legal candidate, its memory, its time.
//
// Problem: eight degrees make thousands of splits; most are illegal, most of the rest do not fit, and of
// those that fit the best is often twice as fast as the median.
//
// Idea: enumerate what is open, refuse by arithmetic first, by memory second, and time only what is left, in
// closed form. Candidates are independent, so threads share them; their order decides ties, so the answer
// does not depend on the threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/training/axis_network.h"
#include "scenarios/training/chip_math.h"
#include "scenarios/training/stage_memory.h"
#include "scenarios/training/step_estimate.h"
#include "scenarios/training/training_work.h"

namespace tahoma {

struct Candidate {
  Parallel parallel;
  StageMemory memory;  // of the stage that holds most
  bool fits = false;
  StepBreakdown time;  // of those that fit
};

struct SearchResult {
  std::vector<Candidate> fitting;     // best first
  std::optional<Candidate> smallest;  // of those that do not fit, the one that misses least
  std::uint64_t tried = 0, legal = 0;
  std::optional<ParallelFault> fault;  // the first, where nothing was legal
};

/// Throughput decides: sequences per second and rank, for splits may leave ranks idle.
SearchResult search(const TrainingWork& work, const ChipMath& chip, const TrainingNetwork& network,
                    unsigned threads = 0);

/// "tp 8 x pp 12 x dp 4, micro-batch 4, 1f1b, zero 1, recompute full"
std::string split_text(const Parallel& parallel);

}  // namespace tahoma
