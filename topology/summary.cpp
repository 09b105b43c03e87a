#include "topology/summary.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "topology/dimension_links.h"
#include "topology/graph.h"
#include "topology/max_flow.h"
#include "topology/mixed.h"
#include "topology/product.h"
#include "topology/rank_topology.h"

namespace tahoma {

namespace {

std::uint32_t links_of_chip(const GridDimension& d, bool at_end) {
  switch (d.kind) {
    case DimensionKind::ring:
      return d.one_way_port_only() ? 1 : 2;
    case DimensionKind::line:
      return at_end ? 1 : 2;
    case DimensionKind::full:
      return d.size - 1;
    case DimensionKind::switched:
      return 1;
  }
  return 0;
}

void count_degrees(const ProductTopology& topology, TopologySummary& summary) {
  const Geometry& g = topology.geometry();
  for (const GridDimension& d : g.dimensions) {
    summary.degree_min += links_of_chip(d, true);
    summary.degree_max += links_of_chip(d, d.kind == DimensionKind::line && d.size == 2);
  }
  std::map<ChipId, std::uint32_t> dead;
  for (const auto& [value, state] : topology.exceptions()) {
    const LinkKey key = key_of(LinkId{value});
    if (state.dead && key.kind == LinkKind::dimension && leaves_chip(g, key)) ++dead[key.owner];
  }
  for (const auto& [chip, count] : dead) {
    std::uint32_t degree = 0;
    for (const GridDimension& d : g.dimensions) {
      const std::uint32_t digit = d.digit(chip);
      degree += links_of_chip(d, digit == 0 || digit + 1 == d.size);
    }
    summary.degree_min = std::min(summary.degree_min, degree - std::min(degree, count));
  }
}

void count_dimensions(const ProductTopology& topology, TopologySummary& summary) {
  const Geometry& g = topology.geometry();
  for (std::size_t i = 0; i < g.dimensions.size(); ++i) {
    const GridDimension& d = g.dimensions[i];
    const std::uint64_t groups = g.chips / d.size;
    const std::uint64_t edges = links_per_group(d) * groups / 2;
    summary.dimensions.push_back({topology.tiers()[i].name, d.size, edges, d.raw, d.capacity, d.latency});
    if (d.kind == DimensionKind::switched) {
      summary.switches.push_back({d.name, groups * d.multiply});
    } else {
      summary.chip_edges += edges;
    }
  }
  if (!g.has_clos) return;
  summary.switches.push_back({"leaf", std::uint64_t{g.leaves} * g.clos.leaves_per_nic});
  if (g.clos.tiers >= 2) summary.switches.push_back({"spine", std::uint64_t{g.pods} * g.spines});
  if (g.clos.tiers == 3) summary.switches.push_back({"core", g.sites.size() * std::uint64_t{g.cores}});
}

void warn(const ProductTopology& topology, TopologySummary& summary) {
  const Geometry& g = topology.geometry();
  if (!g.has_clos) return;
  const auto digits = topology.digits();
  const bool irregular =
      std::any_of(digits.begin(), digits.end(), [](const Digit& d) { return d.name == "domain"; });
  if (irregular)
    summary.warnings.push_back("leaves, pods or sites are unequally filled: domains are not alike");
  const bool one_leaf =
      std::all_of(g.sites.begin(), g.sites.end(), [](const SiteFabric& s) { return s.groups == 1; });
  if (one_leaf && g.clos.rails == 1 && g.sites.size() == 1 && g.clos.tiers > 1) {
    summary.warnings.push_back("all domains fit on one leaf: spines and cores carry nothing");
  }
  std::uint64_t dead = 0;
  for (const auto& [value, state] : topology.exceptions()) dead += state.dead ? 1U : 0U;
  if (dead > 0) summary.warnings.push_back(fmt::format("{} directed links are dead", dead));
}

void summarize_product(const ProductTopology& topology, TopologySummary& summary) {
  const Geometry& g = topology.geometry();
  summary.servers = g.chips / g.server_chips;
  summary.domains = g.domains;
  summary.sites = g.sites.size();
  summary.nic_raw = g.nic_raw;
  count_dimensions(topology, summary);
  count_degrees(topology, summary);
  warn(topology, summary);
}

void summarize_ranks(const RankTopology& topology, TopologySummary& summary) {
  const LinkId port = RankTopology::port(0, up_port);
  summary.dimensions.push_back({topology.tiers()[0].name, topology.ranks_per_chip(), topology.chips(),
                                topology.raw_port(), topology.capacity(port), topology.latency(port)});
  summarize_product(topology.chip_network(), summary);
}

// Sites of different hardware: the sum of theirs. Each dimension and switch is named with its site.
void summarize_mixed(const MixedTopology& topology, TopologySummary& summary) {
  for (const auto& site : topology.sites()) {
    TopologySummary own;
    summarize_product(*site.inside, own);
    const auto named = [&](const std::string& name) { return name + " of site." + site.name; };
    summary.servers += own.servers;
    summary.domains += own.domains;
    summary.sites += own.sites;
    summary.chip_edges += own.chip_edges;
    const bool is_first = summary.sites == 1;
    summary.degree_min = is_first ? own.degree_min : std::min(summary.degree_min, own.degree_min);
    summary.degree_max = std::max(summary.degree_max, own.degree_max);
    for (DimensionSummary& dimension : own.dimensions) {
      dimension.name = named(dimension.name);
      summary.dimensions.push_back(std::move(dimension));
    }
    for (SwitchCount& count : own.switches) summary.switches.push_back({named(count.name), count.count});
    for (const std::string& warning : own.warnings)
      summary.warnings.push_back("site." + site.name + ": " + warning);
  }
}

void summarize_graph(const GraphTopology& topology, TopologySummary& summary) {
  summary.servers = summary.domains = summary.sites = 1;
  summary.switches.push_back({"switch or NIC", topology.vertex_count() - topology.chips()});
  std::vector<Edge> edges;
  for (ChipId chip = 0; chip < topology.chips(); ++chip) {
    edges.clear();
    topology.out_edges(chip, edges);
    const auto degree = static_cast<std::uint32_t>(edges.size());
    summary.degree_min = chip == 0 ? degree : std::min(summary.degree_min, degree);
    summary.degree_max = std::max(summary.degree_max, degree);
  }
  // A cable of two directions is one edge, a one-way link another.
  const auto& links = topology.links();
  for (std::uint32_t i = 0; i < links.size(); ++i) {
    const bool is_second = links[i].reverse != ~0u && links[i].reverse < i;
    if (links[i].from < topology.chips() && links[i].to < topology.chips() && !is_second)
      ++summary.chip_edges;
  }
}

}  // namespace

TopologySummary summarize(const Topology& topology) {
  TopologySummary summary;
  summary.chips = topology.chips() / topology.ranks_per_chip();
  summary.ranks_per_chip = topology.ranks_per_chip();
  summary.vertices = topology.vertex_count();
  summary.links = topology.link_count();
  summary.distances = distances(topology);
  summary.cuts = topology.cuts();
  if (const Cut* weakest = weakest_bisection(summary.cuts)) {
    summary.weakest = static_cast<int>(weakest - summary.cuts.data());
  }
  if (const auto* product = dynamic_cast<const ProductTopology*>(&topology))
    summarize_product(*product, summary);
  if (const auto* graph = dynamic_cast<const GraphTopology*>(&topology)) summarize_graph(*graph, summary);
  if (const auto* ranks = dynamic_cast<const RankTopology*>(&topology)) summarize_ranks(*ranks, summary);
  if (const auto* mixed = dynamic_cast<const MixedTopology*>(&topology)) summarize_mixed(*mixed, summary);
  return summary;
}

}  // namespace tahoma
