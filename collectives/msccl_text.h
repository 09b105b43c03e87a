// A schedule as MSCCL XML, which MSCCL's and RCCL's executors run.
//
// Problem: their format knows no phases, roles or rules: it lists, for each rank, thread blocks with one peer
// each and their steps in order, each step on a range of chunks. Idea: play the schedule in an order in which
// it can be sent (replay/order.h). Each message is a step of the sender's block for that peer and one of the
// receiver's block; what it reads or overwrites says which earlier steps it must wait for. A step waits for
// one other at most, so further ones become empty steps before it.
//
// Limit: pieces must be whole chunks, one per rank: schedules whose parts cut the buffer in other ways
// (torus, trees, counts that fold) and exchanges that pass on what is not for them are refused by name.
#pragma once

#include <string>

#include "collectives/schedule.h"

namespace tahoma {

/// Throws InfeasibleError naming what the format cannot say.
std::string msccl_text(const Schedule& schedule);

}  // namespace tahoma
