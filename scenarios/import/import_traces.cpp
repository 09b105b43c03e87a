// GOAL schedules, and the workload text of SimAI and AICB, as scenarios.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "collectives/importers/goal.h"
#include "collectives/importers/layer_workload.h"
#include "core/errors.h"
#include "scenarios/import/import.h"
#include "scenarios/import/import_hardware.h"

namespace tahoma {

namespace {

std::string trace_scenario(const ImportRequest& request, std::uint32_t ranks) {
  const ImportedHardware hardware = hardware_for(ranks, request.preset);
  return hardware.yaml + "workload: {trace: " + yaml_scalar(request.name_in_scenario) +
         (hardware.ranks.empty() ? "" : ", ranks: " + hardware.ranks) + "}\n";
}

}  // namespace

std::string scenario_from_goal(const ImportRequest& request, const std::string& content) {
  const std::vector<ChakraTrace> traces = read_goal(content, request.file);
  std::uint64_t sends = 0, bytes = 0, computations = 0;
  for (const ChakraTrace& trace : traces) {
    for (const ChakraNode& node : trace.nodes) {
      sends += node.type == ChakraNode::Type::send ? 1 : 0;
      bytes += node.type == ChakraNode::Type::send ? node.comm_size.value_or(0) : 0;
      computations += node.type == ChakraNode::Type::compute ? 1 : 0;
    }
  }
  if (request.ranks != 0 && request.ranks != traces.size())
    throw ScenarioError(
        fmt::format("{}: is for {} ranks, and --ranks says {}", request.file, traces.size(), request.ranks));
  return fmt::format(
             "# The GOAL schedule {}: {} ranks, {} messages of {} bytes together, {} computations\n"
             "# LogGOPSim's own L, o, g, G and S are not in the file; the network below stands for them\n",
             one_line_comment(request.name_in_scenario), traces.size(), sends, bytes, computations) +
         trace_scenario(request, static_cast<std::uint32_t>(traces.size()));
}

std::string scenario_from_layers(const ImportRequest& request, const std::string& content) {
  const LayerWorkload workload = read_layer_workload(content, request.file);
  if (workload.ranks == 0 && request.ranks == 0)
    throw ScenarioError(request.file +
                        ": does not say how many ranks there are (all_gpus); say it with --ranks");
  if (workload.ranks != 0 && request.ranks != 0 && workload.ranks != request.ranks)
    throw ScenarioError(
        fmt::format("{}: is for {} ranks, and --ranks says {}", request.file, workload.ranks, request.ranks));
  const std::uint32_t ranks = workload.ranks != 0 ? workload.ranks : request.ranks;
  struct Sum {
    std::uint64_t count = 0, bytes = 0;
  };
  std::map<std::pair<Collective, LayerGroup>, Sum> sums;
  std::uint64_t nanos = 0;
  for (const LayerWorkload::Step& step : workload.steps) {
    nanos += step.nanos;
    if (step.bytes == 0) continue;
    Sum& sum = sums[{step.collective, step.group}];
    ++sum.count;
    sum.bytes += step.bytes;
  }
  std::string yaml = fmt::format("# The workload of layers {}: {} layers, {} ranks, {} ns of computing\n",
                                 one_line_comment(request.name_in_scenario), workload.layers, ranks, nanos);
  for (const auto& [key, sum] : sums) {
    yaml += fmt::format("# {} {} of {} bytes together, in {} groups of {}\n", sum.count, name_of(key.first),
                        sum.bytes, layer_group_words[static_cast<std::size_t>(key.second)],
                        ranks_of_groups(workload, ranks, key.second).front().size());
  }
  yaml += "# All ranks are in step, and each collective is waited for: none is hidden behind computing\n";
  for (const std::string& note : workload.notes) yaml += "# Note: " + one_line_comment(note) + "\n";
  return yaml + trace_scenario(request, ranks);
}

}  // namespace tahoma
