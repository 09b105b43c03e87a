#include "topology/product.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/errors.h"
#include "topology/dimension_links.h"
#include "topology/dimension_route.h"
#include "topology/faults.h"
#include "topology/reroute.h"

namespace tahoma {

namespace {

std::vector<Tier> tiers_of(const Geometry& g) {
  std::vector<Tier> tiers;
  for (const GridDimension& d : g.dimensions) {
    constexpr const char* kinds[] = {"ring", "line", "direct", "switch"};
    tiers.push_back({fmt::format("{} {}", d.name, kinds[static_cast<int>(d.kind)])});
  }
  constexpr const char* clos_tiers[] = {"NIC", "leaf-spine", "spine-core"};
  for (std::uint32_t i = 0; g.has_clos && i < g.clos.tiers; ++i) tiers.push_back({clos_tiers[i]});
  for (const Wan& wan : g.wans) {
    tiers.push_back({fmt::format("WAN {}-{}", g.site_names[wan.a], g.site_names[wan.b])});
  }
  return tiers;
}

std::vector<Capacity> wan_capacities(const Geometry& g) {
  std::vector<Capacity> capacities;
  for (const Wan& wan : g.wans) capacities.push_back(capacity_of({wan.bandwidth}));
  return capacities;
}

}  // namespace

ProductTopology::ProductTopology(const ClusterShape& shape, const Faults& faults)
    : geometry_(make_geometry(with_dead_planes(shape, faults))),
      digits_(make_digits(geometry_)),
      wan_routes_(geometry_, exceptions_),
      fabric_{geometry_, exceptions_, wan_routes_},
      tiers_(tiers_of(geometry_)),
      wan_capacity_(wan_capacities(geometry_)),
      vertices_(geometry_) {
  if (faults.empty()) return;
  exceptions_ = make_exceptions(*this, faults);
  wan_routes_ = WanRoutes(geometry_, exceptions_);
  break_symmetry(exceptions_, digits_);
}

bool ProductTopology::on_rails_apart(ChipId src, ChipId dst) const {
  const Geometry& g = geometry_;
  if (!g.rails_apart || g.domain_of(src) == g.domain_of(dst) || g.site_of(src) != g.site_of(dst))
    return false;
  return g.endpoint(src).rail != g.endpoint(dst).rail;
}

// One way of a route, faults not regarded. Where no link joins the rails, a chip of another rail is reached
// by crossing from the chip of the own domain that has its place: every step of it is translation-invariant.
bool ProductTopology::append_way(ChipId src, ChipId dst, std::uint32_t lane, std::uint32_t way, Path& path,
                                 bool& tied) const {
  const Geometry& g = geometry_;
  if (!g.has_clos) {
    tied = append_dimension_order(g, 0, static_cast<std::uint32_t>(g.dimensions.size()), src, dst, way, path);
    return true;
  }
  const std::uint32_t from = g.domain_of(src), to = g.domain_of(dst);
  if (from == to) {
    tied = append_dimension_order(g, 0, g.scale_up, src, dst, way, path);
    return true;
  }
  ChipId at = src;
  if (on_rails_apart(src, dst)) {
    at = from * g.domain_chips + dst % g.domain_chips;
    tied = append_dimension_order(g, 0, g.scale_up, src, at, way, path);
  }
  if (!append_fabric(fabric_, at, dst, lane, path)) return false;
  if (!g.wans.empty()) WanRoutes::cap(g, path);
  return true;
}

void ProductTopology::healthy_route(ChipId src, ChipId dst, std::uint32_t lane, Route& route) const {
  bool tied = false;
  const bool found = append_way(src, dst, lane, 0, route.path[0], tied);
  if (!found && exceptions_.empty()) {
    throw InfeasibleError(
        fmt::format("{} cannot reach {}: no fabric joins them", chip_name(src), chip_name(dst)));
  }
  // No way at all is left to the detours, as a dead one.
  if (!found) route.path[0].clear();
  if (!tied) return;
  route.ways = 2;
  append_way(src, dst, lane, 1, route.path[1], tied);
}

void ProductTopology::route(ChipId src, ChipId dst, std::uint32_t lane, Route& route) const {
  TAHOMA_ASSERT(src < chips() && dst < chips(), "a route between chips that do not exist");
  route.ways = 1;
  route.path[0].clear();
  route.path[1].clear();
  if (src == dst) return;
  if (geometry_.clos.between_rails == BetweenRails::none && on_rails_apart(src, dst)) {
    throw InfeasibleError(fmt::format(
        "{} cannot reach {}: no link joins their rails, and no chip relays (between_rails: none); "
        "`relay` goes through the scale-up domain",
        chip_name(src), chip_name(dst)));
  }
  healthy_route(src, dst, lane, route);
  if (exceptions_.empty()) return;
  for (std::uint32_t way = 0; way < route.ways; ++way) {
    Path& path = route.path[way];
    if (!path.links.empty() && exceptions_.alive(path)) continue;
    path.clear();
    const bool no_relay = geometry_.clos.between_rails == BetweenRails::none &&
                          geometry_.domain_of(src) != geometry_.domain_of(dst);
    if (no_relay || !append_detour(*this, fabric_, src, dst, lane, path)) {
      throw InfeasibleError(
          fmt::format("{} cannot reach {}: faults have cut every way", chip_name(src), chip_name(dst)));
    }
    if (!geometry_.wans.empty()) WanRoutes::cap(geometry_, path);
  }
}

Capacity ProductTopology::capacity(LinkId link) const {
  if (!exceptions_.empty()) {
    if (const Exceptions::State* state = exceptions_.find(link)) return state->capacity;
  }
  const LinkKey key = key_of(link);
  switch (key.kind) {
    case LinkKind::dimension:
      return geometry_.dimensions[key.dimension].capacity;
    case LinkKind::nic:
      return geometry_.nic;
    case LinkKind::leaf_trunk:
      return geometry_.sites[geometry_.site_of_leaf(key.owner)].leaf_trunk;
    case LinkKind::leaf_spine:
      return geometry_.sites[geometry_.site_of_leaf(key.owner)].leaf_spine;
    case LinkKind::pod_trunk:
      return geometry_.sites[geometry_.site_of_pod(key.owner)].pod_trunk;
    case LinkKind::spine_core:
      return geometry_.sites[geometry_.site_of_pod(key.owner)].spine_core;
    case LinkKind::wan:
      return wan_capacity_[key.owner];
  }
  return {};
}

Duration ProductTopology::latency(LinkId link) const {
  const LinkKey key = key_of(link);
  switch (key.kind) {
    case LinkKind::dimension:
      return geometry_.dimensions[key.dimension].latency;
    case LinkKind::nic:
      return geometry_.clos.latency[0];
    case LinkKind::leaf_trunk:
    case LinkKind::leaf_spine:
      return geometry_.clos.latency[1];
    case LinkKind::pod_trunk:
    case LinkKind::spine_core:
      return geometry_.clos.latency[2];
    case LinkKind::wan:
      return geometry_.wans[key.owner].latency;
  }
  return {};
}

std::uint32_t ProductTopology::tier(LinkId link) const {
  const LinkKey key = key_of(link);
  const auto above = static_cast<std::uint32_t>(geometry_.dimensions.size());
  switch (key.kind) {
    case LinkKind::dimension:
      return key.dimension;
    case LinkKind::nic:
      return above;
    case LinkKind::leaf_trunk:
    case LinkKind::leaf_spine:
      return above + 1;
    case LinkKind::pod_trunk:
    case LinkKind::spine_core:
      return above + 2;
    case LinkKind::wan:
      return above + geometry_.clos.tiers + key.owner;
  }
  return 0;
}

// Dimensions add up, and no relay shortens one. Between domains only the height of the climb counts: which
// rail a relay is on can only matter for the steps inside a domain, and those are left out.
Duration ProductTopology::least_latency(ChipId a, ChipId b) const {
  const Geometry& g = geometry_;
  if (a == b) return {};
  const bool inside = !g.has_clos || g.domain_of(a) == g.domain_of(b);
  if (inside) {
    Path path;
    append_dimension_order(g, 0, g.has_clos ? g.scale_up : static_cast<std::uint32_t>(g.dimensions.size()), a,
                           b, 0, path);
    return g.has_clos ? std::min(path.latency, g.clos.latency[0] * 2) : path.latency;
  }
  const Endpoint from = g.endpoint(a), to = g.endpoint(b);
  const bool splits =
      g.sites[from.site].width % g.endpoints != 0;  // a domain on two leaves relays between them
  std::uint32_t levels = 1;
  if (from.site != to.site) {
    levels = g.clos.tiers;
  } else if (!splits && from.group != to.group) {
    levels = from.pod == to.pod || g.rails_apart ? 2 : 3;
  }
  Duration latency;
  for (std::uint32_t level = 0; level < levels; ++level) latency += g.clos.latency[level] * 2;
  if (from.site != to.site) latency += wan_routes_.least_latency(g, from.site, to.site);
  return latency;
}

// Every flow over a trunk came up through exactly one NIC link of its leaves, or goes down through one; so
// the NICs are feeders of the trunk, and so are the leaf trunks of a pod trunk where they are narrower.
bool ProductTopology::never_binds(LinkId link) const {
  const Geometry& g = geometry_;
  const LinkKey key = key_of(link);
  if (key.kind == LinkKind::leaf_trunk)
    return capacity(link).q20 >= g.nic.q20 * g.endpoints_of_leaf(key.owner);
  if (key.kind != LinkKind::pod_trunk) return false;
  const u128 leaf_trunk = g.sites[g.site_of_pod(key.owner)].leaf_trunk.q20;
  u128 feeders = 0;
  for (std::uint32_t i = 0; i < g.leaves_of_pod(key.owner); i += g.clos.rails) {
    const std::uint32_t leaf = g.leaf_of_pod(key.owner, i);
    feeders += std::min(leaf_trunk, g.nic.q20 * g.endpoints_of_leaf(leaf)) * g.clos.rails;
  }
  return capacity(link).q20 >= feeders;
}

bool ProductTopology::stores(LinkId link) const {
  const LinkKey key = key_of(link);
  return key.kind == LinkKind::dimension && geometry_.dimensions[key.dimension].stores;
}

bool ProductTopology::stores_somewhere() const {
  return std::any_of(geometry_.dimensions.begin(), geometry_.dimensions.end(),
                     [](const GridDimension& dimension) { return dimension.stores; });
}

LinkId ProductTopology::canonical(LinkId link, DigitMask folded) const {
  const Geometry& g = geometry_;
  LinkKey key = key_of(link);
  switch (key.kind) {
    case LinkKind::dimension:
    case LinkKind::nic:
      key.owner = digits_.fold(key.owner, folded);
      break;
    case LinkKind::leaf_trunk:
    case LinkKind::leaf_spine:
      key.owner = g.endpoint(digits_.fold(g.first_chip_of_leaf(key.owner), folded & digits_.of_leaf)).leaf;
      break;
    case LinkKind::pod_trunk:
    case LinkKind::spine_core:
      key.owner =
          g.endpoint(digits_.fold(g.first_chip_of_pod(key.owner), folded & digits_.of_pod)).pod_number;
      break;
    case LinkKind::wan:
      break;
  }
  return link_of(key);
}

std::uint64_t ProductTopology::orbit_size(LinkId link, DigitMask folded) const {
  switch (kind_of(link)) {
    case LinkKind::dimension:
    case LinkKind::nic:
      return digits_.orbit(folded);
    case LinkKind::leaf_trunk:
    case LinkKind::leaf_spine:
      return digits_.orbit(folded & digits_.of_leaf);
    case LinkKind::pod_trunk:
    case LinkKind::spine_core:
      return digits_.orbit(folded & digits_.of_pod);
    case LinkKind::wan:
      return 1;
  }
  return 1;
}

Capacity ProductTopology::total_injection() const {
  const Geometry& g = geometry_;
  u128 total = g.has_clos ? g.nic.q20 * g.chips : 0;
  for (const GridDimension& d : g.dimensions)
    total += d.capacity.q20 * chip_links_per_group(d) * (g.chips / d.size);
  for (const auto& [value, state] : exceptions_) {
    const LinkKey key = key_of(LinkId{value});
    if (!leaves_chip(g, key)) continue;
    const Capacity healthy = key.kind == LinkKind::nic ? g.nic : g.dimensions[key.dimension].capacity;
    total -= healthy.q20 - std::min(healthy.q20, state.capacity.q20);
  }
  return {total};
}

std::uint64_t ProductTopology::link_count() const {
  const Geometry& g = geometry_;
  std::uint64_t count = 2 * g.wans.size();
  for (const GridDimension& d : g.dimensions) count += links_per_group(d) * (g.chips / d.size);
  if (g.has_clos) {
    count += 2ULL * g.chips;
    count += 2ULL * g.leaves * vertices_.spines();
    count += 2ULL * g.pods * vertices_.spines() * vertices_.cores();
  }
  for (const auto& [value, state] : exceptions_) count -= state.dead ? 1U : 0U;
  return count;
}

}  // namespace tahoma
