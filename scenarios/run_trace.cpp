#include "scenarios/run_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>

#include "collectives/algorithms.h"
#include "collectives/importers/trace_program.h"
#include "collectives/program/add_schedule.h"
#include "collectives/program/run_program.h"
#include "core/errors.h"
#include "scenarios/rows.h"
#include "scenarios/run_layers.h"

namespace tahoma {

namespace {

constexpr std::uint64_t most_trace_ops = 40'000'000;

// Schedules of the trace's collectives, each made once.
class TraceCollectives {
 public:
  TraceCollectives(const Job& job, const TraceWork& work, const RankGroups& groups, const Network& network,
                   const Problem& problem)
      : job_(job), work_(work), groups_(groups), network_(network), problem_(problem) {
    for (std::uint32_t rank = 0; rank < groups.size(); ++rank) ranks_.push_back(rank);
  }

  std::vector<std::uint32_t> add(RankProgram& program, Collective collective, std::uint64_t size,
                                 std::span<const std::uint32_t> entry, const RankProgram::Origin& origin) {
    const Instance& instance = instance_of(collective, size);
    if (program.ops.size() + 4 * instance.sends.size() > most_trace_ops) {
      throw InfeasibleError(
          fmt::format("the trace's collectives on {} ranks are more than {} operations; what can be answered "
                      "is the trace on "
                      "fewer ranks, or with an algorithm of fewer messages",
                      ranks_.size(), most_trace_ops));
    }
    return add_schedule(program, instance, ranks_, entry, origin);
  }

 private:
  const Instance& instance_of(Collective collective, std::uint64_t size) {
    const auto [at, fresh] = instances_.try_emplace({collective, size});
    if (!fresh) return at->second;
    PlannedRow row{
        &job_, &work_.of_ranks, &groups_, collective, Bytes{size}, &work_.of_ranks.algorithms.front(), {}};
    Choice choice = schedule_row(row, problem_, network_);
    list_sends(choice.schedule);
    for (const Phase& phase : choice.schedule.phases) {
      if (phase.has_switch || phase.paired_ranks || (phase.unlisted != 0 && phase.roles.empty())) {
        throw InfeasibleError(
            fmt::format("'{}' cannot be a part of a trace yet: its messages are not listed one by "
                        "one; accepted: such as ring, halving_doubling, torus or direct",
                        choice.schedule.algorithm));
      }
    }
    Problem alone = problem_;
    Program program;
    program.schedule = &choice.schedule;
    program.groups = &groups_;
    alone.programs = {program};
    // What is added is told apart whether it costs time or not.
    if (alone.reduction_rate.q20 == 0) alone.reduction_rate = Capacity{1};
    at->second = expand(alone, 0);
    return at->second;
  }

  const Job& job_;
  const TraceWork& work_;
  const RankGroups& groups_;
  const Network& network_;
  const Problem& problem_;
  std::vector<std::uint32_t> ranks_;
  std::map<std::pair<Collective, std::uint64_t>, Instance> instances_;
};

using Interval = std::pair<Time, Time>;

std::vector<Interval> joined_intervals(std::vector<Interval> intervals) {
  std::sort(intervals.begin(), intervals.end());
  std::vector<Interval> apart;
  for (const Interval& one : intervals) {
    if (!apart.empty() && one.first <= apart.back().second) {
      apart.back().second = std::max(apart.back().second, one.second);
    } else {
      apart.push_back(one);
    }
  }
  return apart;
}

Duration length_of(const std::vector<Interval>& apart) {
  Duration sum{};
  for (const Interval& one : apart) sum += one.second - one.first;
  return sum;
}

// The parts of the slowest rank's time, the lowest one among equals.
void split_time(TraceRow& row, const TraceProgram& trace, const ProgramRun& run) {
  const auto slowest = std::max_element(run.rank_finish.begin(), run.rank_finish.end());
  const auto rank = static_cast<std::uint32_t>(slowest - run.rank_finish.begin());
  std::vector<Interval> device, talk;
  for (const std::uint32_t op : trace.on_device) {
    if (trace.program.ops[op].rank == rank) device.emplace_back(run.begun[op], run.done[op]);
  }
  for (const TraceProgram::Talk& one : trace.talks) {
    if (one.rank != rank) continue;
    talk.emplace_back(one.from == one.until ? run.begun[one.from] : run.done[one.from], run.done[one.until]);
  }
  device = joined_intervals(std::move(device));
  talk = joined_intervals(std::move(talk));
  row.device = length_of(device);
  row.communication = length_of(talk);
  talk.insert(talk.end(), device.begin(), device.end());
  row.exposed = length_of(joined_intervals(std::move(talk))) - row.device;
}

}  // namespace

TraceAnswer run_trace(const Scenario& scenario, const Network& network, const Job& job,
                      const TraceWork& work) {
  if (work.layers) return run_layers(scenario, network, job, work);
  const RankGroups groups =
      make_groups(network.healthy ? *network.healthy : *network.topology, work.of_ranks, scenario.seed);
  const auto complain = [&](const std::string& what) {
    throw ScenarioError(to_string(work.of_ranks.ranks.place) + ": " + what);
  };
  if (groups.groups() != 1)
    complain("a trace is run by one group of ranks; accepted: all, the first N or a selector");
  const std::size_t traces = work.traces->size();
  if (traces != 1 && traces != groups.size())
    complain(fmt::format("there are {} traces for {} ranks; accepted: one for all, or one each", traces,
                         groups.size()));
  const Problem problem = empty_problem(scenario, network);
  TraceCollectives collectives(job, work, groups, network, problem);
  const TraceProgram trace =
      program_of_traces(*work.traces, groups.size(),
                        [&](RankProgram& program, Collective collective, std::uint64_t size,
                            std::span<const std::uint32_t> entry, const RankProgram::Origin& origin) {
                          return collectives.add(program, collective, size, entry, origin);
                        });
  std::vector<ChipId> chips;
  for (std::uint32_t rank = 0; rank < groups.size(); ++rank) chips.push_back(groups.chip(0, rank));
  ProgramRun run = run_program(trace.program, problem, chips, groups.axes());
  TraceAnswer answer;
  TraceRow& row = answer.row;
  row.job = job.name;
  row.ranks = groups.size();
  row.nodes = trace.nodes;
  row.collectives = trace.collectives;
  row.flows = run.messages;
  row.start = job.start;
  row.time = *std::max_element(run.rank_finish.begin(), run.rank_finish.end()) - Time{};
  split_time(row, trace, run);
  answer.links_lasted = row.time;
  answer.links.links = std::move(run.links);
  answer.links.classes = chip_classes(*network.topology, 0);
  answer.links.events = run.events;
  answer.links.solves = run.solves;
  answer.rank_finish = std::move(run.rank_finish);
  return answer;
}

}  // namespace tahoma
