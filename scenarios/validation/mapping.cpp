#include "scenarios/validation/mapping.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

#include "core/errors.h"
#include "scenarios/import/import_hardware.h"
#include "scenarios/key_table.h"
#include "scenarios/load.h"
#include "scenarios/quantity.h"
#include "scenarios/validation/embedded.h"
#include "scenarios/validation/families.h"
#include "topology/presets.h"

namespace tahoma {

namespace {

struct Renamed {
  std::string_view measured, ours;
};

// nccl-tests' sendrecv passes a buffer to the next rank.
constexpr std::array collectives_renamed{Renamed{"sendrecv", "permute"}};
constexpr std::array dtypes_renamed{Renamed{"uint8", "int8"}, Renamed{"float", "fp32"},
                                    Renamed{"half", "fp16"}, Renamed{"bfloat16", "bf16"}};
// Neuron's mesh is an exchange of everyone with everyone.
constexpr std::array algorithms_renamed{Renamed{"", "auto"}, Renamed{"mesh", "direct"}};

// What a row's own software is called in the scenario: the first of the two names that `stack` knows.
struct OwnSoftware {
  std::string_view prefix, stack, otherwise;
};
constexpr std::array own_software{OwnSoftware{"own:msccl++", "msccl++", "msccl"},
                                  OwnSoftware{"own:msccl", "msccl", "msccl"}};
constexpr std::string_view imported = "imported:";

template <std::size_t N>
std::string renamed(const std::array<Renamed, N>& table, const std::string& name) {
  const auto at =
      std::find_if(table.begin(), table.end(), [&](const Renamed& r) { return r.measured == name; });
  return at == table.end() ? name : std::string(at->ours);
}

bool is_key(std::string_view path) {
  const auto table = key_table();
  return std::any_of(table.begin(), table.end(),
                     [&](const Key& key) { return key.path == path && key.status == Status::supported; });
}

bool is_choice(std::string_view path, const std::string& name) {
  const Key* key = key_at(path);
  const std::vector<std::string> names = key == nullptr ? std::vector<std::string>{} : built_names(*key);
  return std::find(names.begin(), names.end(), name) != names.end();
}

// ---- the hardware, as the reader resolves it ----

struct PresetUnit {
  std::uint64_t chips = 1, chips_per_server = 1;
  bool is_graph = false, is_one_server = true;
  bool is_switched = false;          // one dimension, a switch
  std::vector<std::uint32_t> sizes;  // of its dimensions, the innermost first
};

PresetUnit unit_of(const MeasuredRow& row, const std::string& shape) {
  LoadRequest request;
  request.file = "preset of row " + row.id;
  request.needs_workload = false;
  request.text = fmt::format("apiVersion: tahoma/v1\ncluster: {{preset: {}{}}}\n", row.preset, shape);
  try {
    const Scenario scenario = load(request);
    PresetUnit unit;
    if (const auto* cluster = std::get_if<ClusterShape>(&scenario.network)) {
      for (const Dimension& dimension : cluster->scale_up) {
        unit.sizes.push_back(dimension.size);
        unit.chips *= dimension.size;
      }
      unit.is_switched =
          cluster->scale_up.size() == 1 && cluster->scale_up[0].kind == DimensionKind::switched;
      unit.chips_per_server = scenario.chips_per_server;
      unit.is_one_server = unit.chips == unit.chips_per_server;
    } else {
      const auto& vertices = std::get<GraphShape>(scenario.network).vertices;
      unit.is_graph = true;
      unit.chips = static_cast<std::uint64_t>(std::count_if(
          vertices.begin(), vertices.end(), [](const GraphVertex& v) { return v.kind == VertexKind::chip; }));
      unit.chips_per_server = unit.chips;
    }
    return unit;
  } catch (const ScenarioError& error) {
    throw Unmapped{error.what()};
  } catch (const InfeasibleError& error) {
    throw Unmapped{error.what()};
  }
}

// "2x2x1" -> "[2, 2, 1]"
std::string shape_text(const MeasuredRow& row) {
  std::vector<std::uint64_t> sizes;
  std::size_t at = 0;
  while (at <= row.shape.size()) {
    const std::size_t end = std::min(row.shape.find('x', at), row.shape.size());
    try {
      sizes.push_back(read_count(row.shape.substr(at, end - at)));
    } catch (const BadText&) {
      throw Unmapped{fmt::format("shape '{}' is not understood; accepted: sizes such as 2x2x4", row.shape)};
    }
    at = end + 1;
  }
  return fmt::format("[{}]", fmt::join(sizes, ", "));
}

// ---- NICs ----

struct Nics {
  std::uint64_t count = 0;
  std::string bandwidth;  // of one, as written
};

// "8x100Gbps" per server, or "4x400Gbps per 4 GPUs".
Nics nics_of(const MeasuredRow& row, std::uint64_t chips_per_server) {
  const auto not_understood = [&] {
    return Unmapped{fmt::format(
        "nic '{}' is not understood; accepted: such as 8x100Gbps (per server) or 4x400Gbps per 4 GPUs",
        row.nic)};
  };
  std::string text = row.nic;
  std::uint64_t share = 0;
  if (const std::size_t per = text.find(" per "); per != std::string::npos) {
    const std::string chips = text.substr(per + 5, text.find(' ', per + 5) - per - 5);
    try {
      share = read_count(chips);
    } catch (const BadText&) {
      throw not_understood();
    }
    text.resize(per);
  }
  const std::size_t times = text.find('x');
  if (times == std::string::npos) throw not_understood();
  Nics nics;
  try {
    nics = {read_count(text.substr(0, times)), text.substr(times + 1)};
    read_bandwidth(nics.bandwidth);
  } catch (const BadText&) {
    throw not_understood();
  }
  if (share == 0) return nics;
  if (nics.count * chips_per_server % share != 0) {
    throw Unmapped{
        fmt::format("nic '{}' does not divide evenly over a server of {} chips", row.nic, chips_per_server)};
  }
  nics.count = nics.count * chips_per_server / share;
  return nics;
}

std::uint64_t occurrences(std::string_view text, std::string_view word) {
  std::uint64_t count = 0;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++count;
  return count;
}

// What all NICs of a server of the preset carry, raw; 0 if it has none.
Capacity own_nics(const std::string& preset, const PresetUnit& unit) {
  const auto bandwidth = preset_value(preset, "fabric.scale_out.0.bandwidth");
  if (!bandwidth) return {};
  const auto planes = preset_value(preset, "fabric.scale_out.0.planes");
  const std::uint64_t nics =
      unit.is_graph ? occurrences(preset_value(preset, "fabric.graph.vertices").value_or(""), "kind: nic")
                    : unit.chips_per_server * (planes ? read_count(*planes) : 1);
  return capacity_of({read_bandwidth(*bandwidth)}, nics);
}

std::string fabric_text(const MeasuredRow& row, const PresetFamily& family, const PresetUnit& unit) {
  if (row.count == 1) return "";  // within one unit no byte meets a NIC
  std::string text;
  if (!row.nic.empty()) {
    const Nics nics = nics_of(row, unit.chips_per_server);
    if (capacity_of({read_bandwidth(nics.bandwidth)}, nics.count) != own_nics(row.preset, unit)) {
      text += fmt::format(", nic: {{count: {}, bandwidth: {}}}", nics.count, nics.bandwidth);
    }
  }
  if (row.transport.empty() || row.transport == family.transport) return text;
  if (!is_choice("cluster.transport", row.transport)) {
    throw Unmapped{fmt::format("transport '{}' is not known; accepted: efa, ib or roce", row.transport)};
  }
  return text + ", transport: " + row.transport;
}

// ---- who takes part ----

std::optional<std::uint64_t> stride_of_axis(const PresetUnit& unit, std::uint64_t ranks) {
  std::optional<std::uint64_t> stride;
  std::uint64_t product = 1;
  for (const std::uint32_t size : unit.sizes) {
    if (size == ranks) stride = product;
    product *= size;
  }
  return stride;
}

// As many chips in each of several switched domains, if those are not all: the others are left out of the
// cluster, which changes no time. "" if that is not the case; other NICs are counted for whole domains.
std::string ports_text(const MeasuredRow& row, const PresetUnit& unit, bool other_nics) {
  const std::uint64_t each = std::uint64_t{row.count} * row.ranks_per_chip;
  if (row.count == 1 || other_nics || !unit.is_switched || row.ranks % each != 0) return "";
  const std::uint64_t ports = row.ranks / each;
  return ports < unit.chips ? fmt::format(", shape: [{}]", ports) : "";
}

// All of them; along one axis of a slice, every such line at once; the first ones of each unit.
std::string ranks_text(const MeasuredRow& row, const PresetUnit& unit) {
  const std::uint64_t all = unit.chips * row.count * row.ranks_per_chip;
  if (row.ranks == all) return "";
  if (row.ranks > all) {
    throw Unmapped{fmt::format("{} ranks do not fit {} chips with {} rank(s) each", row.ranks,
                               unit.chips * row.count, row.ranks_per_chip)};
  }
  if (!row.shape.empty()) {
    if (const auto stride = stride_of_axis(unit, row.ranks)) return fmt::format("{{stride: {}}}", *stride);
  }
  if (row.count == 1) return fmt::format("{}", row.ranks);
  const std::uint64_t each = std::uint64_t{row.count} * row.ranks_per_chip;
  if (row.ranks % each != 0) {
    throw Unmapped{fmt::format("{} ranks cannot be spread evenly over {} servers with {} rank(s) a chip",
                               row.ranks, row.count, row.ranks_per_chip)};
  }
  if (unit.is_graph || !unit.is_one_server) {
    throw Unmapped{
        fmt::format("a part of each of several units of '{}' has no name in a selector", row.preset)};
  }
  return fmt::format("\"s[0-{}].c[0-{}]\"", row.count - 1, row.ranks / each - 1);
}

// To the next rank; in a slice to the next chip along the first axis, which is a link away.
std::string pattern_text(const MeasuredRow& row, const PresetUnit& unit) {
  if (row.shape.empty() || row.ranks != unit.chips || unit.sizes.empty()) return "shift(1)";
  const auto axis =
      std::find_if(unit.sizes.begin(), unit.sizes.end(), [](std::uint32_t size) { return size > 1; });
  if (axis == unit.sizes.end()) return "shift(1)";
  std::vector<std::uint32_t> to;
  for (std::uint32_t chip = 0; chip < row.ranks; ++chip) {
    const std::uint32_t along = chip % *axis;
    to.push_back(chip - along + (along + 1) % *axis);
  }
  return fmt::format("[{}]", fmt::join(to, ", "));
}

// ---- with what ----

struct Software {
  std::string algorithm, stack;
};

bool is_imported(const MeasuredRow& row) {
  return row.algo.rfind(imported, 0) == 0;
}

// A schedule that comes with the program, as the scenario's own text; its ranks are counted by the chips'
// names.
std::string program_text(const MeasuredRow& row) {
  const std::string file = row.algo.substr(imported.size());
  const std::string_view listed = embedded_program(file);
  if (listed.empty()) {
    throw Unmapped{fmt::format("algo '{}': no such schedule comes with the program; accepted: {}", row.algo,
                               embedded_program_names())};
  }
  std::string text = "  program: |\n";
  for (std::size_t at = 0; at < listed.size();) {
    const std::size_t end = std::min(listed.find('\n', at), listed.size());
    text += "    ";
    text.append(listed, at, end - at);
    text += '\n';
    at = end + 1;
  }
  const std::string ranks = hardware_for(row.ranks, row.preset).ranks;
  if (!ranks.empty()) text += "  ranks: " + ranks + "\n";
  return text;
}

Software software_of(const MeasuredRow& row, const PresetFamily& family) {
  for (const OwnSoftware& own : own_software) {
    if (row.algo.rfind(own.prefix, 0) != 0) continue;
    const std::string stack(own.stack);
    return {"auto", is_choice("workload.stack", stack) ? stack : std::string(own.otherwise)};
  }
  const std::string stack(family.stack);
  const std::string algorithm = renamed(algorithms_renamed, row.algo);
  if (!is_choice("workload.algorithm", algorithm)) {
    throw Unmapped{
        fmt::format("algo '{}' is not known; accepted: empty, mesh, own:..., imported:FILE or one of "
                    "`tahoma algorithms`",
                    row.algo)};
  }
  return {algorithm, stack};
}

std::string dtype_of(const MeasuredRow& row) {
  std::string dtype = renamed(dtypes_renamed, row.dtype);
  if (dtype.empty() || is_choice("workload.dtype", dtype)) return dtype;
  throw Unmapped{
      fmt::format("dtype '{}' is not known; accepted: {}", row.dtype, key_at("workload.dtype")->accepted)};
}

}  // namespace

std::string collective_of(const MeasuredRow& row) {
  return renamed(collectives_renamed, row.collective);
}

namespace {

/// The hardware of a row, and the line that says it.
struct MappedCluster {
  const PresetFamily* family;
  PresetUnit unit;
  std::string text;
  std::string ports;
};

MappedCluster mapped_cluster(const MeasuredRow& row, bool in_parts) {
  if (row.preset.empty()) throw Unmapped{"the setup is not known"};
  const PresetFamily* family = family_of(row.preset);
  if (family == nullptr)
    throw Unmapped{fmt::format("preset '{}' is no hardware to compare with", row.preset)};
  const std::string shape = row.shape.empty() ? "" : ", shape: " + shape_text(row);
  PresetUnit unit = unit_of(row, shape);
  const std::string fabric = fabric_text(row, *family, unit);
  std::string ports = in_parts ? ports_text(row, unit, fabric.find(", nic: ") != std::string::npos) : "";
  std::string text = fmt::format("cluster: {{preset: {}, count: {}{}", row.preset, row.count, shape + ports);
  if (row.ranks_per_chip > 1) text += fmt::format(", ranks_per_chip: {}", row.ranks_per_chip);
  text += fabric + "}\n";
  return {family, std::move(unit), std::move(text), std::move(ports)};
}

}  // namespace

std::string cluster_text(const MeasuredRow& row) {
  return mapped_cluster(row, false).text;
}

std::string scenario_text(const MeasuredRow& row, const std::string& name,
                          const std::vector<std::uint64_t>& sizes) {
  const MappedCluster cluster = mapped_cluster(row, true);
  const PresetFamily* family = cluster.family;
  const PresetUnit& unit = cluster.unit;
  const std::string collective = collective_of(row);
  const bool listed = is_imported(row);
  const Software software = listed ? Software{"", std::string(family->stack)} : software_of(row, *family);
  const std::string ranks = cluster.ports.empty() ? ranks_text(row, unit) : "";
  const std::string dtype = dtype_of(row);

  std::string text = fmt::format("apiVersion: tahoma/v1\nname: {}\n", name);
  text += cluster.text;
  text += "workload:\n";
  text += listed ? program_text(row) : "  collective: " + collective + "\n";
  text += fmt::format("  sizes: [{}B]\n", fmt::join(sizes, "B, "));
  if (!listed && collective == "permute") text += "  pattern: " + pattern_text(row, unit) + "\n";
  if (!listed && !ranks.empty()) text += "  ranks: " + ranks + "\n";
  if (!dtype.empty()) text += "  dtype: " + dtype + "\n";
  if (!listed) text += "  algorithm: " + software.algorithm + "\n";
  // As a map, so that a value laid over it (`--set workload.stack...`) finds a place.
  if (is_key("workload.stack.name")) {
    text += "  stack: {name: " + software.stack + "}\n";
  } else if (is_key("workload.stack")) {
    text += "  stack: " + software.stack + "\n";
  }
  return text;
}

}  // namespace tahoma
