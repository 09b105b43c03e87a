// Halving and doubling: exchange with the rank whose number differs in one bit.
//
//   reduce_scatter  distance 2^(k-1) first, half of what is left each time     0 1 2 3 4 5 6 7
//   all_gather      distance 1 first, twice as much each time                  |_______|  4, then 2, then 1
//
// Optimal in bytes, logarithmic in latency. all_reduce with n = 2^k + r ranks, 0 < r < 2^k: rank 2i + 1 folds
// into 2i for i < r, the 2^k left do it among themselves on shards of 1 / 2^k, and 2i unfolds the result to
// 2i + 1. Broadcast and scatter are the binomial tree from the root, farthest first, in ceil(log2 n) rounds;
// reduce and gather the same tree to the root. A barrier is the exchange with words in place of pieces.
#include <algorithm>
#include <bit>
#include <limits>

#include <fmt/format.h>

#include "collectives/algorithms/building.h"
#include "collectives/algorithms/rows.h"

namespace tahoma {
namespace {

// Off a power of two each of the 2^k ranks has a role of its own, 2 k + 2 sends each.
constexpr std::uint32_t most_unfolded_ranks = 1u << 16;

using Anchor = PieceRange::Anchor;

/// The exchanges of one of 2^k ranks. Tags: `first_tag` + distance's place, a tag per step since a fast
/// peer's next message may overtake a slow one's. `peer_at(distance)` and `block(anchor, distance)` say who
/// and what.
template <class PeerAt, class Block>
std::vector<Send> exchanges(PhaseGoal goal, std::uint32_t k, std::uint64_t piece_bytes,
                            std::uint16_t first_tag, PeerAt peer_at, Block block) {
  std::vector<Send> sends;
  std::uint16_t tag = first_tag;
  const auto add = [&](Op op, Anchor anchor, std::uint32_t distance) {
    Send send = make_send(op, peer_at(distance), piece_bytes * distance, tag, block(anchor, distance));
    if (tag > 0) send.waits = {{static_cast<std::uint16_t>(tag - 1), 1, 0}};
    sends.push_back(std::move(send));
    ++tag;
  };
  if (goal != PhaseGoal::all_gather)
    for (std::uint32_t step = k; step-- > 0;) add(Op::reduce, Anchor::peer, 1u << step);
  if (goal != PhaseGoal::reduce_scatter)
    for (std::uint32_t step = 0; step < k; ++step) add(Op::copy, Anchor::own, 1u << step);
  return sends;
}

Phase power_of_two(const PhaseRequest& request) {
  Phase phase = blank_phase(request, "halving_doubling");
  const std::uint32_t n = phase.positions;
  const auto k = static_cast<std::uint32_t>(std::countr_zero(n));
  const std::uint64_t piece = shard_bytes(request.elements, n, request.element_bytes);
  const auto peer_at = [](std::uint32_t distance) {
    Peer peer;
    peer.kind = Peer::Kind::exclusive_or;
    peer.value = distance;
    return peer;
  };
  auto sends = exchanges(request.goal, k, piece, 0, peer_at, aligned_block);
  phase.tags = static_cast<std::uint32_t>(sends.size());
  phase.piece_bytes = {piece};
  phase.invariance = Invariance::exclusive_or;
  phase.roles = {{0, n, 1, {{0, std::move(sends)}}}};
  return phase;
}

Phase words_by_bits(const PhaseRequest& request) {
  Phase phase = power_of_two(request);
  phase.pieces = 1;
  phase.piece_bytes = {request.elements * request.element_bytes};
  std::vector<Send>& sends = phase.roles[0].lanes[0].sends;
  sends.resize(static_cast<std::size_t>(std::countr_zero(phase.positions)));
  phase.tags = static_cast<std::uint32_t>(sends.size());
  for (Send& send : sends) {
    send.op = Op::copy;
    send.bytes = phase.piece_bytes[0];
    send.flat = whole_range();
  }
  return phase;
}

/// One rank of the 2^k that are left after folding. Tags: 0 folding, 1 ... 2k exchanges, 2k + 1 unfolding.
class FoldedRank {
 public:
  FoldedRank(std::uint32_t n, std::uint32_t k, std::uint32_t place)
      : folded_(n - (1u << k)), k_(k), place_(place) {}

