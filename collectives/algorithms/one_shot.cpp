// One-shot: every rank sends its whole buffer to every other at once and adds up what comes.
//
// n - 1 times the bytes of an exchange of shards, but one latency instead of two: how libraries reduce a few
// KB inside a server (MSCCL++, custom all-reduce kernels). A rank keeps its own buffer apart from what it
// receives, so all messages carry what their sender began with.
#include <fmt/format.h>

#include "collectives/algorithms/building.h"
#include "collectives/algorithms/rows.h"

namespace tahoma {
namespace {

constexpr std::uint32_t most_one_shot = 1u << 10;  // a channel per peer, each with the whole buffer

}  // namespace

std::string refuse_one_shot(const PhaseRequest& request) {
  if (request.goal != PhaseGoal::all_reduce) return goal_refusal("one_shot", request.goal, "all_reduce");
  if (positions_of(request) > most_one_shot)
    return fmt::format("one_shot serves up to {} ranks, and these are {}", most_one_shot,
                       positions_of(request));
  return {};
}

std::vector<Phase> make_one_shot(const PhaseRequest& request) {
  Phase phase = blank_phase(request, "one_shot");
  phase.pieces = 1;
  phase.piece_bytes = {request.elements * request.element_bytes};
  phase.invariance = Invariance::any;
  phase.to_every_other = phase.piece_bytes[0];
  phase.sends_own = true;
  Role everyone{0, phase.positions, 1, {}};
  for (std::uint32_t k = 1; k < phase.positions; ++k) {
    Lane lane{static_cast<std::uint16_t>(k), {}};
    lane.sends.push_back(make_send(Op::reduce, shifted(k), phase.piece_bytes[0], 0, whole_range()));
    everyone.lanes.push_back(std::move(lane));
  }
  phase.roles = {std::move(everyone)};
  return {phase};
}

}  // namespace tahoma
