// Rings by run-length (max,+) streams: cost by what is special, not by ranks x steps.
//
// Problem: a ring all-reduce over n ranks is 2 (n - 1) messages per rank; for a million ranks 2e12.
// Idea: if no links are shared, rank r's k-th send starts at
//     s_r(k) = max( s_(r-1)(k-1) + D_(r-1),  s_r(k-1) + F_r ),   s_r(0) = ready_r
// with F = overhead + bytes / rate and D = F + latency. All starts of a rank are kept as runs (count, first,
// spacing) under one offset. A rank whose input is spaced at least F apart only shifts it: O(1). A segment of
// m equal ranks shifts it m times: O(1) as well (reference: delay lines in (max,+) algebra; proof in
// docs/decisions/0006-solvers.md).
//
//   rank 0 knows 1 entry of its stream -> one lap round the ring gives n more -> a few laps give all.
//
// Exact in integer picoseconds, with the engine's rounding: F is the same ceil(bytes / rate).
// Limit: the caller proves that no link is shared; reductions that queue are not covered.
#pragma once

#include <cstdint>
#include <span>

#include "core/units.h"

namespace tahoma {

/// What is the same for a rank and its successor's link.
struct RingRank {
  Duration hold;   // F: how long a send occupies the lane
  Duration reach;  // D: start of a send to its arrival at the next rank; >= hold
  bool operator==(const RingRank&) const = default;
};

struct RingCost {
  std::uint64_t operations = 0, runs = 0;
};

/// Finish of every rank after `sends` sends each: max(last receive, last own drain). `sends` >= 1. Rank r is
/// kinds[kind_of[r]] and may start its first send at ready[r].
void solve_ring(std::span<const RingRank> kinds, std::span<const std::uint32_t> kind_of,
                std::span<const Time> ready, std::uint64_t sends, std::span<Time> finish,
                RingCost* cost = nullptr);

}  // namespace tahoma
