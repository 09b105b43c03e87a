// Four rings at once on a 2-D torus: two cycles through all chips that share no link, each both ways round.
//
// Every link of a chip carries one ring, every step is one hop: the bandwidth of `torus` with neighbours only
// and one message per link and step, but n - 1 steps in place of the sum of the sides. A quarter of the
// buffer each. The cycles: hamiltonian.h.
#include <algorithm>

#include <fmt/format.h>

#include "collectives/algorithms/building.h"
#include "collectives/algorithms/hamiltonian.h"
#include "collectives/algorithms/rows.h"
#include "core/errors.h"

namespace tahoma {
namespace {

// The search for the cycles tries squares one by one.
constexpr std::uint32_t most_on_cycles = 4096;

}  // namespace

std::string cycles_refusal(std::string_view algorithm, const PhaseRequest& request) {
  if (!is_reducing_or_gathering(request.goal))
    return goal_refusal(algorithm, request.goal, "reduce_scatter, all_gather, all_reduce");
  if (std::string reason = ring_axes_refusal(algorithm, request); !reason.empty()) return reason;
  const auto sides = sides_of(request);
  if (sides.size() != 2 || sides[0] < 3 || sides[1] < 3)
    return fmt::format("{} needs a torus of two dimensions with sides of 3 or more", algorithm);
  if (positions_of(request) > most_on_cycles)
    return fmt::format("{} serves up to {} ranks, and these are {}", algorithm, most_on_cycles,
                       positions_of(request));
  return {};
}

Phase rings_on_cycles(const PhaseRequest& request, std::string_view algorithm) {
  Phase phase = blank_phase(request, algorithm);
  const auto sides = sides_of(request);
  for (auto& cycle : disjoint_hamiltonian_cycles(sides[0], sides[1])) {
    TAHOMA_ASSERT(cycle.size() == phase.positions, "two disjoint cycles were found");
    phase.orders.push_back(order_of(std::move(cycle)));
  }
  Role everyone{0, phase.positions, 1, {}};
  std::uint64_t left = request.elements;
  for (std::uint16_t ring = 0; ring < 4 && left > 0; ++ring) {
    const std::uint64_t elements = ceil_div64(left, 4u - ring);
    left -= elements;
    RingPass pass;
    pass.direction = ring % 2 == 0 ? 1 : -1;
    pass.part = pass.tag = ring;
    pass.piece_bytes = shard_bytes(elements, phase.positions, request.element_bytes);
    phase.piece_bytes.push_back(pass.piece_bytes);
    std::vector<Send> sends = ring_rounds(request.goal, phase.positions, pass);
    for (Send& send : sends) send.peer.order = send.flat.order = static_cast<std::uint8_t>(ring / 2);
    everyone.lanes.push_back({ring, std::move(sends)});
  }
  phase.parts = phase.tags = static_cast<std::uint32_t>(everyone.lanes.size());
  phase.roles = {std::move(everyone)};
  return phase;
}

std::string refuse_disjoint_rings(const PhaseRequest& request) {
  return cycles_refusal("disjoint_rings", request);
}

std::vector<Phase> make_disjoint_rings(const PhaseRequest& request) {
  return {rings_on_cycles(request, "disjoint_rings")};
}

}  // namespace tahoma
