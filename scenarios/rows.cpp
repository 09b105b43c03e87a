#include "scenarios/rows.h"

#include <fmt/format.h>

#include <numeric>

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
    request.levels = row.algorithm->name.empty() ? plan_levels(request.axes, row.algorithm->levels)
                                                 : plan_single(request.axes, row.algorithm->name);
    return {make_schedule(request), std::nullopt};
  } catch (const ScenarioError& error) {
    throw ScenarioError(to_string(row.work->algorithm_place) + ": " + error.what());
  }
}

}  // namespace tahoma
