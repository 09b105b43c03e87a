// Runs a program on the network: an event-driven executor of single operations.
//
// Rules (docs/model.md): an operation begins when what it needs is done. A send holds its rank's overhead
// first, then is a flow on the topology's route; it is done when the last byte has left, and its message
// arrives the path's latency later. Messages wait for their receives, not the other way round: no send waits
// for a receive. What is added is served by the receiving rank one after another, where a rate is given. A
// server does computations one at a time, the first that became ready first, the lowest number among equals.
//
// All that happens at one instant is one batch; rates are solved once, at its end. Servers and reducers
// choose only when nothing else can happen in it, so the outcome does not depend on the order within a batch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collectives/program/program_network.h"
#include "collectives/program/rank_program.h"
#include "collectives/solve/solve.h"

namespace tahoma {

struct ProgramRun {
  std::vector<Time> rank_finish;
  std::vector<Time> begun, done;  // by operation; of a receive begun: when its needs were done
  std::vector<LinkUse> links;
  std::uint64_t messages = 0, events = 0, solves = 0;
};

/// Rank r of the program is on `chips[r]`; partners are matched and order_of(program) exists. `axes`: of the
/// ranks, for the order of simultaneous arrivals at a reducer; their sizes divide the ranks. Of `problem`
/// programs and flows are not looked at.
ProgramRun run_program(const RankProgram& program, const Problem& problem, std::span<const ChipId> chips,
                       std::span<const Axis> axes = {});
/// The same over paths that are known already, or stand for many.
ProgramRun run_program(const RankProgram& program, const Problem& problem, std::span<const ChipId> chips,
                       std::span<const Axis> axes, const ProgramNetwork& network);

}  // namespace tahoma
