// One of our own schedules, operation by operation, as a part of a larger program.
//
// A schedule's rules for waits count messages, whoever sent them; here a wait on the messages of one lane
// names the last of them, and any other wait is an operation that is done when so many of those it needs are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collectives/program/rank_program.h"
#include "collectives/solve/instance.h"

namespace tahoma {

/// Adds the first program of an unfolded `instance`; its node i is rank `ranks[i]`. The rank begins when
/// `entry[i]` is done. The result: by node, the operation that is done when the rank is.
std::vector<std::uint32_t> add_schedule(RankProgram& program, const Instance& instance,
                                        std::span<const std::uint32_t> ranks,
                                        std::span<const std::uint32_t> entry,
                                        const RankProgram::Origin& origin);

}  // namespace tahoma
