#include "collectives/algorithms/torus_design.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace tahoma {
namespace {

constexpr std::array<std::uint32_t, 6> chunk_counts{1, 2, 4, 8, 16, 32};
constexpr std::uint32_t probing_chunks = 4;      // at which mixtures of shares are compared
constexpr std::size_t finalists = 3;             // mixtures for which all chunk counts are tried
constexpr std::int64_t worth_more_chunks = 256;  // more chunks must save more than 1/256 of the time

std::uint32_t lane_of(const TorusDimension& d, std::int32_t direction) {
  return d.first_lane + (direction < 0 && d.lanes == 2 ? 1 : 0);
}

std::vector<TorusKind> kinds_of(const Torus& torus, const PhaseRequest& request, const OrderWeights& weights,
                                std::uint32_t chunks) {
  u128 total = 0;
  for (const std::uint32_t weight : weights) total += weight;
  std::vector<TorusKind> kinds;
  for (std::uint32_t way = 0; way < torus.directions; ++way)
    for (std::uint32_t order = 0; order < weights.size(); ++order) {
      if (weights[order] == 0) continue;
      const u128 shards = total * torus.directions * chunks * torus.ranks;
      const u128 elements = ceil_div(u128{request.elements} * weights[order], shards);
      kinds.push_back(
          {order, way == 0 ? 1 : -1, static_cast<std::uint64_t>(elements) * request.element_bytes});
    }
  return kinds;
}

Chain chain_of(const Torus& torus, const TorusKind& kind, PhaseGoal goal, Duration overhead) {
  const DimensionOrder& order = torus.orders[kind.order];
  std::vector<ChainStep> at_place;
  for (std::size_t place = 0; place < order.size(); ++place) {
    const TorusDimension& d = torus.dimensions[order[place]];
    const Bytes bytes{kind.piece_bytes * pieces_at(torus, order, place)};
    at_place.push_back(
        {lane_of(d, kind.direction), time_to_move(work_of(bytes), d.lane_rate) + overhead, d.latency});
  }
  Chain chain;
  for (const TorusStep& step : steps_of(torus, order, goal)) chain.push_back(at_place[step.place]);
  return chain;
}

/// Plans one direction where the other is its mirror image. `goal` is reduce_scatter or all_reduce.
TorusDesign plan(const Torus& torus, const PhaseRequest& request, const OrderWeights& weights,
                 std::uint32_t chunks, PhaseGoal goal) {
  TorusDesign design{kinds_of(torus, request, weights, chunks), chunks, {}, {}};
  std::vector<Chain> chains;
  for (const TorusKind& kind : design.kinds)
    if (!torus.mirrored || kind.direction > 0)
      chains.push_back(chain_of(torus, kind, goal, request.overhead));
  LanePlan lanes = plan_lanes(chains, chunks, torus.lanes);
  design.lanes = std::move(lanes.lanes);
  design.makespan = lanes.makespan;
  return design;
}

/// Gathering is reducing, backwards. all_reduce may do one after the other.
void extend_backwards(TorusDesign& design, const Torus& torus, PhaseGoal goal) {
  if (goal == PhaseGoal::reduce_scatter) return;
  std::uint32_t steps = 0;  // of reducing, the same in every order
  for (const TorusDimension& d : torus.dimensions) steps += d.size - 1;
  const bool both = goal == PhaseGoal::all_reduce;
  for (auto& lane : design.lanes) {
    std::vector<PlannedStep> back(lane.rbegin(), lane.rend());
    for (PlannedStep& planned : back) planned.step = (both ? 2 * steps : steps) - 1 - planned.step;
    if (!both) lane.clear();
    lane.insert(lane.end(), back.begin(), back.end());
  }
  if (both) design.makespan = design.makespan + design.makespan;
}

bool clearly_better(const TorusDesign& a, const std::optional<TorusDesign>& b) {
  return !b || a.makespan.ps + a.makespan.ps / worth_more_chunks < b->makespan.ps;
}

std::vector<OrderWeights> best_mixtures(const Torus& torus, const PhaseRequest& request) {
  std::vector<std::uint32_t> sides;
  std::vector<Capacity> rates;
  for (const TorusDimension& d : torus.dimensions) {
    sides.push_back(d.size);
    rates.push_back({u128{d.lane_rate.q20} * d.lanes});
  }
  auto candidates = share_candidates(torus.orders, sides, rates);
  if (candidates.size() <= 1) return candidates;
  std::vector<std::pair<std::int64_t, std::size_t>> ranking;
  for (std::size_t c = 0; c < candidates.size(); ++c)
    ranking.emplace_back(
        plan(torus, request, candidates[c], probing_chunks, PhaseGoal::reduce_scatter).makespan.ps, c);
  std::sort(ranking.begin(), ranking.end());
  std::vector<OrderWeights> best;
  for (std::size_t i = 0; i < std::min(finalists, ranking.size()); ++i)
    best.push_back(std::move(candidates[ranking[i].second]));
  return best;
}

}  // namespace

