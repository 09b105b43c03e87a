// All ranks are in step (collectives/importers/layer_workload.h), so a step's time is the sum of what they
// compute and of what each collective takes alone on the network, on all groups of its kind at once. Equal
// collectives are solved once, by whichever solver fits, so the number of ranks is no limit.
#include "scenarios/run_layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "collectives/importers/layer_workload.h"
#include "core/errors.h"
#include "scenarios/rows.h"

namespace tahoma {

namespace {

constexpr std::int64_t ps_per_nano = 1000;

struct SolvedCollective {
  Duration time;
  std::uint64_t messages = 0, times = 0;
  std::optional<Solution> solution;  // of what takes longest in all: its links
};

class LayerRun {
 public:
  LayerRun(const Scenario& scenario, const Network& network, const Job& job, const TraceWork& work,
           const RankGroups& all)
      : network_(network), job_(job), work_(work), all_(all), problem_(empty_problem(scenario, network)) {}

  TraceAnswer run() {
    const LayerWorkload& layers = *work_.layers;
    TraceAnswer answer;
    TraceRow& row = answer.row;
    row.job = job_.name;
    row.ranks = all_.size();
    row.start = job_.start;
    for (const LayerWorkload::Step& step : layers.steps) {
      const Duration computing{static_cast<std::int64_t>(step.nanos) * ps_per_nano};
      row.device += computing;
      row.time += computing;
      row.nodes += row.ranks;
      if (step.bytes == 0) continue;
      SolvedCollective& solved = solve_once(step);
      const Duration talk = solved.time + Duration{static_cast<std::int64_t>(step.after_nanos) * ps_per_nano};
      row.communication += talk;
      row.time += talk;
      row.collectives += 1;
      row.flows += solved.messages;
      ++solved.times;
      if (row.time.ps > most_layer_ps)
        throw ScenarioError(
            fmt::format("{}:{}: the layers last longer than the clock reaches", layers.file, step.line));
    }
    row.exposed = row.communication;
    answer.rank_finish.assign(all_.size(), Time{} + row.time);
    keep_longest(answer);
    return answer;
  }

 private:
  static constexpr std::int64_t most_layer_ps = std::int64_t{1} << 62;
  using Key = std::tuple<Collective, LayerGroup, std::uint64_t>;

  const RankGroups& groups_of(LayerGroup group) {
    const auto known = groups_.find(group);
    if (known != groups_.end()) return known->second;
    std::vector<std::vector<ChipId>> chips;
    for (const auto& ranks : ranks_of_groups(*work_.layers, all_.size(), group)) {
      chips.emplace_back();
      for (const std::uint32_t rank : ranks) chips.back().push_back(all_.chip(0, rank));
    }
    const Topology& topology = network_.healthy ? *network_.healthy : *network_.topology;
    return groups_.emplace(group, RankGroups::lists(topology, std::move(chips))).first->second;
  }

  SolvedCollective& solve_once(const LayerWorkload::Step& step) {
    const auto [at, fresh] = solved_.try_emplace({step.collective, step.group, step.bytes});
    SolvedCollective& solved = at->second;
    if (!fresh) return solved;
    const RankGroups& groups = groups_of(step.group);
    if (groups.size() == 1) return solved;  // nobody to talk to
    const PlannedRow row{&job_,
                         &work_.of_ranks,
                         &groups,
                         step.collective,
                         Bytes{step.bytes},
                         &work_.of_ranks.algorithms.front(),
                         {}};
    Choice choice = schedule_row(row, problem_, network_);
    if (!choice.solution) {
      Problem alone = problem_;
      Program program;
      program.schedule = &choice.schedule;
      program.groups = &groups;
      program.rule = lane_rule_of(work_.of_ranks);
      alone.programs = {program};
      choice.solution = solve(alone, "auto");
    }
    events_ += choice.solution->events;
    solves_ += choice.solution->solves;
    solved.time = choice.solution->programs[0].finish - Time{};
    solved.messages = choice.solution->messages;
    solved.solution = std::move(choice.solution);
    return solved;
  }

  // What links carried is told of the collective that takes the most time, the first one among equals.
  void keep_longest(TraceAnswer& answer) {
    SolvedCollective* longest = nullptr;
    const auto in_all = [](const SolvedCollective& one) {
      return u128{static_cast<std::uint64_t>(one.time.ps)} * one.times;
    };
    for (auto& [key, one] : solved_) {
      if (one.solution && (longest == nullptr || in_all(one) > in_all(*longest))) longest = &one;
    }
    if (longest != nullptr) {
      answer.links = std::move(*longest->solution);
      answer.links_lasted = longest->time;
    } else {
      answer.links.classes = chip_classes(*network_.topology, 0);
      answer.links_lasted = answer.row.time;
    }
    answer.links.events = events_;
    answer.links.solves = solves_;
  }

  const Network& network_;
  const Job& job_;
  const TraceWork& work_;
  const RankGroups& all_;
  const Problem problem_;
  std::map<LayerGroup, RankGroups> groups_;
  std::map<Key, SolvedCollective> solved_;
  std::uint64_t events_ = 0, solves_ = 0;
};

}  // namespace

TraceAnswer run_layers(const Scenario& scenario, const Network& network, const Job& job,
                       const TraceWork& work) {
  const RankGroups all =
      make_groups(network.healthy ? *network.healthy : *network.topology, work.of_ranks, scenario.seed);
  const std::string place = to_string(work.of_ranks.ranks.place);
  if (all.groups() != 1)
    throw ScenarioError(place +
                        ": layers are run by one group of ranks; accepted: all, the first N or a selector");
  const std::uint32_t said = work.layers->ranks;
  if (said != 0 && said != all.size())
    throw ScenarioError(
        fmt::format("{}: the layers are made for {} ranks, and there are {}", place, said, all.size()));
  return LayerRun(scenario, network, job, work, all).run();
}

}  // namespace tahoma
