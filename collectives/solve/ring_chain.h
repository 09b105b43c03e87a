// Why a rank of a ring finished when it did, without simulating the ring again.
//
// Idea: a start is max(arrival from the rank before, own send before), so a finish is the longest of all ways
// of `sends` steps from some rank's readiness to it, where a step is either a hop to the next rank (reach) or
// another send of the same rank (hold). Of the ways that come d hops far, the longest queues its other
// sends - d steps at whichever of the d + 1 ranks holds its lane longest. So one walk back round the ring
// sees them all:
//
//     finish(r) = max over d <= sends of  ready(r - d) + sum of d reaches + (sends - d) x greatest hold
//
// It is an independent formula of what stream.h computes, and must agree with it to the picosecond.
#pragma once

#include <cstdint>
#include <span>

#include "collectives/solve/stream.h"

namespace tahoma {

struct RingCause {
  std::uint32_t origin = 0;       // the rank whose readiness counts
  std::uint32_t queue = 0;        // the rank where messages queue
  std::uint64_t hops_before = 0;  // from origin to queue
  std::uint64_t queued = 0;       // sends of `queue`, one after another
  std::uint64_t hops_after = 0;   // from queue to the rank asked about
  Time queue_begin, queue_end;
  Time finish;
};

RingCause cause_in_ring(std::span<const RingRank> kinds, std::span<const std::uint32_t> kind_of,
                        std::span<const Time> ready, std::uint64_t sends, std::uint32_t rank);

}  // namespace tahoma
