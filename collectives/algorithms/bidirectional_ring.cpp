// Bidirectional ring: two rings at once, half of the elements each way, a lane per way.
//
//   0 -> 1 -> 2 -> ... -> n-1 -> 0      the first half, rounded up
//   0 <- 1 <- 2 <- ... <- n-1 <- 0      the rest
//
// Twice the bandwidth of `ring` where neighbours are joined by a link each way, the same latency.
#include "collectives/algorithms/building.h"
#include "collectives/algorithms/rows.h"

namespace tahoma {

std::string refuse_bidirectional_ring(const PhaseRequest& request) {
  if (is_reducing_or_gathering(request.goal)) return {};
  return goal_refusal("bidirectional_ring", request.goal, "reduce_scatter, all_gather, all_reduce");
}

std::vector<Phase> make_bidirectional_ring(const PhaseRequest& request) {
  Phase phase = blank_phase(request, "bidirectional_ring");
  const std::uint32_t n = phase.positions;
  const std::uint64_t forward = ceil_div64(request.elements, 2);
  const std::uint64_t halves[] = {forward, request.elements - forward};
  phase.invariance = Invariance::flat_shift;
  phase.parts = phase.tags = halves[1] == 0 ? 1 : 2;

  Role everyone{0, n, 1, {}};
  for (std::uint32_t half = 0; half < phase.parts; ++half) {
    const auto way = static_cast<std::uint16_t>(half);
    RingPass pass;
    pass.direction = way == 0 ? 1 : -1;
    pass.part = pass.tag = way;
    pass.piece_bytes = shard_bytes(halves[way], n, request.element_bytes);
    phase.piece_bytes.push_back(pass.piece_bytes);
    everyone.lanes.push_back({way, ring_rounds(request.goal, n, pass)});
  }
  phase.roles = {std::move(everyone)};
  return {phase};
}

}  // namespace tahoma
