// The links out of a named thing. Single uplinks have names under `spray` too, where routes take the trunk: a
// fault on one of them narrows the trunk.
#include "topology/link_key.h"
#include "topology/selectors.h"

namespace tahoma {

namespace {

using Found = std::vector<TerminalLink>;

Terminal terminal_of(const VertexPlace& place) {
  switch (place.kind) {
    case VertexPlaceKind::dimension_switch:
      return {TerminalKind::dimension_switch, place.owner, 0, place.index};
    case VertexPlaceKind::leaf:
      return {TerminalKind::leaf, place.owner, 0, 0};
    default:
      return {TerminalKind::chip, place.owner, 0, 0};
  }
}

Found out_of_chip(const ProductTopology& topology, ChipId chip, bool only_nic) {
  Found found;
  std::vector<Edge> edges;
  topology.append_edges(chip, ProductTopology::WhichEdges::all, edges);
  for (const Edge& edge : edges) {
    if (only_nic && kind_of(edge.link) != LinkKind::nic) continue;
    found.push_back({terminal_of(topology.vertices().place(edge.to)), edge.link});
  }
  return found;
}

Found out_of_dimension_switch(const ProductTopology& topology, const Terminal& from) {
  Found found;
  const GridDimension& d = topology.geometry().dimensions[from.dimension];
  for (std::uint32_t digit = 0; digit < d.size; ++digit) {
    const ChipId chip = d.first_of_group(from.owner) + digit * d.stride;
    found.push_back({{TerminalKind::chip, chip, 0, 0}, dimension_link(chip, from.dimension, down_port)});
  }
  return found;
}

Found out_of_leaf(const Geometry& g, std::uint32_t leaf) {
  Found found;
  if (g.clos.tiers >= 2) {
    const std::uint32_t pod = g.pod_of_leaf(leaf);
    if (!g.single_links)
      found.push_back({{TerminalKind::pod, pod, 0, 0}, fabric_link(LinkKind::leaf_trunk, leaf, up_port)});
    for (std::uint32_t spine = 0; spine < g.spines; ++spine) {
      const LinkId link = fabric_link(LinkKind::leaf_spine, leaf, up_port, spine);
      found.push_back({{TerminalKind::spine, pod, spine, 0}, link});
      if (g.single_links) found.push_back({{TerminalKind::pod, pod, 0, 0}, link});
    }
  }
  for (std::uint32_t place = 0; place < g.endpoints_of_leaf(leaf); ++place) {
    const ChipId chip = g.chip_on_leaf(leaf, place);
    found.push_back({{TerminalKind::chip, chip, 0, 0}, fabric_link(LinkKind::nic, chip, down_port)});
    found.push_back({{TerminalKind::nic, chip, 0, 0}, fabric_link(LinkKind::nic, chip, down_port)});
  }
  return found;
}

Found out_of_spine(const Geometry& g, std::uint32_t pod, std::uint32_t spine) {
  Found found;
  for (std::uint32_t i = 0; i < g.leaves_of_pod(pod); ++i) {
    const std::uint32_t leaf = g.leaf_of_pod(pod, i);
    found.push_back(
        {{TerminalKind::leaf, leaf, 0, 0}, fabric_link(LinkKind::leaf_spine, leaf, down_port, spine)});
  }
  if (g.clos.tiers < 3) return found;
  const std::uint32_t site = g.site_of_pod(pod);
  for (std::uint32_t core = 0; core < g.cores; ++core) {
    const LinkId link = fabric_link(LinkKind::spine_core, pod, up_port, spine, core);
    found.push_back({{TerminalKind::core, site, core, 0}, link});
    if (g.single_links) found.push_back({{TerminalKind::core_stage, site, 0, 0}, link});
  }
  return found;
}

// All spines of a pod: their trunks, or where routes take single links, each of those.
Found out_of_pod(const Geometry& g, std::uint32_t pod) {
  Found found;
  if (g.single_links) {
    for (std::uint32_t spine = 0; spine < g.spines; ++spine) {
      const Found more = out_of_spine(g, pod, spine);
      found.insert(found.end(), more.begin(), more.end());
    }
    return found;
  }
  for (std::uint32_t i = 0; i < g.leaves_of_pod(pod); ++i) {
    const std::uint32_t leaf = g.leaf_of_pod(pod, i);
    found.push_back({{TerminalKind::leaf, leaf, 0, 0}, fabric_link(LinkKind::leaf_trunk, leaf, down_port)});
  }
  if (g.clos.tiers < 3) return found;
  found.push_back(
      {{TerminalKind::core_stage, g.site_of_pod(pod), 0, 0}, fabric_link(LinkKind::pod_trunk, pod, up_port)});
  return found;
}

Found out_of_core(const Geometry& g, std::uint32_t site, std::uint32_t core) {
  Found found;
  const SiteFabric& fabric = g.sites[site];
  for (std::uint32_t pod = fabric.first_pod; pod < fabric.first_pod + fabric.pods; ++pod) {
    for (std::uint32_t spine = 0; spine < g.spines; ++spine) {
      const LinkId link = fabric_link(LinkKind::spine_core, pod, down_port, spine, core);
      found.push_back({{TerminalKind::spine, pod, spine, 0}, link});
      if (g.single_links) found.push_back({{TerminalKind::pod, pod, 0, 0}, link});
    }
  }
  return found;
}

Found out_of_core_stage(const Geometry& g, std::uint32_t site) {
  Found found;
  const SiteFabric& fabric = g.sites[site];
  if (g.single_links) {
    for (std::uint32_t core = 0; core < g.cores; ++core) {
      const Found more = out_of_core(g, site, core);
      found.insert(found.end(), more.begin(), more.end());
    }
    return found;
  }
  for (std::uint32_t pod = fabric.first_pod; pod < fabric.first_pod + fabric.pods; ++pod) {
    found.push_back({{TerminalKind::pod, pod, 0, 0}, fabric_link(LinkKind::pod_trunk, pod, down_port)});
  }
  return found;
}

Found out_of_site(const Geometry& g, std::uint32_t site) {
  Found found;
  for (std::uint32_t w = 0; w < g.wans.size(); ++w) {
    const Wan& wan = g.wans[w];
    if (wan.a != site && wan.b != site) continue;
    const bool there = wan.a == site;
    found.push_back(
        {{TerminalKind::site, there ? wan.b : wan.a, 0, 0}, fabric_link(LinkKind::wan, w, there ? 0 : 1)});
  }
  return found;
}

}  // namespace

std::vector<TerminalLink> links_out_of(const ProductTopology& topology, const Terminal& from) {
  const Geometry& g = topology.geometry();
  switch (from.kind) {
    case TerminalKind::chip:
      return out_of_chip(topology, from.owner, false);
    case TerminalKind::nic:
      return out_of_chip(topology, from.owner, true);
    case TerminalKind::dimension_switch:
      return out_of_dimension_switch(topology, from);
    case TerminalKind::plane:
    case TerminalKind::leaf_switch:
    case TerminalKind::fabric_plane:
      return {};
    case TerminalKind::leaf:
      return out_of_leaf(g, from.owner);
    case TerminalKind::pod:
      return out_of_pod(g, from.owner);
    case TerminalKind::spine:
      return out_of_spine(g, from.owner, from.index);
    case TerminalKind::core_stage:
      return out_of_core_stage(g, from.owner);
    case TerminalKind::core:
      return out_of_core(g, from.owner, from.index);
    case TerminalKind::site:
      return out_of_site(g, from.owner);
  }
  return {};
}

}  // namespace tahoma
