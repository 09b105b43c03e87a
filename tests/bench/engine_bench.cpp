// The engine's own run of a scenario's first row, every rank simulated.
//
// Problem: the time of a whole process hides what the engine does behind reading, planning and page faults.
// Idea: the scenario is loaded as usual; then `expand` (problem -> arrays) and `run` (the engine) are timed
// apart, by the CPU clock. The finish is printed, so that a caller can hold it against the program's answer.
//
//   engine_bench FILE REPEATS [path=value...]      a line of JSON
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <variant>
#include <vector>

#include "collectives/solve/engine.h"
#include "scenarios/load.h"
#include "scenarios/network.h"
#include "scenarios/rows.h"
#include "tests/bench/timing.h"

namespace tahoma::bench {
namespace {

void measure(const LoadRequest& request, int repeats) {
  const Scenario scenario = load(request);
  const Network network = make_network(scenario);
  const auto* work = std::get_if<CollectiveWork>(&scenario.jobs.at(0).work);
  if (work == nullptr) throw std::runtime_error("the scenario's first job is no collective");
  const RankGroups groups =
      make_groups(network.healthy ? *network.healthy : *network.topology, *work, scenario.seed);
  const std::vector<PlannedRow> rows = plan_rows(scenario.jobs[0], *work, groups, scenario.seed);
  Problem problem = empty_problem(scenario, network);
  const Choice choice = schedule_row(rows.at(0), problem, network);
  Program program;
  program.schedule = &choice.schedule;
  program.groups = &groups;
  program.rule = work->channel_rule == ChannelRule::eager ? LaneRule::eager : LaneRule::fifo;
  problem.programs = {program};

  std::vector<double> expand_s, run_s;
  EngineResult result;
  for (int i = 0; i < repeats; ++i) {
    const double start = cpu_seconds();
    const Instance instance = expand(problem, 0);
    const double expanded = cpu_seconds();
    result = run_engine(instance, *network.topology);
    run_s.push_back(cpu_seconds() - expanded);
    expand_s.push_back(expanded - start);
  }
  fmt::print(R"({{"chips":{},"flows":{},"events":{},"solves":{},"expand_s":{:.6f},"run_s":{:.6f},)"
             R"("finish_ps":{},"rss_mib":{:.0f}}})"
             "\n",
             network.topology->chips(), result.messages, result.events, result.solves, median(expand_s),
             median(run_s), result.program_finish.at(0).ps, peak_mebibytes());
}

}  // namespace
}  // namespace tahoma::bench

int main(int count, char** words) {
  if (count < 3) {
    fmt::print(stderr, "usage: engine_bench FILE REPEATS [path=value...]\n");
    return 1;
  }
  try {
    tahoma::LoadRequest request;
    request.file = words[1];
    request.sets.assign(words + 3, words + count);
    tahoma::bench::measure(request, std::atoi(words[2]));
  } catch (const std::exception& error) {
    fmt::print(stderr, "engine_bench: {}\n", error.what());
    return 5;
  }
  return 0;
}