  std::uint32_t position() const { return position_of(place_); }

  Lane lane(std::uint64_t piece_bytes) const {
    const auto peer_at = [this](std::uint32_t distance) {
      return shifted(std::int64_t{position_of(place_ ^ distance)} - std::int64_t{position()});
    };
    // Shards are numbered by place, not by position: the block's start is spelled out.
    const auto block = [this](Anchor anchor, std::uint32_t distance) {
      const std::uint32_t holder = anchor == Anchor::own ? place_ : place_ ^ distance;
      PieceRange range = range_from(Anchor::fixed, static_cast<std::int32_t>(holder - holder % distance));
      range.length = distance;
      return range;
    };
    Lane lane{0, exchanges(PhaseGoal::all_reduce, k_, piece_bytes, 1, peer_at, block)};
    const bool has_partner = place_ < folded_;
    if (!has_partner) lane.sends.front().waits.clear();
    if (has_partner) {
      const auto unfold_tag = static_cast<std::uint16_t>(2 * k_ + 1);
      Send unfold = make_send(Op::copy, shifted(1), piece_bytes << k_, unfold_tag, whole_range());
      unfold.waits = {{static_cast<std::uint16_t>(2 * k_), 1, 0}};
      lane.sends.push_back(std::move(unfold));
    }
    return lane;
  }

 private:
  std::uint32_t position_of(std::uint32_t place) const {
    return place < folded_ ? 2 * place : place + folded_;
  }

