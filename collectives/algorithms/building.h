// The words the algorithms are written in: blank phases, sends, piece ranges, one pass round a ring, and
// positions in stretches. No algorithm knows the network beyond Axis.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "collectives/algorithms.h"

namespace tahoma {

std::uint32_t positions_of(const PhaseRequest& request);
std::uint64_t shard_bytes(std::uint64_t elements, std::uint32_t n, std::uint64_t element_bytes);

/// Goal, axes and positions filled in; no roles yet.
Phase blank_phase(const PhaseRequest& request, std::string_view algorithm);

Peer shifted(std::int64_t by, std::uint8_t axis = flat_axis);
PieceRange whole_range();
PieceRange range_from(PieceRange::Anchor anchor, std::int32_t offset = 0, std::int32_t per_rep = 0);
/// The aligned block of `length` (a power of two) positions that holds the anchor.
PieceRange aligned_block(PieceRange::Anchor anchor, std::uint32_t length);

Send make_send(Op op, Peer peer, std::uint64_t bytes, std::uint16_t tag, PieceRange flat);

/// One way round the flat ring of the phase. A rank passes pieces on in the order in which they reach it.
struct RingPass {
  std::int32_t direction = 1;
  std::uint16_t part = 0;
  std::uint16_t tag = 0;
  std::uint64_t piece_bytes = 0;
};
/// n - 1 messages; the last one received completes the rank's own piece.
Send reduce_round(std::uint32_t n, const RingPass& pass);
/// n - 1 messages, the first is the own piece; `received` messages of the same tag come before.
Send gather_round(std::uint32_t n, const RingPass& pass, std::uint32_t received);
/// The rounds that the goal needs (reduce, gather, or both), in order.
std::vector<Send> ring_rounds(PhaseGoal goal, std::uint32_t n, const RingPass& pass);

/// Chunks c (a power of two) that minimise (hops + c) x (latency + passes x bytes / c / rate) on the slowest
/// axis: of a buffer that goes from rank to rank, `passes` times over each rank's link.
std::uint32_t best_chunks(const PhaseRequest& request, std::uint32_t hops, std::uint32_t passes);

/// The sizes of the axes of two or more, innermost first.
std::vector<std::uint32_t> sides_of(const PhaseRequest& request);

bool is_reducing_or_gathering(PhaseGoal goal);  // reduce_scatter, all_gather, all_reduce

/// Rings both ways round two disjoint cycles of a 2-D torus, and why that cannot be (disjoint_rings.cpp).
Phase rings_on_cycles(const PhaseRequest& request, std::string_view algorithm);
std::string cycles_refusal(std::string_view algorithm, const PhaseRequest& request);

/// Cuts first, first + stride, ... (below `end`) where any of `bounds` falls, so that a program which
/// depends only on being below or above the bounds is the same within each stretch.
struct Stretch {
  std::uint32_t first = 0, count = 0;
};
std::vector<Stretch> stretches(std::uint32_t first, std::uint32_t stride, std::uint32_t end,
                               std::vector<std::uint32_t> bounds);

/// "ring does not do all_to_all (it does reduce_scatter, ...)".
std::string goal_refusal(std::string_view algorithm, PhaseGoal goal, std::string_view does);
/// Empty if all axes (of two or more) are rings; "torus needs rings, and axis 2 is a switch".
std::string ring_axes_refusal(std::string_view algorithm, const PhaseRequest& request);

}  // namespace tahoma
