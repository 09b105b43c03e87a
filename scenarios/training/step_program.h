// A training step as one program: every rank's passes, and all that they send.
//
// Problem: closed forms add up communication that in truth overlaps, waits and shares links. Idea: the step
// is listed operation by operation (collectives/program), each collective by one of our own schedules, and
// run on the real network; what is exposed, and what hides, is then a result.
//
// What a rank does:
//   passes      one after another as the schedule says (pipeline_order.h); each begins when its input has
//   come.
//               Of a pair that overlaps both begin, and the chip computes for whichever is ready first
//   talk        a collective lies between two stretches of computing (step_passes.h); every rank enters it
//               when it is ready, there is no barrier
//   sends       of activations and their gradients: one at a time per direction, under the computing
//   gradients   reduced along dp after the last backward pass of their chunk, in up to `most_buckets` buckets
//   as
//               the pass goes on; one after another, under what is still computed. With zero 2 and 3 after
//               every micro-batch, for what is summed up is then nowhere whole
//   parameters  with zero 1 and 2 gathered at the begin of the step, chunk by chunk, under the first passes
//               (`overlap_dp`), or at its end; with zero 3 before every pass, one pass ahead
//   optimiser   when all gradients of the rank are there; then the host
//
// One builder makes the operations of the ranks it is given: all of them, or one per class of a fold by
// digits (decision 0004), over paths that carry the weights.
//
// Limit: dualpipe's second copy of the weights is not kept in step with the first. No barrier for the norm of
// the gradient.
#pragma once

#include <cstdint>
#include <vector>

#include "collectives/program/program_network.h"
#include "collectives/solve/instance.h"
#include "scenarios/training/pipeline_order.h"
#include "scenarios/training/step_schedules.h"

namespace tahoma {

inline constexpr std::uint32_t most_buckets = 4;
inline constexpr std::uint64_t most_step_ops = 6'000'000;  // about 1 GiB

/// What a stretch of a rank's time is spent on.
enum class StepShare : std::uint8_t { compute, recompute, optimiser, host, tp, cp, ep, dp };
inline constexpr std::size_t step_shares = 8;

struct TrainingStep {
  const Parallel* parallel = nullptr;
  const TrainingCost* cost = nullptr;
  const PipelineOrder* order = nullptr;
  const StepPlacement* placement = nullptr;
  StepSchedules* schedules = nullptr;
  const Problem* problem = nullptr;  // its network, the chips' figures and stragglers
  Duration launch = {};              // of a collective, by its software
};

struct StepProgram {
  RankProgram program;
  ProgramNetwork network;
  std::vector<ChipId> chips;  // by rank of the program: itself, or the representative of its class
  std::uint64_t orbit = 1;    // ranks per rank of the program
  /// What a rank spends in talk: from when one operation is done until another one is.
  struct Talk {
    StepShare share;
    std::uint32_t rank, from, until;
  };
  std::vector<Talk> talks;
  struct Work {
    StepShare share;
    std::uint32_t op;
  };
  std::vector<Work> works;                   // that compute, in the order in which they were listed
  std::vector<std::uint32_t> pipe_receives;  // of activations and their gradients

  /// A collective in one piece (step_blocks.h): operation `op` lasts as long as it does alone.
  struct Block {
    std::uint32_t op, kind, member, stage, pass;
  };
  struct BlockKind {
    Duration launch;                                // before its first message
    std::vector<Duration> lasts;                    // by member, launch included
    std::vector<std::vector<std::uint32_t>> links;  // by member: binding links that its messages cross
    std::vector<std::pair<std::uint32_t, std::uint64_t>> carried;  // by all members: link, bytes
  };
  std::vector<Block> blocks;
  std::vector<BlockKind> block_kinds;
};
struct StepBlocks;

/// Digits that may be collapsed: those that network and all collectives of the step share, and that do not
/// tell stages apart; 0 if none. Asks `step.schedules` for all of them.
DigitMask foldable_digits(const TrainingStep& step);

/// Messages of the step on the ranks that are told apart, about; without listing them.
std::uint64_t messages_of(const TrainingStep& step, DigitMask folded);

/// `blocks`: collectives may be one operation each, but for those of its passes. Throws InfeasibleError past
/// most_step_ops.
StepProgram step_program(const TrainingStep& step, DigitMask folded, const StepBlocks* blocks = nullptr);

/// The problem that the program is to be run with: stragglers are operations of it.
Problem without_delays(const Problem& problem);

}  // namespace tahoma
