#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/errors.h"
#include "scenarios/import/import.h"
#include "scenarios/import/import_hardware.h"
#include "scenarios/import/nccl_topology.h"

namespace tahoma {

namespace {

constexpr std::array<std::string_view, 5> kind_words = {"chip", "nic", "switch", "switch", "switch"};

std::string_view word_of(NcclTopology::Kind kind) {
  return kind_words[static_cast<std::size_t>(kind)];
}

std::string more_servers(const NcclTopology& topology) {
  if (topology.port_speeds.empty()) return "";
  const auto [least, most] = std::minmax_element(topology.port_speeds.begin(), topology.port_speeds.end());
  std::string text = fmt::format(
      "# For several such servers: cluster: {{count: 2}}, and beside `graph`\n"
      "# scale_out: [{{kind: switch, bandwidth: {}, latency: 1us}}] (the file's port speed; latency "
      "assumed)\n",
      topology.port_speeds.front());
  if (*least != *most) text += fmt::format("# Ports differ: {} to {}\n", *least, *most);
  return text;
}

}  // namespace

std::string scenario_from_nccl(const ImportRequest& request, const std::string& content) {
  if (!request.preset.empty())
    throw ScenarioError(request.file + ": a topology is hardware itself; --preset says nothing here");
  const NcclTopology topology = read_nccl_topology(content, request.file);
  std::array<std::size_t, 5> count{};
  for (const auto& vertex : topology.vertices) ++count[static_cast<std::size_t>(vertex.kind)];
  std::string yaml = fmt::format(
      "# The server of the NCCL topology {}: {} GPUs, {} NICs, {} PCI bridges, {} CPUs{}\n"
      "# Bandwidths of PCIe are the file's; those of GPUs' own links are per link, times their count, from "
      "the\n"
      "# sources beside them. Latencies are assumed: the format has none.\n",
      request.name_in_scenario, count[0], count[1], count[2], count[3], count[4] > 0 ? ", NVSwitches" : "");
  for (const std::string& note : topology.notes) yaml += "# Note: " + one_line_comment(note) + "\n";
  yaml += more_servers(topology);
  yaml += "fabric:\n  graph:\n    vertices:\n";
  for (const auto& vertex : topology.vertices) {
    yaml += fmt::format("      - {{name: {}, kind: {}}}\n", yaml_scalar(vertex.name), word_of(vertex.kind));
  }
  yaml += "    links:\n";
  for (const auto& link : topology.links) {
    const std::string efficiency = link.efficiency == "1" ? "" : ", efficiency: " + link.efficiency;
    yaml +=
        fmt::format("      - {{a: {}, b: {}, bandwidth: {}{}, latency: {}, two_way: true}}  # {}\n",
                    yaml_scalar(topology.vertices[link.a].name), yaml_scalar(topology.vertices[link.b].name),
                    link.bandwidth, efficiency, link.latency, link.source);
  }
  return yaml + "workload: {collective: all_reduce, sizes: 256MiB, algorithm: auto}\n";
}

}  // namespace tahoma
