// Which paths a program's messages take, as the flow network wants them.
//
// Of a listed program every send has the topology's route between its two chips. Of a folded one a send
// stands for many alike and its path carries their weight (fold_program.h, or a fold by digits: decision
// 0004); the executor cannot tell the difference.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collectives/program/rank_program.h"
#include "collectives/solve/instance.h"

namespace tahoma {

struct ProgramNetwork {
  struct Way {
    std::uint32_t path = RankProgram::none, ways = 0;  // the first of `ways` paths
  };
  Instance instance;       // its links and paths; nothing else of it is used
  std::vector<Way> of_op;  // by operation; of sends only
};

/// Rank r of the program is on `chips[r]`. Throws InfeasibleError naming a pair without a way.
ProgramNetwork network_of(const RankProgram& program, const Problem& problem, std::span<const ChipId> chips);

}  // namespace tahoma
