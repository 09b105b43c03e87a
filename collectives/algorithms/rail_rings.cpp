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
#include <optional>

#include <fmt/format.h>

#include "collectives/algorithms/building.h"
#include "collectives/algorithms/rows.h"

namespace tahoma {
namespace {

constexpr std::uint32_t most_rails = 254;                      // a ring is an order of the phase
constexpr std::uint64_t most_places = std::uint64_t{1} << 22;  // of all rings together: two numbers each

/// The ranks as chips of domains. A scattered placement has the domains' axes inside those of the chips.
struct Domains {
  std::vector<std::uint32_t> chips{0}, domains{0};  // flat positions of the first of each
  bool is_list = false;
  bool outermost_are_domains = false;
};

/// Positions of `first` x the coordinates of one axis more.
void spread_along(std::vector<std::uint32_t>& first, std::uint32_t size, std::uint32_t stride) {
  const std::size_t before = first.size();
  for (std::uint32_t coordinate = 1; coordinate < size; ++coordinate) {
    for (std::size_t i = 0; i < before; ++i) first.push_back(first[i] + coordinate * stride);
  }
}

Domains domains_in(const PhaseRequest& request) {
  Domains result;
  std::uint32_t stride = 1;
  for (const std::uint8_t a : request.axes) {
    const Axis& axis = request.all_axes[a];
    if (axis.size < 2) continue;
    const bool inside = axis.level <= Level::ultraserver;
    spread_along(inside ? result.chips : result.domains, axis.size, stride);
    result.is_list |= axis.kind == Axis::Kind::list;
    result.outermost_are_domains = !inside;
    stride *= axis.size;
  }
  return result;
}

/// Where chips and domains are an axis each, turning all chips of all domains by one turns the rings into
/// each other. Said so that this is seen: a lane is a *place* of the rings, not a ring, and a piece is named
/// by the rank that owns it and by its owner's place in its ring (the part).
struct TwoAxes {
  std::uint8_t chips = 0, domains = 0;  // of the phase
};

std::optional<TwoAxes> two_axes(const PhaseRequest& request) {
  std::optional<std::uint8_t> chips, domains;
  for (std::size_t a = 0; a < request.axes.size(); ++a) {
    const Axis& axis = request.all_axes[request.axes[a]];
    if (axis.size < 2) continue;
    std::optional<std::uint8_t>& which = axis.level <= Level::ultraserver ? chips : domains;
    if (which) return {};
    which = static_cast<std::uint8_t>(a);
  }
  if (!chips || !domains) return {};
  return TwoAxes{*chips, *domains};
}

/// One pass of all rings, of the lane for place `place` of `chips`: from the piece of the rank `behind`
/// places back on. The owner's place falls by one with each message, and where it would pass 0 the owner is
/// in the domain before.
void add_pass(std::vector<Send>& sends, const Phase& phase, const TwoAxes& axes, std::uint32_t chips,
              std::uint32_t place, std::uint32_t behind, std::uint32_t received, Send like) {
  const std::uint32_t messages = phase.positions - 1;
  like.peer = shifted(1, axes.chips);
  if (place + 1 == chips) like.peer.also_axis = axes.domains, like.peer.also = 1;
  like.tag = static_cast<std::uint16_t>((place + 1) % chips);
  for (std::uint32_t done = 0; done < messages;) {
    const std::uint32_t back = behind + done;
    const std::uint32_t before = back <= place ? 0 : (back - place + chips - 1) / chips;  // domains
    const std::uint32_t owner = place + before * chips - back;
    Send send = like;
    send.reps = std::min(messages - done, owner + 1);
    send.part = static_cast<std::uint16_t>(owner);
    send.part_per_rep = -1;
    send.waits = {{static_cast<std::uint16_t>(place), received + done, 1}};
    send.piece.assign(phase.axes.size(), range_from(PieceRange::Anchor::own));
    send.piece[axes.chips] = range_from(PieceRange::Anchor::own, -static_cast<std::int32_t>(back), -1);
    send.piece[axes.domains] = range_from(PieceRange::Anchor::own, -static_cast<std::int32_t>(before));
    sends.push_back(std::move(send));
    done += sends.back().reps;
  }
}

Phase turning_rings(const PhaseRequest& request, const TwoAxes& axes) {
  Phase phase = blank_phase(request, "rail_rings");
  phase.invariance = Invariance::axis_shift;
  const std::uint32_t chips = request.all_axes[request.axes[axes.chips]].size;
  phase.parts = phase.tags = chips;
  const std::uint64_t of_ring = ceil_div64(request.elements, chips);
  phase.piece_bytes.assign(chips, shard_bytes(of_ring, phase.positions, request.element_bytes));
  const bool reduces = request.goal != PhaseGoal::all_gather;
  const bool gathers = request.goal != PhaseGoal::reduce_scatter;
  Role everyone{0, phase.positions, 1, {}};
  for (std::uint32_t place = 0; place < chips; ++place) {
    Lane lane{static_cast<std::uint16_t>(place), {}};
    Send like;
    like.bytes = phase.piece_bytes[0];
    like.op = Op::reduce;
    if (reduces) add_pass(lane.sends, phase, axes, chips, place, 1, 0, like);
    like.op = Op::copy;
    if (gathers) add_pass(lane.sends, phase, axes, chips, place, 0, reduces ? phase.positions - 1 : 0, like);
    everyone.lanes.push_back(std::move(lane));
  }
  phase.roles = {std::move(everyone)};
  return phase;
}

}  // namespace

std::string refuse_rail_rings(const PhaseRequest& request) {
  if (!is_reducing_or_gathering(request.goal))
    return goal_refusal("rail_rings", request.goal, "reduce_scatter, all_gather, all_reduce");
  const Domains ranks = domains_in(request);
  if (ranks.is_list) return "rail_rings needs whole scale-up domains, and these ranks are a list";
  const std::size_t chips = ranks.chips.size(), domains = ranks.domains.size();
  if (chips < 2 || domains < 2)
    return fmt::format("rail_rings needs two domains of two chips or more, and these are {} of {}", domains,
                       chips);
  if (chips > most_rails)
    return fmt::format("rail_rings serves up to {} chips of a domain, and these are {}", most_rails, chips);
  if (std::uint64_t{positions_of(request)} * chips > most_places)
    return fmt::format("rail_rings serves up to {} ranks of {} chips a domain, and these are {}",
                       most_places / chips, chips, positions_of(request));
  return {};
}

std::vector<Phase> make_rail_rings(const PhaseRequest& request) {
  if (const auto axes = two_axes(request)) return {turning_rings(request, *axes)};
  Phase phase = blank_phase(request, "rail_rings");
  const Domains ranks = domains_in(request);
  const auto chips = static_cast<std::uint32_t>(ranks.chips.size());
  // A step along the outermost axis goes from domain to domain and keeps all rings; between chips of a domain
  // it would change one ring for another.
  phase.invariance = ranks.outermost_are_domains ? Invariance::flat_shift : Invariance::none;
  Role everyone{0, phase.positions, 1, {}};
  std::uint64_t left = request.elements;
  for (std::uint16_t ring = 0; ring < chips && left > 0; ++ring) {
    const std::uint64_t elements = ceil_div64(left, chips - ring);
    left -= elements;
    std::vector<std::uint32_t> order;
    order.reserve(phase.positions);
    for (const std::uint32_t domain : ranks.domains) {
      for (std::uint32_t place = 0; place < chips; ++place)
        order.push_back(domain + ranks.chips[(ring + place) % chips]);
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
