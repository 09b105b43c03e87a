#include "scenarios/rows.h"

#include <fmt/format.h>

#include <numeric>

#include "collectives/between_sites.h"
#include "collectives/importers/listed_schedule.h"
#include "core/errors.h"
#include "core/random.h"

namespace tahoma {

namespace {

std::vector<std::uint32_t> destinations_of(const PermutePattern& pattern, std::uint32_t n, std::uint64_t seed,
                                           const Place& place) {
  std::vector<std::uint32_t> result(n);
  switch (pattern.kind) {
    case PermutePattern::Kind::shift:
      for (std::uint32_t p = 0; p < n; ++p) {
        const std::int64_t to = (static_cast<std::int64_t>(p) + pattern.shift) % n;
        result[p] = static_cast<std::uint32_t>(to < 0 ? to + n : to);
      }
      break;
    case PermutePattern::Kind::random: {
      Random random(seed);
      result = draw_without_replacement(random, n, n);
      break;
    }
    case PermutePattern::Kind::file:
      if (pattern.destinations.size() != n) {
        throw ScenarioError(to_string(place) + ": the pattern has " +
                            std::to_string(pattern.destinations.size()) + " destinations, the group " +
                            std::to_string(n) + " ranks");
      }
      result = pattern.destinations;
      break;
  }
  return result;
}

}  // namespace

LaneRule lane_rule_of(const CollectiveWork& work) {
  return work.channel_rule == ChannelRule::eager ? LaneRule::eager : LaneRule::fifo;
}

ScheduleRequest request_of(const PlannedRow& row) {
  ScheduleRequest request;
  request.collective = row.collective;
  request.size = row.size;
  request.element_bytes = row.work->element_bytes;
  request.root = row.work->root;
  request.pipeline = row.work->pipeline;
  request.channels = row.work->channels;
  request.table = row.destinations;
  request.axes = row.groups->axes();
  return request;
}

namespace {

// `server`, `ultraserver`, `intra` and `site` are levels within each site. What is outermost also says how
// the sites exchange, and that is `direct` whatever it says of the domains of one site: the row's label
// tells.
Schedule schedule_by_sites(const PlannedRow& row, const ScheduleRequest& request, const Problem& problem,
                           const Topology& topology) {
  if (row.groups->ranks() != topology.chips() || row.groups->groups() != 1 || row.groups->is_list()) {
    throw InfeasibleError(
        "levels over a part of the ranks are not built for sites of different hardware; `ranks: all` is, and "
        "one algorithm for all ranks of any group");
  }
  const std::vector<SchedulePart> parts = parts_of(topology);
  std::vector<SitePlan> plans;
  for (const SchedulePart& part : parts)
    plans.push_back({plan_levels(part.axes, row.algorithm->levels), costs_of(problem, part.first).overhead});
  return make_mixed_schedule(request, parts, plans);
}

}  // namespace

std::vector<PlannedRow> plan_rows(const Job& job, const CollectiveWork& work, const RankGroups& groups,
                                  std::uint64_t seed) {
  std::vector<PlannedRow> rows;
  for (const Collective collective : work.collectives) {
    for (const AlgorithmChoice& algorithm : work.algorithms) {
      // A barrier's size is that of its messages: one element, whatever the others move.
      const bool is_barrier = collective == Collective::barrier;
      const std::vector<Bytes> sizes = is_barrier ? std::vector{Bytes{work.element_bytes}} : work.sizes;
      for (const Bytes size : sizes) {
        PlannedRow row{&job, &work, &groups, collective, size, &algorithm, {}};
        if (collective == Collective::permute) {
          row.destinations =
              destinations_of(work.pattern.value_or(PermutePattern{}), groups.size(), seed, job.place);
        }
        rows.push_back(std::move(row));
      }
    }
  }
  return rows;
}

Problem empty_problem(const Scenario& scenario, const Network& network) {
  Problem problem;
  problem.topology = network.topology.get();
  problem.healthy = network.healthy.get();
  problem.delays = network.delays;
  problem.overhead = scenario.overhead;
  problem.memory = scenario.memory;
  problem.part_costs = scenario.site_costs;
  if (scenario.reduction_rate) problem.reduction_rate = *scenario.reduction_rate;
  return problem;
}

RankProgram program_of_row(const PlannedRow& row) {
  const ListedSchedule& listed = *row.work->program;
  if (listed.ranks != row.groups->size()) {
    throw ScenarioError(fmt::format("{}: the program '{}' is for {} ranks, and there are {}{}",
                                    to_string(row.work->algorithm_place), listed.name, listed.ranks,
                                    row.groups->size(), row.groups->groups() > 1 ? " in each group" : ""));
  }
  return listed.program(row.size.count / row.work->element_bytes, row.work->element_bytes,
                        row.work->pipeline);
}

Choice schedule_row(const PlannedRow& row, const Problem& problem, const Network& network) {
  ScheduleRequest request = request_of(row);
  request.overhead = problem.overhead;
  try {
    if (row.algorithm->automatic) {
      const LaneRule rule = row.work->channel_rule == ChannelRule::eager ? LaneRule::eager : LaneRule::fifo;
      return choose_algorithm(problem, network.healthy.get(), *row.groups, request, rule);
    }
    const Topology& topology = network.healthy ? *network.healthy : *network.topology;
    if (row.algorithm->name.empty() && !topology.parts().empty())
      return {schedule_by_sites(row, request, problem, topology), std::nullopt, {}};
    request.levels = row.algorithm->name.empty() ? plan_levels(request.axes, row.algorithm->levels)
                                                 : plan_single(request.axes, row.algorithm->name);
    return {make_schedule(request), std::nullopt, request.levels};
  } catch (const ScenarioError& error) {
    throw ScenarioError(to_string(row.work->algorithm_place) + ": " + error.what());
  }
}

}  // namespace tahoma
