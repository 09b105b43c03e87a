// Direct: every rank sends to every other at once, a channel per peer (channel = displacement).
//
// One latency, all ports busy; on anything but a switch or a full mesh the messages share links, and with
// many ranks each message is small. all_reduce is reduce_scatter, then all_gather on the same lanes: the
// second message of a lane waits for the n - 1 received ones. permute sends each rank's whole buffer to one
// other; gather and reduce send to the root at once, scatter and broadcast from it. A chip's messages go by
// the network's own routes: on a torus this is the mesh algorithm of the Neuron runtime, with forwarding by
// the hardware in dimension order.
#include <algorithm>

#include <fmt/format.h>

#include "collectives/algorithms/building.h"
#include "collectives/algorithms/rows.h"
#include "core/errors.h"

namespace tahoma {
namespace {

// Lane::channel has 16 bits. A single exchange of more is told by Phase::to_every_other alone.
constexpr std::uint32_t most_channels = 1u << 16;

bool is_single_exchange(PhaseGoal goal) {
  return goal == PhaseGoal::all_to_all || goal == PhaseGoal::all_gather || goal == PhaseGoal::reduce_scatter;
}

using Anchor = PieceRange::Anchor;

Phase everyone_to_everyone(const PhaseRequest& request) {
  Phase phase = blank_phase(request, "direct");
  const std::uint32_t n = phase.positions;
  const std::uint64_t piece = shard_bytes(request.elements, n, request.element_bytes);
  const bool scatters = request.goal != PhaseGoal::all_gather;
  const bool gathers = request.goal == PhaseGoal::all_gather || request.goal == PhaseGoal::all_reduce;
  const Op scatter_op = request.goal == PhaseGoal::all_to_all ? Op::copy : Op::reduce;
  phase.piece_bytes = {piece};
  phase.tags = scatters && gathers ? 2 : 1;
  phase.invariance = Invariance::any;
  if (is_single_exchange(request.goal)) phase.to_every_other = piece;
  if (n > most_channels) {
    phase.unlisted = phase.to_every_other != 0 ? n - 1 : 0;
    return phase;
  }

  Role everyone{0, n, 1, {}};
  for (std::uint32_t k = 1; k < n; ++k) {
    Lane lane{static_cast<std::uint16_t>(k), {}};
    if (scatters) lane.sends.push_back(make_send(scatter_op, shifted(k), piece, 0, range_from(Anchor::peer)));
    if (gathers) {
      const auto tag = static_cast<std::uint16_t>(phase.tags - 1);
      Send send = make_send(Op::copy, shifted(k), piece, tag, range_from(Anchor::own));
      if (scatters) send.waits = {{0, n - 1, 0}};
      lane.sends.push_back(std::move(send));
    }
    everyone.lanes.push_back(std::move(lane));
  }
  phase.roles = {std::move(everyone)};
  return phase;
}

Phase root_to_everyone(const PhaseRequest& request) {
  Phase phase = blank_phase(request, "direct");
  const bool scatters = request.goal == PhaseGoal::scatter;
  phase.pieces = scatters ? phase.positions : 1;
  const std::uint64_t bytes = shard_bytes(request.elements, phase.pieces, request.element_bytes);
  phase.piece_bytes = {bytes};
  Role root{request.root, 1, 1, {}};
  for (std::uint32_t k = 1; k < phase.positions; ++k) {
    const std::int64_t to = (request.root + k) % phase.positions;
    root.lanes.push_back({static_cast<std::uint16_t>(k),
                          {make_send(Op::copy, shifted(to - request.root), bytes, 0,
                                     scatters ? range_from(Anchor::peer) : whole_range())}});
  }
  phase.roles = {std::move(root)};
  return phase;
}

Phase everyone_to_root(const PhaseRequest& request) {
  Phase phase = blank_phase(request, "direct");
  const bool gathers = request.goal == PhaseGoal::gather;
  phase.pieces = gathers ? phase.positions : 1;
  phase.piece_bytes = {shard_bytes(request.elements, phase.pieces, request.element_bytes)};
  Peer root;
  root.kind = Peer::Kind::absolute;
  root.value = request.root;
  const Lane lane{0,
                  {make_send(gathers ? Op::copy : Op::reduce, root, phase.piece_bytes[0], 0,
                             gathers ? range_from(Anchor::own) : whole_range())}};
  const std::uint32_t after = request.root + 1;
  if (request.root > 0) phase.roles.push_back({0, request.root, 1, {lane}});
  if (after < phase.positions) phase.roles.push_back({after, phase.positions - after, 1, {lane}});
  return phase;
}

Phase word_to_everyone(const PhaseRequest& request) {
  Phase phase = blank_phase(request, "direct");
  phase.pieces = 1;
  phase.piece_bytes = {request.elements * request.element_bytes};
  phase.invariance = Invariance::any;
  Role everyone{0, phase.positions, 1, {}};
  for (std::uint32_t k = 1; k < phase.positions; ++k)
    everyone.lanes.push_back({static_cast<std::uint16_t>(k),
                              {make_send(Op::copy, shifted(k), phase.piece_bytes[0], 0, whole_range())}});
  phase.roles = {std::move(everyone)};
  return phase;
}

/// The common displacement of a shift pattern, or 0.
std::uint32_t common_shift(const std::vector<std::uint32_t>& table) {
  const auto n = static_cast<std::uint32_t>(table.size());
  for (std::uint32_t p = 0; p < n; ++p)
    if (table[p] != (p + table[0]) % n) return 0;
  return table[0];
}

Phase one_to_one(const PhaseRequest& request) {
  Phase phase = blank_phase(request, "direct");
  const std::uint32_t n = phase.positions;
  const std::uint64_t bytes = request.elements * request.element_bytes;
  phase.pieces = 1;
  phase.piece_bytes = {bytes};
  phase.table = request.table;

  Peer to;
  to.kind = Peer::Kind::table;
  if (const std::uint32_t shift = common_shift(request.table); shift != 0) {
    phase.invariance = Invariance::flat_shift;
    to = shifted(shift);
  }
  const Lane lane{0, {make_send(Op::copy, to, bytes, 0, whole_range())}};
  for (std::uint32_t p = 0; p < n;) {
    std::uint32_t end = p;
    while (end < n && request.table[end] != end) ++end;
    if (end > p) phase.roles.push_back({p, end - p, 1, {lane}});
    p = end + 1;
  }
  return phase;
}

std::string refuse_table(const PhaseRequest& request) {
  const std::uint32_t n = positions_of(request);
  if (request.table.size() != n)
    return fmt::format("permute needs a destination for each of the {} ranks, and the pattern has {}", n,
                       request.table.size());
  std::vector<bool> taken(n, false);
  for (std::uint32_t p = 0; p < n; ++p) {
    const std::uint32_t to = request.table[p];
    if (to >= n)
      return fmt::format("permute sends rank {} to rank {}, and the last rank is {}", p, to, n - 1);
    if (taken[to]) return fmt::format("permute sends two ranks to rank {}; each receives exactly one", to);
    taken[to] = true;
  }
  return {};
}

}  // namespace

std::string refuse_direct(const PhaseRequest& request) {
  if (request.goal == PhaseGoal::permute) return refuse_table(request);
  const std::uint32_t n = positions_of(request);
  const bool to_root = request.goal == PhaseGoal::gather || request.goal == PhaseGoal::reduce;
  if (n > most_channels && !is_single_exchange(request.goal) && !to_root)
    return fmt::format("direct needs a channel per peer, at most {} ranks, and these are {}", most_channels,
                       n);
  return {};
}

std::vector<Phase> make_direct(const PhaseRequest& request) {
  switch (request.goal) {
    case PhaseGoal::broadcast:
    case PhaseGoal::scatter:
      return {root_to_everyone(request)};
    case PhaseGoal::gather:
    case PhaseGoal::reduce:
      return {everyone_to_root(request)};
    case PhaseGoal::barrier:
      return {word_to_everyone(request)};
    case PhaseGoal::permute:
      return {one_to_one(request)};
    default:
      return {everyone_to_everyone(request)};
  }
}

}  // namespace tahoma
