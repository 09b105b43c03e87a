// From the shape a user describes to the numbers routing needs, with the checks that need no file position.
#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "core/errors.h"
#include "topology/geometry.h"
#include "topology/link_key.h"

namespace tahoma {

namespace {

constexpr std::uint64_t most_chips = std::uint64_t{1} << 31;  // ranks are 32-bit, with room for sentinels
constexpr std::size_t most_sites = 1024;                      // the table of ways between sites is quadratic

[[noreturn]] void refuse(const std::string& why) {
  throw ScenarioError(why);
}

std::string dimension_name(std::size_t index) {
  constexpr std::array<const char*, 6> names{"x", "y", "z", "w", "v", "u"};
  return index < names.size() ? names[index] : fmt::format("d{}", index);
}

std::uint64_t checked_product(std::uint64_t a, std::uint64_t b) {
  const u128 product = u128{a} * b;
  if (product > most_chips) refuse(fmt::format("more than 2^31 chips ({} x {}) cannot be simulated", a, b));
  return static_cast<std::uint64_t>(product);
}

GridDimension grid_dimension(const Dimension& from, std::uint32_t stride, std::string name) {
  GridDimension to;
  to.kind = from.kind;
  to.size = from.size;
  to.stride = stride;
  to.multiply = from.kind == DimensionKind::switched ? from.planes : from.links;
  if (to.multiply == 0) refuse("a dimension needs at least one link (plane) per member");
  if (to.size == 2 && from.kind == DimensionKind::ring && from.links % 2 == 0) {
    to.pair = true;
    to.multiply = from.links / 2;
  }
  if (to.size == 2 && from.kind == DimensionKind::line) to.kind = DimensionKind::ring;
  if (to.kind == DimensionKind::full && to.size > most_full_mesh) {
    refuse(fmt::format("a full mesh of {} members is too large; the most is {}", to.size, most_full_mesh));
  }
  to.bandwidth = from.bandwidth;
  to.efficiency = from.efficiency;
  to.latency = from.latency;
  to.stores = from.stores;
  to.capacity = capacity_of({from.bandwidth, from.efficiency}, to.multiply);
  to.raw = capacity_of({from.bandwidth}, to.multiply);
  if (to.capacity.q20 == 0) refuse(fmt::format("dimension {} has no bandwidth", name));
  to.name = std::move(name);
  return to;
}

// Appends the dimensions of more than one member and returns the chips per member of what comes next.
std::uint64_t append_dimensions(Geometry& g, const std::vector<Dimension>& from, std::uint64_t stride,
                                bool scale_up) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i].size == 0) refuse("a dimension needs at least one member");
    const std::uint64_t next = checked_product(stride, from[i].size);
    if (from[i].size > 1) {
      std::string name = (scale_up ? "" : "out_") + dimension_name(i);
      g.dimensions.push_back(grid_dimension(from[i], static_cast<std::uint32_t>(stride), std::move(name)));
      g.dimensions.back().scale_up = scale_up;
    }
    stride = next;
  }
  if (g.dimensions.size() > most_dimensions) refuse("more than 24 dimensions");
  return stride;
}

void name_sites(Geometry& g, const std::vector<Site>& sites) {
  const bool named = std::any_of(sites.begin(), sites.end(), [](const Site& s) { return !s.name.empty(); });
  if (!named && sites.size() > 1) refuse("several sites need names");
  if (!named) return;
  std::set<std::string> seen;
  for (const Site& site : sites) {
    const bool plain = !site.name.empty() && std::all_of(site.name.begin(), site.name.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
             c == '-';
    });
    if (!plain) refuse(fmt::format("site name '{}': accepted are letters, digits, '_' and '-'", site.name));
    if (!seen.insert(site.name).second) refuse(fmt::format("two sites are named '{}'", site.name));
    g.site_names.push_back(site.name);
  }
}

void place_sites(Geometry& g, const ClusterShape& shape, std::uint64_t scale_out_domains) {
  std::vector<Site> sites = shape.sites;
  if (sites.empty()) sites.push_back({"", static_cast<std::uint32_t>(scale_out_domains)});
  if (sites.size() > most_sites) refuse(fmt::format("more than {} sites", most_sites));
  name_sites(g, sites);
  std::uint64_t domains = 0;
  for (const Site& site : sites) {
    if (site.domains == 0) refuse(fmt::format("site '{}' has no chips", site.name));
    SiteFabric fabric;
    fabric.first_domain = static_cast<std::uint32_t>(domains);
    fabric.domains = site.domains;
    g.sites.push_back(fabric);
    domains += site.domains;
    g.equal_sites = g.equal_sites && site.domains == sites[0].domains;
    checked_product(domains, g.domain_chips);
  }
  g.domains = static_cast<std::uint32_t>(domains);
  g.chips = g.domains * g.domain_chips;
}

void check_fabric_exists(const Geometry& g, const ClusterShape& shape, std::uint64_t scale_out_domains) {
  if (shape.clos && !shape.scale_out.empty())
    refuse("give either a clos or other dimensions between domains");
  if (shape.clos || g.domains == 1) return;
  if (g.sites.size() > 1) refuse("several sites need a clos fabric in each, to reach the WAN");
  if (shape.scale_out.empty()) {
    refuse(fmt::format("{} scale-up domains, but no scale_out fabric that joins them", g.domains));
  }
  if (scale_out_domains != g.domains) {
    refuse(fmt::format("the scale_out dimensions join {} domains, but there are {}", scale_out_domains,
                       g.domains));
  }
}

