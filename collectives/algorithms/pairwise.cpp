// Pairwise: what `direct` sends at once, one lane sends one after another: step k goes to rank + k, so that
// at any time (nearly) each rank sends to one other and receives from one other. For all_to_all on fabrics
// where n - 1 messages at once would only queue up.
#include "collectives/algorithms/building.h"
#include "collectives/algorithms/rows.h"

namespace tahoma {

using Anchor = PieceRange::Anchor;

std::string refuse_pairwise(const PhaseRequest& request) {
  if (is_reducing_or_gathering(request.goal) || request.goal == PhaseGoal::all_to_all) return {};
  return goal_refusal("pairwise", request.goal, "all_to_all, reduce_scatter, all_gather, all_reduce");
}

std::vector<Phase> make_pairwise(const PhaseRequest& request) {
  Phase phase = blank_phase(request, "pairwise");
  const std::uint32_t n = phase.positions;
  const std::uint64_t piece = shard_bytes(request.elements, n, request.element_bytes);
  const bool scatters = request.goal != PhaseGoal::all_gather;
  const bool gathers = request.goal == PhaseGoal::all_gather || request.goal == PhaseGoal::all_reduce;
  const Op scatter_op = request.goal == PhaseGoal::all_to_all ? Op::copy : Op::reduce;
  phase.piece_bytes = {piece};
  phase.tags = scatters && gathers ? 2 : 1;
  phase.invariance = Invariance::flat_shift;

  Lane lane;
  for (std::uint32_t k = 1; scatters && k < n; ++k)
    lane.sends.push_back(make_send(scatter_op, shifted(k), piece, 0, range_from(Anchor::peer)));
  for (std::uint32_t k = 1; gathers && k < n; ++k) {
    const auto tag = static_cast<std::uint16_t>(phase.tags - 1);
    lane.sends.push_back(make_send(Op::copy, shifted(k), piece, tag, range_from(Anchor::own)));
    if (scatters) lane.sends.back().waits = {{0, n - 1, 0}};
  }
  phase.roles = {{0, n, 1, {std::move(lane)}}};
  return {phase};
}

}  // namespace tahoma
