// Torus, one dimension order, phase after phase: a one-way ring along each axis, innermost first.
//
//   reduce_scatter x, y, z; all_gather z, y, x      (all_reduce does both halves)
//
// Each phase uses one of a chip's 2 D links, which is why it reaches only 17-19 % of the bound on a 3-D
// torus; it is the plain hierarchical schedule to compare `torus` with.
#include <fmt/format.h>

#include "collectives/algorithms/building.h"
#include "collectives/algorithms/rows.h"

namespace tahoma {
namespace {

/// The ring phase along one axis; `elements` is the larger of the buffers before and after.
Phase along_axis(const PhaseRequest& request, std::uint8_t axis, PhaseGoal goal, std::uint64_t elements) {
  PhaseRequest one = request;
  one.goal = goal;
  one.axes = {axis};
  one.elements = elements;
  Phase phase = blank_phase(one, "torus_sequential");
  phase.name += fmt::format(", axis {}", axis);
  RingPass pass;
  pass.piece_bytes = shard_bytes(elements, phase.positions, request.element_bytes);
  phase.piece_bytes = {pass.piece_bytes};
  phase.invariance = Invariance::axis_shift;
  phase.roles = {{0, phase.positions, 1, {{0, ring_rounds(goal, phase.positions, pass)}}}};
  return phase;
}

}  // namespace

std::string refuse_torus_sequential(const PhaseRequest& request) {
  if (!is_reducing_or_gathering(request.goal))
    return goal_refusal("torus_sequential", request.goal, "reduce_scatter, all_gather, all_reduce");
  return ring_axes_refusal("torus_sequential", request);
}

std::vector<Phase> make_torus_sequential(const PhaseRequest& request) {
  std::vector<Phase> scatter, gather;  // gather is built back to front
  std::uint64_t elements = request.elements;
  for (const std::uint8_t axis : request.axes) {
    const std::uint32_t size = request.all_axes[axis].size;
    if (size < 2) continue;
    scatter.push_back(along_axis(request, axis, PhaseGoal::reduce_scatter, elements));
    gather.push_back(along_axis(request, axis, PhaseGoal::all_gather, elements));
    elements = shard_elements(elements, size);
  }
  std::vector<Phase> phases;
  if (request.goal != PhaseGoal::all_gather) phases = std::move(scatter);
  if (request.goal != PhaseGoal::reduce_scatter) phases.insert(phases.end(), gather.rbegin(), gather.rend());
  return phases;
}

}  // namespace tahoma
