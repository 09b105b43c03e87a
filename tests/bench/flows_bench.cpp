// Runs a file of listed flows (tests/bench/listed_paths.h) on the engine, every flow by itself.
//
// What is timed: `expand`, from the problem as a value to the engine's arrays, and `run`, the engine. Reading
// the file is not: the other simulator does not read one.
//
//   flows_bench FILE REPEATS [FINISHES]            a line of JSON; FINISHES gets a picosecond per flow or
//   rank
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "collectives/groups.h"
#include "collectives/solve/engine.h"
#include "tests/bench/listed_paths.h"
#include "tests/bench/timing.h"

namespace tahoma::bench {
namespace {

/// One lane on each rank, `steps` messages to the next one; message k waits for k received ones.
Schedule ring(const FlowFile& file, const RankGroups& groups) {
  Send send;
  send.peer.value = 1;
  send.reps = file.steps;
  send.bytes = file.bytes;
  send.waits = {{0, 0, 1}};
  Role role;
  role.count = file.flows();
  role.lanes = {{0, {send}}};
  Phase phase;
  phase.name = "ring of listed paths";
  phase.axes = {0};
  phase.positions = file.flows();
  phase.piece_bytes = {file.bytes};
  phase.roles = {role};
  Schedule schedule;
  schedule.axes = groups.axes();
  schedule.ranks = file.flows();
  schedule.phases = {phase};
  return schedule;
}

std::vector<PlainFlow> shot(const FlowFile& file) {
  std::vector<PlainFlow> flows(file.flows());
  for (std::uint32_t f = 0; f < file.flows(); ++f) {
    for (std::uint32_t i = file.first[f]; i < file.first[f + 1]; ++i) {
      flows[f].links.push_back({file.links[i]});
    }
    flows[f].bytes = Bytes{file.bytes};
  }
  return flows;
}

void write(const std::string& name, const std::vector<Time>& finishes) {
  std::ofstream out(name);
  for (const Time finish : finishes) out << finish.ps << '\n';
  if (!out.flush()) throw std::runtime_error(name + ": cannot be written");
}

void measure(const FlowFile& file, int repeats, const char* finishes) {
  const ListedPaths topology(file);
  Problem problem;
  problem.topology = &topology;
  Schedule schedule;
  RankGroups groups;
  if (file.ring) {
    groups = RankGroups::all(topology);
    schedule = ring(file, groups);
    Program program;
    program.schedule = &schedule;
    program.groups = &groups;
    problem.programs = {program};
  } else {
    problem.flows = shot(file);
  }
  std::vector<double> expand_s, run_s;
  EngineResult result;
  for (int i = 0; i < repeats; ++i) {
    const double start = cpu_seconds();
    const Instance instance = expand(problem, 0);
    const double expanded = cpu_seconds();
    result = run_engine(instance, topology);
    run_s.push_back(cpu_seconds() - expanded);
    expand_s.push_back(expanded - start);
  }
  if (finishes != nullptr) write(finishes, file.ring ? result.node_finish : result.flow_finish);
  fmt::print(
      R"({{"flows":{},"links":{},"expand_s":{:.6f},"run_s":{:.6f},"events":{},"solves":{},"rss_mib":{:.0f}}})"
      "\n",
      std::uint64_t{file.flows()} * file.steps, file.capacity.size(), median(expand_s), median(run_s),
      result.events, result.solves, peak_mebibytes());
}

}  // namespace
}  // namespace tahoma::bench

int main(int count, char** words) {
  if (count < 3) {
    fmt::print(stderr, "usage: flows_bench FILE REPEATS [FINISHES]\n");
    return 1;
  }
  try {
    const tahoma::bench::FlowFile file = tahoma::bench::read_flow_file(words[1]);
    tahoma::bench::measure(file, std::atoi(words[2]), count > 3 ? words[3] : nullptr);
  } catch (const std::exception& error) {
    fmt::print(stderr, "flows_bench: {}\n", error.what());
    return 5;
  }
  return 0;
}