  std::uint32_t folded_, k_, place_;
};

Phase with_folding(const PhaseRequest& request) {
  Phase phase = blank_phase(request, "halving_doubling");
  const std::uint32_t n = phase.positions;
  const std::uint32_t core = std::bit_floor(n);
  const auto k = static_cast<std::uint32_t>(std::countr_zero(core));
  const std::uint64_t piece = shard_bytes(request.elements, core, request.element_bytes);
  phase.pieces = core;
  phase.tags = 2 * k + 2;
  phase.piece_bytes = {piece};
  phase.roles.push_back(
      {1, n - core, 2, {{0, {make_send(Op::reduce, shifted(-1), piece * core, 0, whole_range())}}}});
  phase.roles.reserve(core + 1);
  for (std::uint32_t place = 0; place < core; ++place) {
    const FoldedRank rank(n, k, place);
    Role& role = phase.roles.emplace_back();
    role.first = rank.position();
    role.count = 1;
    role.lanes.push_back(rank.lane(piece));  // moved: a list in braces would copy it
  }
  return phase;
}

/// The ranks a place hands down to, farthest first: v's lowest set bit is the distance it was reached over.
std::vector<std::uint32_t> distances_down(std::uint32_t n, std::uint32_t v) {
  std::vector<std::uint32_t> distances;
  const std::uint32_t reached_over = v == 0 ? std::bit_ceil(n) : v & (~v + 1);
  for (std::uint32_t distance = reached_over / 2; distance > 0; distance /= 2)
    if (distance < n - v) distances.push_back(distance);
  return distances;
}

/// The binomial tree from the root: whole buffers for broadcast, for scatter the pieces of all below.
std::vector<Send> sends_down(const PhaseRequest& request, std::uint32_t n, std::uint32_t v,
                             std::uint64_t piece_bytes) {
  std::vector<Send> sends;
  for (const std::uint32_t distance : distances_down(n, v)) {
    const std::int64_t from = (v + request.root) % n, to = (v + distance + request.root) % n;
    PieceRange range = whole_range();
    std::uint64_t pieces = 1;
    if (request.goal == PhaseGoal::scatter) {
      range = range_from(Anchor::peer);
      range.length = std::min(distance, n - v - distance);
      pieces = range.length;
    }
    Send send = make_send(Op::copy, shifted(to - from), piece_bytes * pieces, 0, range);
    if (v != 0) send.waits = {{0, 1, 0}};
    sends.push_back(std::move(send));
  }
  return sends;
}

/// The same tree to the root: one message, after those of all below.
std::vector<Send> sends_up(const PhaseRequest& request, std::uint32_t n, std::uint32_t v,
                           std::uint64_t piece_bytes) {
  if (v == 0) return {};
  const std::uint32_t distance = v & (~v + 1);
  const std::int64_t from = (v + request.root) % n, to = (v - distance + request.root) % n;
  PieceRange range = whole_range();
  std::uint64_t pieces = 1;
  if (request.goal == PhaseGoal::gather) {
    range = range_from(Anchor::own);
    range.length = std::min(distance, n - v);
    pieces = range.length;
  }
  const Op op = request.goal == PhaseGoal::reduce ? Op::reduce : Op::copy;
  Send send = make_send(op, shifted(to - from), piece_bytes * pieces, 0, range);
  if (const auto below = static_cast<std::uint32_t>(distances_down(n, v).size()); below > 0)
    send.waits = {{0, below, 0}};
  return {std::move(send)};
}

Phase binomial_tree(const PhaseRequest& request) {
  Phase phase = blank_phase(request, "halving_doubling");
  const std::uint32_t n = phase.positions;
  const bool in_pieces = request.goal == PhaseGoal::gather || request.goal == PhaseGoal::scatter;
  const bool up = request.goal == PhaseGoal::gather || request.goal == PhaseGoal::reduce;
  phase.pieces = in_pieces ? n : 1;
  const std::uint64_t bytes = shard_bytes(request.elements, phase.pieces, request.element_bytes);
  phase.piece_bytes = {bytes};

  // What a rank sends changes where a child falls off the end, or a part of what is below one, and its shifts
  // where it, its parent or a child wraps.
  std::vector<std::uint32_t> bounds{n - request.root};
  for (std::uint32_t distance = 1; distance < n; distance *= 2) {
    bounds.insert(bounds.end(), {n - distance, n - distance + 1, n - request.root + distance});
    if (n - request.root > distance) bounds.push_back(n - request.root - distance);
  }
  const auto add_roles = [&](std::uint32_t first, std::uint32_t stride, std::uint32_t end) {
    for (const Stretch& s : stretches(first, stride, end, bounds)) {
      auto sends = up ? sends_up(request, n, s.first, bytes) : sends_down(request, n, s.first, bytes);
      if (!sends.empty())
        phase.roles.push_back({(s.first + request.root) % n, s.count, stride, {{0, std::move(sends)}}});
    }
  };
  add_roles(0, 1, 1);
  for (std::uint32_t bit = 1; bit < n; bit *= 2) add_roles(bit, 2 * bit, n);
  return phase;
}

}  // namespace

std::string refuse_halving_doubling(const PhaseRequest& request) {
  if (is_rooted(request.goal)) return {};
  if (!is_reducing_or_gathering(request.goal) && request.goal != PhaseGoal::barrier)
    return goal_refusal(
        "halving_doubling", request.goal,
        "reduce_scatter, all_gather, all_reduce, barrier, broadcast, scatter, gather, reduce");
  const std::uint32_t n = positions_of(request);
  if (std::has_single_bit(n)) return {};
  if (request.goal != PhaseGoal::all_reduce)
    return fmt::format(
        "halving_doubling does {} on a power of two of ranks, and these are {} (all_reduce works "
        "on any number)",
        name_of(request.goal), n);
  if (n > most_unfolded_ranks)
    return fmt::format(
        "halving_doubling on a number of ranks that is not a power of two needs {} or fewer, and "
        "these are {}",
        most_unfolded_ranks, n);
  return {};
}

std::vector<Phase> make_halving_doubling(const PhaseRequest& request) {
  if (is_rooted(request.goal)) return {binomial_tree(request)};
  if (request.goal == PhaseGoal::barrier) return {words_by_bits(request)};
  std::vector<Phase> phases;
  phases.push_back(std::has_single_bit(positions_of(request)) ? power_of_two(request)
                                                              : with_folding(request));
  return phases;
}

}  // namespace tahoma
