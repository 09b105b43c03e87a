// A ring per NIC: g rings over d domains of g chips, all at once, a g-th of the buffer each.
//
//   ring 0    us0: 0 1 2 3 -> us1: 0 1 2 3 -> us0 ...      Ring c goes through the chips of every domain from
//   ring 1    us0: 1 2 3 0 -> us1: 1 2 3 0 -> us0 ...      chip c on, and on to chip c of the next domain: it
//   ring 2    us0: 2 3 0 1 -> ...                          leaves by the NIC of chip c - 1 and enters by that
//                                                          of chip c.
//
// So each NIC is left by one ring and entered by one, where a single ring uses one NIC of a domain in g; the
// links inside a domain carry all rings but one. That is how NCCL's channels go over several nodes. Time of
// an all_reduce of S over n = g x d ranks: about 2 (n - 1) / n x S / (g NICs), and 2 (n - 1) steps. Limit: an
// exit crosses from one rail to the next; on a rail-only fabric it is relayed inside the domain.
#include <algorithm>

#include <fmt/format.h>

#include "collectives/algorithms/building.h"
#include "collectives/algorithms/rows.h"

namespace tahoma {
namespace {

constexpr std::uint32_t most_rails = 254;                      // a ring is an order of the phase
constexpr std::uint64_t most_places = std::uint64_t{1} << 22;  // of all rings together: two numbers each

struct Domains {
  std::uint32_t chips = 1;  // of the group in a domain
  std::uint32_t count = 1;
  bool is_list = false;
};

Domains domains_in(const PhaseRequest& request) {
  Domains domains;
  for (const std::uint8_t a : request.axes) {
    const Axis& axis = request.all_axes[a];
    (axis.level <= Level::ultraserver ? domains.chips : domains.count) *= axis.size;
    domains.is_list |= axis.kind == Axis::Kind::list && axis.size > 1;
  }
  return domains;
}

}  // namespace

std::string refuse_rail_rings(const PhaseRequest& request) {
  if (!is_reducing_or_gathering(request.goal))
    return goal_refusal("rail_rings", request.goal, "reduce_scatter, all_gather, all_reduce");
  const Domains domains = domains_in(request);
  if (domains.is_list) return "rail_rings needs whole scale-up domains, and these ranks are a list";
  if (domains.chips < 2 || domains.count < 2)
    return fmt::format("rail_rings needs two domains of two chips or more, and these are {} of {}",
                       domains.count, domains.chips);
  if (domains.chips > most_rails)
    return fmt::format("rail_rings serves up to {} chips of a domain, and these are {}", most_rails,
                       domains.chips);
  const std::uint64_t places = std::uint64_t{positions_of(request)} * domains.chips;
  if (places > most_places)
    return fmt::format("rail_rings serves up to {} ranks of {} chips a domain, and these are {}",
                       most_places / domains.chips, domains.chips, positions_of(request));
  return {};
}

std::vector<Phase> make_rail_rings(const PhaseRequest& request) {
  Phase phase = blank_phase(request, "rail_rings");
  const Domains domains = domains_in(request);
  // A shift of the outermost axis is a shift of the flat position by whole domains, which keeps all rings.
  phase.invariance = Invariance::flat_shift;
  Role everyone{0, phase.positions, 1, {}};
  std::uint64_t left = request.elements;
  for (std::uint16_t ring = 0; ring < domains.chips && left > 0; ++ring) {
    const std::uint64_t elements = ceil_div64(left, domains.chips - ring);
    left -= elements;
    std::vector<std::uint32_t> order;
    order.reserve(phase.positions);
    for (std::uint32_t domain = 0; domain < domains.count; ++domain) {
      for (std::uint32_t place = 0; place < domains.chips; ++place)
        order.push_back(domain * domains.chips + (ring + place) % domains.chips);
    }
    phase.orders.push_back(order_of(std::move(order)));
    RingPass pass;
    pass.part = pass.tag = ring;
    pass.piece_bytes = shard_bytes(elements, phase.positions, request.element_bytes);
    phase.piece_bytes.push_back(pass.piece_bytes);
    std::vector<Send> sends = ring_rounds(request.goal, phase.positions, pass);
    for (Send& send : sends) send.peer.order = send.flat.order = static_cast<std::uint8_t>(ring);
    everyone.lanes.push_back({ring, std::move(sends)});
  }
  phase.parts = phase.tags = static_cast<std::uint32_t>(everyone.lanes.size());
  phase.roles = {std::move(everyone)};
  return {phase};
}

}  // namespace tahoma
