// Rings on all direct links of an explicit graph at once: what NCCL's search does in a server without
// switches. The buffer is cut evenly, a part per ring; the rings are those of cycle_packing.h, both ways
// round.
#include <fmt/format.h>

#include "collectives/algorithms/building.h"
#include "collectives/algorithms/cycle_packing.h"
#include "collectives/algorithms/rows.h"

namespace tahoma {
namespace {

// What Axis::direct_links is filled in for, and the search finishes on.
const Axis* axis_of_graph(const PhaseRequest& request) {
  const Axis* graph = nullptr;
  for (const std::uint8_t axis : request.axes) {
    if (request.all_axes[axis].size < 2) continue;
    if (graph != nullptr) return nullptr;
    graph = &request.all_axes[axis];
  }
  return graph == nullptr || graph->direct_links.empty() ? nullptr : graph;
}

}  // namespace

std::string refuse_graph_rings(const PhaseRequest& request) {
  if (!is_reducing_or_gathering(request.goal))
    return goal_refusal("graph_rings", request.goal, "reduce_scatter, all_gather, all_reduce");
  const Axis* axis = axis_of_graph(request);
  if (axis == nullptr)
    return fmt::format("graph_rings needs up to {} ranks on the direct links of one explicit graph",
                       most_on_direct_links);
  if (pack_cycles(axis->direct_links, axis->size).empty())
    return fmt::format("graph_rings needs a ring of direct links through all ranks, and these {} have none",
                       axis->size);
  return {};
}

std::vector<Phase> make_graph_rings(const PhaseRequest& request) {
  const Axis& axis = *axis_of_graph(request);
  Phase phase = blank_phase(request, "graph_rings");
  const auto cycles = pack_cycles(axis.direct_links, axis.size);
  const auto ways = axis.size == 2 ? 1u : 2u;
  const auto rings = static_cast<std::uint32_t>(cycles.size()) * ways;
  for (const auto& cycle : cycles) phase.orders.push_back(order_of(cycle));
  Role everyone{0, phase.positions, 1, {}};
  std::uint64_t left = request.elements;
  for (std::uint32_t ring = 0; ring < rings && left > 0; ++ring) {
    const std::uint64_t elements = ceil_div64(left, rings - ring);
    left -= elements;
    RingPass pass;
    pass.direction = ring % ways == 0 ? 1 : -1;
    pass.part = pass.tag = static_cast<std::uint16_t>(ring);
    pass.piece_bytes = shard_bytes(elements, phase.positions, request.element_bytes);
    phase.piece_bytes.push_back(pass.piece_bytes);
    std::vector<Send> sends = ring_rounds(request.goal, phase.positions, pass);
    for (Send& send : sends) send.peer.order = send.flat.order = static_cast<std::uint8_t>(ring / ways);
    everyone.lanes.push_back({pass.part, std::move(sends)});
  }
  phase.parts = phase.tags = static_cast<std::uint32_t>(everyone.lanes.size());
  phase.roles = {std::move(everyone)};
  return {std::move(phase)};
}

}  // namespace tahoma