void fill_clos(Geometry& g, const ClusterShape& shape) {
  Clos& clos = g.clos;
  clos = *shape.clos;
  if (clos.tiers < 1 || clos.tiers > 3) refuse("a clos has 1 to 3 tiers");
  if (clos.rails == 0 || g.domain_chips % clos.rails != 0) {
    refuse(
        fmt::format("{} rails do not divide the {} chips of a scale-up domain", clos.rails, g.domain_chips));
  }
  if (clos.oversubscription.size() > 2) refuse("a clos has at most two oversubscription ratios: leaf, spine");
  clos.oversubscription.resize(2, Decimal{1, 0});
  for (const Decimal& ratio : clos.oversubscription) {
    if (ratio.mantissa <= 0) refuse("oversubscription must be positive");
  }
  if (clos.latency.empty()) clos.latency.push_back({});
  clos.latency.resize(3, clos.latency.back());
  if (clos.spines_per_pod == 0 || clos.spines_per_pod > most_spines || clos.cores == 0 ||
      clos.cores > most_spines) {
    refuse(fmt::format("spines per pod and cores must be 1 to {}", most_spines));
  }
  if (clos.leaves_per_nic == 0 || clos.planes == 0) refuse("a NIC needs at least one port");
  if (clos.dead_planes >= clos.planes) refuse("all planes of the clos are dead");
  if (clos.between_rails != BetweenRails::fabric && clos.tiers == 3) {
    refuse("rails without links between them are built for a clos of 1 or 2 tiers");
  }
  g.has_clos = true;
  g.rails_apart = clos.rails > 1 && (clos.tiers == 1 || clos.between_rails != BetweenRails::fabric);
  g.endpoints = g.domain_chips / clos.rails;
  g.spines = clos.spines_per_pod;
  g.cores = clos.cores;
  const bool choice = clos.tiers >= 2 && (g.spines > 1 || (clos.tiers == 3 && g.cores > 1));
  g.single_links = clos.routing != Routing::spray && choice;
  g.nic = nic_capacity(clos, {1, 0});
  g.nic_raw = capacity_of({clos.bandwidth}, std::uint64_t{clos.planes} * clos.leaves_per_nic);
  if (g.nic.q20 == 0) refuse("the NICs of the clos have no bandwidth");
}

void place_leaves(Geometry& g, SiteFabric& site) {
  const Clos& clos = g.clos;
  const std::uint32_t order = site.domains * g.endpoints;
  site.width = clos.leaf_width == 0 ? order : clos.leaf_width;
  site.groups = (order - 1) / site.width + 1;
  site.groups_per_pod = clos.leaves_per_pod == 0 ? site.groups : clos.leaves_per_pod;
  const std::uint32_t pods_by_leaves = (site.groups - 1) / site.groups_per_pod + 1;
  if (clos.tiers == 1 && site.groups > 1) {
    refuse(fmt::format("a clos of 1 tier has one leaf per rail, but {} endpoints at {} per leaf need {}",
                       order, site.width, site.groups));
  }
  if (clos.tiers == 2 && pods_by_leaves > 1) {
    refuse(fmt::format("a clos of 2 tiers has one pod, but {} leaves per rail at {} per pod need {}",
                       site.groups, site.groups_per_pod, pods_by_leaves));
  }
  site.pods = g.rails_apart ? clos.rails : pods_by_leaves;
  if (u128{site.width} * site.groups_per_pod * clos.rails * clos.planes * clos.leaves_per_nic >
      (u128{1} << 62)) {
    refuse("the pods of the clos are too large");
  }
  site.first_leaf = g.leaves;
  site.first_pod = g.pods;
  g.leaves += site.groups * clos.rails;
  g.pods += site.pods;
  site.leaf_trunk = leaf_uplinks(g, site, {g.spines, 0});
  site.leaf_spine = leaf_uplinks(g, site, {1, 0});
  site.pod_trunk = pod_uplinks(g, site, {std::int64_t{g.spines} * g.cores, 0});
  site.spine_core = pod_uplinks(g, site, {1, 0});
}

}  // namespace

Geometry make_geometry(const ClusterShape& shape) {
  Geometry g;
  g.seed = shape.seed;
  const std::uint64_t domain_chips = append_dimensions(g, shape.scale_up, 1, true);
  g.scale_up = static_cast<std::uint32_t>(g.dimensions.size());
  g.domain_chips = static_cast<std::uint32_t>(domain_chips);
  g.server_chips = 1;
  for (std::uint32_t i = 0; i < shape.server_dimensions && i < shape.scale_up.size(); ++i) {
    g.server_chips *= shape.scale_up[i].size;
  }
  if (shape.server_dimensions == 0) g.server_chips = g.domain_chips;
  const std::uint64_t all = append_dimensions(g, shape.scale_out, domain_chips, false);
  const std::uint64_t scale_out_domains = all / domain_chips;
  place_sites(g, shape, scale_out_domains);
  check_fabric_exists(g, shape, scale_out_domains);
  if (shape.clos && (g.domains > 1 || shape.leads_out)) {
    fill_clos(g, shape);
    for (SiteFabric& site : g.sites) place_leaves(g, site);
  }
  g.wans = shape.wans;
  for (const Wan& wan : g.wans) {
    if (wan.a >= g.sites.size() || wan.b >= g.sites.size() || wan.a == wan.b) {
      refuse(fmt::format("WAN link '{}' does not join two different sites", wan.name));
    }
    if (capacity_of({wan.bandwidth}).q20 == 0)
      refuse(fmt::format("WAN link '{}' has no bandwidth", wan.name));
  }
  return g;
}

}  // namespace tahoma
