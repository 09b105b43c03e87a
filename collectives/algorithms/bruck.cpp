// Bruck: ceil(log2 n) steps on any number of ranks, one lane, step k with the ranks 2^k away.
//
//   all_gather      step k: the 2^k pieces a rank has, to the rank 2^k before; the last step only what is
//                   missing. n - 1 pieces in all: optimal in bytes
//   reduce_scatter  the same backwards in time: a tree that spreads a piece becomes one that sums it
//   all_reduce      one after the other
//   barrier         step k: a word to the rank 2^k on, who then knows of twice as many
//   all_to_all      step k: every piece whose way has bit k set, 2^k ranks on. Each piece travels once per
//   bit:
//                   about n / 2 x log2 n pieces in place of n - 1, for the latency of log2 n messages
//
// Where halving_doubling needs a power of two, this does not. Source: Bruck et al., "Efficient algorithms for
// all-to-all communications in multiport message-passing systems" (1997).
#include <algorithm>
#include <bit>

#include "collectives/algorithms/building.h"
#include "collectives/algorithms/rows.h"

namespace tahoma {
namespace {

using Anchor = PieceRange::Anchor;

std::uint32_t steps_of_bruck(std::uint32_t n) {
  return static_cast<std::uint32_t>(std::bit_width(n - 1));
}

/// Appends a step; each waits for the one before, a tag per step.
void add_step(std::vector<Send>& sends, Op op, std::int64_t to, std::uint64_t bytes, PieceRange range) {
  const auto tag = static_cast<std::uint16_t>(sends.size());
  Send send = make_send(op, shifted(to), bytes, tag, range);
  if (tag > 0) send.waits = {{static_cast<std::uint16_t>(tag - 1), 1, 0}};
  sends.push_back(std::move(send));
}

std::vector<Send> scatter_and_gather(PhaseGoal goal, std::uint32_t n, std::uint64_t piece) {
  std::vector<Send> sends;
  const auto block = [n](Anchor anchor, std::uint32_t step) {
    PieceRange range = range_from(anchor);
    range.length = std::min(1u << step, n - (1u << step));
    return range;
  };
  const std::uint32_t steps = steps_of_bruck(n);
  for (std::uint32_t step = steps; goal != PhaseGoal::all_gather && step-- > 0;) {
    const PieceRange range = block(Anchor::peer, step);
    add_step(sends, Op::reduce, std::int64_t{1} << step, piece * range.length, range);
  }
  for (std::uint32_t step = 0; goal != PhaseGoal::reduce_scatter && step < steps; ++step) {
    const PieceRange range = block(Anchor::own, step);
    add_step(sends, Op::copy, -(std::int64_t{1} << step), piece * range.length, range);
  }
  return sends;
}

std::vector<Send> relayed_exchange(std::uint32_t n, std::uint64_t piece) {
  std::vector<Send> sends;
  for (std::uint32_t step = 0; step < steps_of_bruck(n); ++step) {
    // Of each 2^(step+1) numbers in a row the upper half has the bit set.
    const std::uint32_t bit = 1u << step, rest = n % (2 * bit);
    const std::uint64_t pieces = std::uint64_t{n / (2 * bit)} * bit + (rest > bit ? rest - bit : 0);
    add_step(sends, Op::copy, bit, piece * pieces, range_from(Anchor::bit, static_cast<std::int32_t>(step)));
  }
  return sends;
}

std::vector<Send> words(std::uint32_t n, std::uint64_t bytes) {
  std::vector<Send> sends;
  for (std::uint32_t step = 0; step < steps_of_bruck(n); ++step)
    add_step(sends, Op::copy, std::int64_t{1} << step, bytes, whole_range());
  return sends;
}

}  // namespace

std::string refuse_bruck(const PhaseRequest& request) {
  const bool other = request.goal == PhaseGoal::all_to_all || request.goal == PhaseGoal::barrier;
  if (is_reducing_or_gathering(request.goal) || other) return {};
  return goal_refusal("bruck", request.goal, "all_gather, reduce_scatter, all_reduce, all_to_all, barrier");
}

std::vector<Phase> make_bruck(const PhaseRequest& request) {
  Phase phase = blank_phase(request, "bruck");
  const std::uint32_t n = phase.positions;
  const bool is_barrier = request.goal == PhaseGoal::barrier;
  if (is_barrier) phase.pieces = 1;
  const std::uint64_t piece = shard_bytes(request.elements, pieces_per_part(phase), request.element_bytes);
  phase.by_displacement = request.goal == PhaseGoal::all_to_all;
  std::vector<Send> sends = is_barrier              ? words(n, piece)
                            : phase.by_displacement ? relayed_exchange(n, piece)
                                                    : scatter_and_gather(request.goal, n, piece);
  phase.tags = static_cast<std::uint32_t>(sends.size());
  phase.piece_bytes = {piece};
  phase.invariance = Invariance::flat_shift;
  phase.roles = {{0, n, 1, {{0, std::move(sends)}}}};
  return {phase};
}

}  // namespace tahoma
