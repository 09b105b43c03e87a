#include "scenarios/import/import_hardware.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/errors.h"
#include "core/natural_order.h"
#include "scenarios/load.h"
#include "scenarios/network.h"
#include "scenarios/tree.h"

namespace tahoma {

namespace {

std::unique_ptr<Topology> cluster_of(const std::string& preset, std::uint32_t count) {
  LoadRequest request;
  request.file = "--preset";
  request.text = fmt::format("extends: [{}]\ncluster: {{count: {}}}\n", yaml_scalar(preset), count);
  request.needs_workload = false;
  return make_network(load(request)).topology;
}

}  // namespace

std::string yaml_scalar(const std::string& text) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.text = text;
  return one_line(node);
}

std::string one_line_comment(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return text;
}

ImportedHardware hardware_for(std::uint32_t ranks, const std::string& preset) {
  if (preset.empty()) {
    return {fmt::format(
                "# The file does not know its network. These figures are assumed: replace them, or name a\n"
                "# system with --preset.\n"
                "cluster: {{count: 1}}\n"
                "fabric: {{scale_up: [{{kind: switch, size: {}, bandwidth: 100GB/s, latency: 1us}}]}}\n",
                ranks),
            ""};
  }
  const std::uint32_t of_one = cluster_of(preset, 1)->chips();
  const std::uint32_t count = (ranks + of_one - 1) / of_one;
  const auto topology = cluster_of(preset, count);
  ImportedHardware hardware;
  hardware.yaml = fmt::format("extends: [{}]\ncluster: {{count: {}}}\n", yaml_scalar(preset), count);
  std::vector<std::string> names;
  for (ChipId chip = 0; chip < topology->chips(); ++chip) names.push_back(topology->chip_name(chip));
  std::vector<std::string> sorted = names;
  std::stable_sort(sorted.begin(), sorted.end(), natural_less);
  if (sorted == names) {
    if (ranks < topology->chips()) hardware.ranks = std::to_string(ranks);
    return hardware;
  }
  sorted.resize(ranks);
  std::string list;
  for (const std::string& name : sorted) list += (list.empty() ? "" : ", ") + yaml_scalar(name);
  hardware.ranks = "[[" + list + "]]";
  return hardware;
}

}  // namespace tahoma
