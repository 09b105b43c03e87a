// One of our own schedules, operation by operation, as a part of a larger program.
//
// A schedule's rules for waits count messages, whoever sent them; here a wait on the messages of one lane
// names the last of them, and any other wait is an operation that is done when so many of those it needs are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collectives/program/program_network.h"
#include "collectives/program/rank_program.h"
#include "collectives/solve/instance.h"

namespace tahoma {

/// Where the messages of a schedule find their paths: path p of its instance is path first_path + p.
struct AdoptedPaths {
  std::vector<ProgramNetwork::Way>& of_op;
  std::uint32_t first_path;
};

/// Adds the first program of `instance`; its node i is rank `ranks[i]`. The rank begins when `entry[i]` is
/// done. The result: by node, the operation that is done when the rank is. A folded instance has nodes that
/// stand for many, which only its own paths can tell: they are noted in `paths`.
std::vector<std::uint32_t> add_schedule(RankProgram& program, const Instance& instance,
                                        std::span<const std::uint32_t> ranks,
                                        std::span<const std::uint32_t> entry,
                                        const RankProgram::Origin& origin,
                                        const AdoptedPaths* paths = nullptr);

}  // namespace tahoma