Torus torus_of(const PhaseRequest& request) {
  Torus torus;
  bool both_ways = false;
  for (const std::uint8_t a : request.axes) {
    const Axis& axis = request.all_axes[a];
    if (axis.size < 2) continue;
    TorusDimension d{a, axis.size, torus.lanes, axis.size == 2 ? 1u : 2u, {}, axis.latency};
    const u128 rate = axis.rate.q20 * (axis.two_way_pair ? 2u : 1u);
    d.lane_rate.q20 = static_cast<std::uint64_t>(
        std::clamp(rate, u128{1}, u128{std::numeric_limits<std::uint64_t>::max()}));
    both_ways = both_ways || d.lanes == 2;
    torus.mirrored = torus.mirrored && d.lanes == 2;
    torus.lanes += d.lanes;
    torus.ranks *= axis.size;
    torus.dimensions.push_back(d);
  }
  torus.directions = both_ways ? 2 : 1;
  torus.orders = dimension_orders(torus.dimensions.size());
  return torus;
}

std::uint64_t pieces_at(const Torus& torus, const DimensionOrder& order, std::size_t place) {
  std::uint64_t pieces = 1;
  for (std::size_t later = place + 1; later < order.size(); ++later)
    pieces *= torus.dimensions[order[later]].size;
  return pieces;
}

std::vector<TorusStep> steps_of(const Torus& torus, const DimensionOrder& order, PhaseGoal goal) {
  std::vector<TorusStep> steps;
  const auto add_ring = [&](bool gathers, std::size_t place) {
    for (std::uint32_t k = 0; k + 1 < torus.dimensions[order[place]].size; ++k)
      steps.push_back({gathers, static_cast<std::uint8_t>(place), k});
  };
  if (goal != PhaseGoal::all_gather)
    for (std::size_t place = 0; place < order.size(); ++place) add_ring(false, place);
  if (goal == PhaseGoal::reduce_scatter) return steps;
  for (std::size_t place = order.size(); place-- > 0;) add_ring(true, place);
  return steps;
}

TorusDesign best_design(const Torus& torus, const PhaseRequest& request) {
  // A scatter and the gather that undoes it must cut the buffer alike, so both are chosen by the scatter.
  const bool all_reduce = request.goal == PhaseGoal::all_reduce;
  std::optional<TorusDesign> best;
  for (const OrderWeights& weights : best_mixtures(torus, request))
    for (const std::uint32_t chunks : chunk_counts) {
      if (request.chunks != 0 && chunks != chunk_counts.front()) continue;
      const std::uint32_t cut = request.chunks != 0 ? request.chunks : chunks;
      TorusDesign there_and_back = plan(torus, request, weights, cut, PhaseGoal::reduce_scatter);
      extend_backwards(there_and_back, torus, request.goal);
      if (clearly_better(there_and_back, best)) best = std::move(there_and_back);
      if (!all_reduce) continue;
      TorusDesign interleaved = plan(torus, request, weights, cut, PhaseGoal::all_reduce);
      if (clearly_better(interleaved, best)) best = std::move(interleaved);
    }
  return std::move(*best);
}

}  // namespace tahoma
