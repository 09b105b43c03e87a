#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "collectives/importers/chakra.h"
#include "collectives/importers/gunzip.h"
#include "core/errors.h"
#include "scenarios/import/import.h"
#include "scenarios/import/import_hardware.h"

namespace tahoma {

namespace {

constexpr std::size_t most_unpacked = std::size_t{1} << 30;

}  // namespace

std::string scenario_from_chakra(const ImportRequest& request, const std::string& content) {
  const ChakraTrace trace =
      read_chakra(is_gzip(content) ? gunzip(content, request.file, most_unpacked) : content, request.file);
  if (request.ranks == 0)
    throw ScenarioError(request.file + ": a trace is one rank's; say with --ranks how many do the same");
  std::map<std::string_view, std::pair<std::size_t, std::uint64_t>> sums;  // nodes and microseconds
  std::uint64_t collectives = 0, bytes = 0;
  for (const ChakraNode& node : trace.nodes) {
    const bool networked = node.type == ChakraNode::Type::collective && node.comm_type && node.comm_size;
    const bool message = node.type == ChakraNode::Type::send || node.type == ChakraNode::Type::receive;
    auto& [count, micros] = sums[networked || message ? "network" : node.on_host ? "host" : "device"];
    ++count;
    micros += node.micros;
    if (networked) {
      ++collectives;
      bytes += *node.comm_size;
    }
  }
  std::string yaml = fmt::format("# The Chakra trace {}, run by {} ranks that all do the same\n",
                                 request.name_in_scenario, request.ranks);
  for (const auto& [where, sum] : sums)
    yaml += fmt::format("# {} nodes on the {}, recorded as {} us\n", sum.first, where, sum.second);
  yaml += fmt::format(
      "# {} collectives of {} bytes together are run by schedules of this network, not as recorded\n",
      collectives, bytes);
  if (trace.absent_needs > 0)
    yaml +=
        fmt::format("# {} dependencies are on nodes that the file does not hold; they are taken as done\n",
                    trace.absent_needs);
  if (trace.controls_left_out)
    yaml +=
        "# Control dependencies go round in a circle, so they are no order; only those of data are kept\n";
  const ImportedHardware hardware = hardware_for(request.ranks, request.preset);
  return yaml + hardware.yaml + "workload: {trace: " + yaml_scalar(request.name_in_scenario) +
         (hardware.ranks.empty() ? "" : ", ranks: " + hardware.ranks) + "}\n";
}

}  // namespace tahoma
