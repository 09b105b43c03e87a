// Names of a product topology's elements. `site.NAME.` stands in front where the cluster has named sites.
//
//   chip               us1.s0.c3      c = index in the server, s = server in the domain, us = domain in the
//   site its NIC            us1.s0.c3.nic dimension switch   us1.s0.c0.xswitch: the switch of dimension x
//   that joins chip us1.s0.c0 and those that
//                      differ from it in x only; named after the first of them. Its planes: xswitch0,
//                      xswitch1, ...
//   leaf               leaf3: numbered over a site, leaf group by leaf group, rails innermost
//                      its switches, where NICs are bonded over several: leaf3.switch0, leaf3.switch1
//   spine, core        pod0.spine2, core1; together: pod0, core
//   plane of the fabric  plane1
//   link               A->B; where several are parallel: A->B#1, A->B#2
#include <fmt/format.h>

#include "topology/dimension_links.h"
#include "topology/product.h"
#include "topology/selectors.h"

namespace tahoma {

namespace {

std::string site_prefix(const Geometry& g, std::uint32_t site) {
  return g.site_names.empty() ? std::string{} : "site." + g.site_names[site] + ".";
}

std::string domain_chip_name(const Geometry& g, ChipId chip) {
  const std::uint32_t domain = g.domain_of(chip), site = g.site_of_domain(domain),
                      within = chip % g.domain_chips;
  return fmt::format("{}us{}.s{}.c{}", site_prefix(g, site), domain - g.sites[site].first_domain,
                     within / g.server_chips, within % g.server_chips);
}

// `whole`: the stage of all spines of the pod, or of all cores of the site.
std::string place_name(const Geometry& g, const VertexPlace& place, bool whole) {
  switch (place.kind) {
    case VertexPlaceKind::chip:
      return domain_chip_name(g, place.owner);
    case VertexPlaceKind::dimension_switch: {
      const GridDimension& d = g.dimensions[place.index];
      return fmt::format("{}.{}switch", domain_chip_name(g, d.first_of_group(place.owner)), d.name);
    }
    case VertexPlaceKind::leaf: {
      const std::uint32_t site = g.site_of_leaf(place.owner);
      return fmt::format("{}leaf{}", site_prefix(g, site), place.owner - g.sites[site].first_leaf);
    }
    case VertexPlaceKind::spine: {
      const std::uint32_t site = g.site_of_pod(place.owner);
      const std::string pod =
          fmt::format("{}pod{}", site_prefix(g, site), place.owner - g.sites[site].first_pod);
      return whole ? pod : fmt::format("{}.spine{}", pod, place.index);
    }
    case VertexPlaceKind::core:
      return site_prefix(g, place.owner) + (whole ? std::string("core") : fmt::format("core{}", place.index));
  }
  return {};
}

struct Ends {
  std::string low, high;  // chip or lower stage, and what its port 0 leads to
};

Ends ends_of(const Geometry& g, const LinkKey& key) {
  switch (key.kind) {
    case LinkKind::dimension: {
      const GridDimension& d = g.dimensions[key.dimension];
      const VertexPlace high =
          d.kind == DimensionKind::switched
              ? VertexPlace{VertexPlaceKind::dimension_switch, d.group(key.owner), key.dimension}
              : VertexPlace{VertexPlaceKind::chip, target_of(d, key), 0};
      return {domain_chip_name(g, key.owner), place_name(g, high, false)};
    }
    case LinkKind::nic:
      return {domain_chip_name(g, key.owner) + ".nic",
              place_name(g, {VertexPlaceKind::leaf, g.endpoint(key.owner).leaf, 0}, false)};
    case LinkKind::leaf_trunk:
    case LinkKind::leaf_spine:
      return {place_name(g, {VertexPlaceKind::leaf, key.owner, 0}, false),
              place_name(g, {VertexPlaceKind::spine, g.pod_of_leaf(key.owner), key.spine},
                         key.kind == LinkKind::leaf_trunk)};
    case LinkKind::pod_trunk:
    case LinkKind::spine_core: {
      const bool whole = key.kind == LinkKind::pod_trunk;
      return {place_name(g, {VertexPlaceKind::spine, key.owner, key.spine}, whole),
              place_name(g, {VertexPlaceKind::core, g.site_of_pod(key.owner), key.core}, whole)};
    }
    case LinkKind::wan:
      return {"site." + g.site_names[g.wans[key.owner].a], "site." + g.site_names[g.wans[key.owner].b]};
  }
  return {};
}

// "#1", "#2", ... where the ends alone do not say which link is meant.
std::string parallel_suffix(const Geometry& g, const LinkKey& key) {
  if (key.kind == LinkKind::dimension && g.dimensions[key.dimension].pair)
    return key.port == plus_port ? "#1" : "#2";
  if (key.kind != LinkKind::wan) return {};
  const Wan& wan = g.wans[key.owner];
  std::uint32_t rank = 0, count = 0;
  for (std::uint32_t w = 0; w < g.wans.size(); ++w) {
    const bool same =
        (g.wans[w].a == wan.a && g.wans[w].b == wan.b) || (g.wans[w].a == wan.b && g.wans[w].b == wan.a);
    if (same && w <= key.owner) ++rank;
    count += same ? 1U : 0U;
  }
  return count > 1 ? fmt::format("#{}", rank) : std::string{};
}

}  // namespace

std::string name_of(const ProductTopology& topology, const Terminal& terminal) {
  const Geometry& g = topology.geometry();
  switch (terminal.kind) {
    case TerminalKind::chip:
      return domain_chip_name(g, terminal.owner);
    case TerminalKind::nic:
      return domain_chip_name(g, terminal.owner) + ".nic";
    case TerminalKind::dimension_switch:
      return place_name(g, {VertexPlaceKind::dimension_switch, terminal.owner, terminal.dimension}, false);
    case TerminalKind::plane:
      return place_name(g, {VertexPlaceKind::dimension_switch, terminal.owner, terminal.dimension}, false) +
             std::to_string(terminal.index);
    case TerminalKind::leaf:
      return place_name(g, {VertexPlaceKind::leaf, terminal.owner, 0}, false);
    case TerminalKind::leaf_switch:
      return fmt::format("{}.switch{}", place_name(g, {VertexPlaceKind::leaf, terminal.owner, 0}, false),
                         terminal.index);
    case TerminalKind::fabric_plane:
      return fmt::format("plane{}", terminal.index);
    case TerminalKind::pod:
      return place_name(g, {VertexPlaceKind::spine, terminal.owner, 0}, true);
    case TerminalKind::spine:
      return place_name(g, {VertexPlaceKind::spine, terminal.owner, terminal.index}, false);
    case TerminalKind::core_stage:
      return place_name(g, {VertexPlaceKind::core, terminal.owner, 0}, true);
    case TerminalKind::core:
      return place_name(g, {VertexPlaceKind::core, terminal.owner, terminal.index}, false);
    case TerminalKind::site:
      return "site." + g.site_names[terminal.owner];
  }
  return {};
}

std::string ProductTopology::chip_name(ChipId chip) const {
  return domain_chip_name(geometry_, chip);
}

std::string ProductTopology::vertex_name(VertexId vertex) const {
  return place_name(geometry_, vertices_.place(vertex), !geometry_.single_links);
}

std::string ProductTopology::link_name(LinkId link) const {
  const LinkKey key = key_of(link);
  const Ends ends = ends_of(geometry_, key);
  const bool down =
      key.kind == LinkKind::dimension
          ? geometry_.dimensions[key.dimension].kind == DimensionKind::switched && key.port == down_port
          : key.port == down_port;
  const std::string suffix = parallel_suffix(geometry_, key);
  return (down ? ends.high + "->" + ends.low : ends.low + "->" + ends.high) + suffix;
}

}  // namespace tahoma
