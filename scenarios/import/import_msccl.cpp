#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "collectives/importers/msccl_program.h"
#include "core/natural_order.h"
#include "scenarios/import/import.h"
#include "scenarios/import/import_hardware.h"
#include "scenarios/tree.h"

namespace tahoma {

namespace {

struct StepCounts {
  std::size_t blocks = 0, steps = 0, sends = 0, chunks_sent = 0;
};

StepCounts count_steps(const Msccl& algorithm) {
  StepCounts counts;
  for (const Msccl::Gpu& gpu : algorithm.gpus) {
    counts.blocks += gpu.blocks.size();
    for (const Msccl::Block& block : gpu.blocks) {
      counts.steps += block.steps.size();
      for (const Msccl::Step& step : block.steps) {
        if (!step.what().sends) continue;
        ++counts.sends;
        counts.chunks_sent += step.count;
      }
    }
  }
  return counts;
}

std::string placements(const Msccl& algorithm) {
  if (algorithm.in_place && algorithm.out_of_place) return "in place and out of place";
  return algorithm.in_place ? "in place" : "out of place";
}

// A size that the schedule was made for.
std::uint64_t usual_size(const Msccl& algorithm) {
  std::uint64_t size = std::uint64_t{1} << 30;
  if (algorithm.most_bytes != 0) size = std::min(size, algorithm.most_bytes);
  return std::max(size, algorithm.least_bytes);
}

}  // namespace

std::string scenario_from_msccl(const ImportRequest& request, const std::string& content) {
  const Msccl algorithm = read_msccl(content, request.file);
  const std::string left = prove(algorithm);
  const StepCounts counts = count_steps(algorithm);
  const auto ranks = static_cast<std::uint32_t>(algorithm.gpus.size());
  std::string yaml = fmt::format(
      "# The MSCCL algorithm '{}', {}\n"
      "# {} on {} ranks; {} channels, protocol {}, {} chunks, made for {} to {} bytes\n"
      "# {} threadblocks, {} steps, {} messages of {} chunks in all\n",
      one_line_comment(algorithm.name), request.name_in_scenario, algorithm.collective, ranks,
      algorithm.channels, algorithm.protocol, algorithm.chunks, algorithm.least_bytes,
      algorithm.most_bytes == 0 ? "any number of" : std::to_string(algorithm.most_bytes), counts.blocks,
      counts.steps, counts.sends, counts.chunks_sent);
  if (left.empty()) {
    yaml += fmt::format(
        "# proven by replay {}: every chunk of the output holds exactly what it should, in any order\n",
        placements(algorithm));
  } else {
    yaml += "# not proven: " + left + "\n";
  }
  const ImportedHardware hardware = hardware_for(ranks, request.preset);
  yaml += hardware.yaml;
  yaml += "workload:\n";
  yaml += "  program: " + yaml_scalar(request.name_in_scenario) + "\n";
  yaml += fmt::format("  sizes: {}B\n", usual_size(algorithm));
  if (!hardware.ranks.empty()) yaml += "  ranks: " + hardware.ranks + "\n";
  return yaml;
}

}  // namespace tahoma
