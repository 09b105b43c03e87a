#include "scenarios/import/astra_system.h"

#include <algorithm>
#include <array>

#include "core/errors.h"
#include "core/nearest.h"
#include "scenarios/field.h"
#include "scenarios/quantity.h"
#include "scenarios/yaml_tree.h"

namespace tahoma {

namespace {

constexpr std::uint64_t most_npus = 1 << 24;
constexpr std::size_t most_astra_dimensions = 3;

struct AstraKind {
  std::string_view word, kind;
};
constexpr std::array astra_kinds = {AstraKind{"Ring", "ring"}, AstraKind{"FullyConnected", "full"},
                                    AstraKind{"Switch", "switch"}};
constexpr std::array<std::string_view, 4> network_keys = {"topology", "npus_count", "bandwidth", "latency"};

std::string with_unit(const Field& field, std::string_view unit, void (*read)(std::string_view)) {
  std::string text = field.text() + std::string(unit);
  try {
    read(text);
  } catch (const BadText&) {
    refuse(field, {"is no number that is a quantity in " + std::string(unit), "such as 50.0", ""});
  }
  return text;
}

}  // namespace

AstraNetwork read_astra_network(std::string_view yaml, const std::string& file) {
  const Node root = parse_yaml({yaml, file});
  const Field map{&root, ""};
  if (!root.is_map())
    throw ScenarioError(file +
                        ":1:1: this is no network of ASTRA-sim; accepted: topology, npus_count, bandwidth "
                        "and latency, a list each");
  for (const Entry& entry : root.entries) {
    if (std::find(network_keys.begin(), network_keys.end(), entry.key) != network_keys.end()) continue;
    refuse({entry.key_place,
            entry.key,
            "",
            {"is no key of a network", "topology, npus_count, bandwidth or latency",
             nearest(entry.key, std::span<const std::string_view>(network_keys))}});
  }
  std::array<Field, 4> lists;
  for (std::size_t k = 0; k < network_keys.size(); ++k) {
    lists[k] = required(map, network_keys[k]);
    if (!lists[k].node->is_list() || lists[k].size() == 0)
      refuse(lists[k], {"is no list", "a value per dimension", ""});
    if (lists[k].size() != lists[0].size())
      refuse(lists[k], {"has another length than topology: " + std::to_string(lists[k].size()) + " and " +
                            std::to_string(lists[0].size()),
                        "a value per dimension", ""});
  }
  if (lists[0].size() > most_astra_dimensions)
    refuse(lists[0], {"has " + std::to_string(lists[0].size()) +
                          " dimensions, and a scenario can name an algorithm for three levels",
                      "up to 3", ""});
  AstraNetwork network;
  for (std::size_t d = 0; d < lists[0].size(); ++d) {
    std::array<Field, 4> values;
    for (std::size_t k = 0; k < lists.size(); ++k) {
      values[k] = lists[k][d];
      if (!values[k].node->is_scalar())
        refuse(values[k], {"is no single value", "one value per dimension", ""});
    }
    AstraNetwork::Dimension dimension;
    dimension.word = values[0].text();
    const auto row = std::find_if(astra_kinds.begin(), astra_kinds.end(),
                                  [&](const AstraKind& kind) { return kind.word == dimension.word; });
    if (row == astra_kinds.end()) {
      static constexpr std::array<std::string_view, 3> words = {"Ring", "FullyConnected", "Switch"};
      refuse(values[0], {"is no topology of ASTRA-sim", "Ring, FullyConnected or Switch",
                         nearest(dimension.word.substr(0, 80), std::span<const std::string_view>(words))});
    }
    dimension.kind = row->kind;
    const std::uint64_t size = read_field(values[1], read_count);
    if (size < 2 || size > most_npus || network.npus * size > most_npus)
      refuse(values[1], {"makes no dimension", "2 or more, and at most 2^24 NPUs together", ""});
    dimension.size = static_cast<std::uint32_t>(size);
    network.npus *= dimension.size;
    dimension.bandwidth = with_unit(values[2], "GiB/s", [](std::string_view text) { read_bandwidth(text); });
    dimension.latency = with_unit(values[3], "ns", [](std::string_view text) { read_time(text); });
    network.dimensions.push_back(std::move(dimension));
  }
  return network;
}

}  // namespace tahoma
