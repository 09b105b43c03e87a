// Small shapes for the tests of the topology room, in one line each.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "topology/topology.h"

namespace tahoma::test {

inline constexpr Decimal gigabyte_per_second{1, 9};

inline Dimension dimension(DimensionKind kind, std::uint32_t size, std::int64_t gigabytes = 10,
                           std::int64_t latency_ns = 100) {
  Dimension d;
  d.kind = kind;
  d.size = size;
  d.bandwidth = {gigabytes, 9};
  d.latency = {latency_ns * 1000};
  return d;
}
inline Dimension ring(std::uint32_t size) {
  return dimension(DimensionKind::ring, size);
}
inline Dimension line(std::uint32_t size) {
  return dimension(DimensionKind::line, size);
}
inline Dimension full(std::uint32_t size) {
  return dimension(DimensionKind::full, size);
}
inline Dimension switched(std::uint32_t size) {
  return dimension(DimensionKind::switched, size);
}
inline Dimension with_links(Dimension d, std::uint32_t links) {
  d.links = links;
  return d;
}

inline Clos clos(std::uint32_t tiers, std::uint32_t rails, std::uint32_t leaf_width = 0,
                 std::uint32_t leaves_per_pod = 0, Routing routing = Routing::spray, std::uint32_t spines = 1,
                 std::uint32_t cores = 1) {
  Clos c;
  c.tiers = tiers;
  c.rails = rails;
  c.leaf_width = leaf_width;
  c.leaves_per_pod = leaves_per_pod;
  c.bandwidth = {25, 9};
  c.latency = {{1'000'000}, {300'000}, {200'000}};
  c.routing = routing;
  c.spines_per_pod = spines;
  c.cores = cores;
  return c;
}

/// No switch joins two rails; bytes for another rail go through the scale-up domain first.
inline Clos apart(Clos c) {
  c.between_rails = BetweenRails::relay;
  return c;
}
/// NICs of several ports: so many planes, and so many leaf switches in each.
inline Clos with_ports(Clos c, std::uint32_t planes, std::uint32_t leaves_per_nic) {
  c.planes = planes;
  c.leaves_per_nic = leaves_per_nic;
  return c;
}

/// Ranks on each chip; each has a port of 4 GB/s per core on the switch inside it.
inline ClusterShape with_ranks(ClusterShape shape, std::uint32_t ranks, std::uint32_t cores) {
  shape.ranks_per_chip = ranks;
  shape.inner.cores = cores;
  shape.inner.bandwidth = {4, 9};
  shape.inner.latency = {50'000};
  return shape;
}

inline ClusterShape domain(std::vector<Dimension> scale_up, std::uint32_t server_dimensions = 0) {
  ClusterShape shape;
  shape.scale_up = std::move(scale_up);
  shape.server_dimensions = server_dimensions;
  shape.sites = {{"", 1}};
  return shape;
}

inline ClusterShape cluster(std::vector<Dimension> scale_up, Clos fabric, std::uint32_t domains) {
  ClusterShape shape = domain(std::move(scale_up));
  shape.sites[0].domains = domains;
  shape.clos = std::move(fabric);
  return shape;
}

inline ClusterShape scale_out(std::vector<Dimension> scale_up, std::vector<Dimension> between) {
  ClusterShape shape = domain(std::move(scale_up));
  for (const Dimension& d : between) shape.sites[0].domains *= d.size;
  shape.scale_out = std::move(between);
  return shape;
}

/// Sites a, b, c, ... of the given domains, joined by a full mesh of WAN links.
inline ClusterShape sites(std::vector<Dimension> scale_up, Clos fabric,
                          std::initializer_list<std::uint32_t> domains) {
  ClusterShape shape = cluster(std::move(scale_up), std::move(fabric), 1);
  shape.sites.clear();
  for (const std::uint32_t count : domains) {
    shape.sites.push_back({std::string(1, static_cast<char>('a' + shape.sites.size())), count});
  }
  for (std::uint32_t a = 0; a < shape.sites.size(); ++a) {
    for (std::uint32_t b = a + 1; b < shape.sites.size(); ++b) {
      Wan wan;
      wan.a = a;
      wan.b = b;
      wan.bandwidth = {100, 9};
      wan.latency = {10'000'000};
      shape.wans.push_back(wan);
    }
  }
  return shape;
}

struct NamedShape {
  std::string name;
  ClusterShape shape;
};

/// Every kind of dimension, of Clos and of site, all small enough to look at every pair of chips.
inline std::vector<NamedShape> many_shapes() {
  using enum Routing;
  return {
      {"one chip", domain({})},
      {"ring 5", domain({ring(5)})},
      {"ring 6", domain({ring(6)})},
      {"ring 2", domain({ring(2)})},
      {"ring 2 pair", domain({with_links(ring(2), 2)})},
      {"line 4", domain({line(4)})},
      {"line 2", domain({line(2)})},
      {"full 4", domain({full(4)})},
      {"full 5", domain({full(5)})},
      {"switch 6", domain({switched(6)})},
      {"torus 4x4", domain({ring(4), ring(4)}, 1)},
      {"torus 4x2x3", domain({ring(4), ring(2), ring(3)}, 2)},
      {"torus 4x4x4", domain({ring(4), ring(4), ring(4)}, 2)},
      {"mesh 3x4", domain({line(3), line(4)})},
      {"switches 4, 3, direct 2", domain({switched(4), switched(3), with_links(full(2), 2)}, 1)},
      {"torus of tori", scale_out({ring(4)}, {ring(3), ring(2)})},
      {"line of meshes", scale_out({full(3)}, {line(3)})},
      {"one leaf", cluster({ring(4)}, clos(1, 1), 3)},
      {"one tier, rails", cluster({ring(4), ring(2)}, clos(1, 8), 4)},
      {"one tier, 4 rails of 8 chips", cluster({ring(4), ring(2)}, clos(1, 4), 4)},
      {"two tiers", cluster({ring(4)}, clos(2, 1, 8), 8)},
      {"two tiers, rails", cluster({ring(4)}, clos(2, 4, 2), 8)},
      {"two tiers, 2 rails of 8 chips", cluster({ring(2), ring(4)}, clos(2, 2, 8), 8)},
      {"two tiers, rails that are no digits", cluster({ring(4), ring(2)}, clos(2, 2, 8), 4)},
      {"two tiers, leaves inside domains", cluster({ring(4)}, clos(2, 1, 2), 3)},
      {"two tiers, last leaf half full", cluster({ring(4)}, clos(2, 1, 8), 3)},
      {"three tiers", cluster({ring(2)}, clos(3, 1, 4, 2), 16)},
      {"three tiers, rails", cluster({ring(2), ring(2)}, clos(3, 4, 2, 2), 16)},
      {"three tiers, last pod half full", cluster({ring(2)}, clos(3, 2, 2, 2), 6)},
      {"ecmp", cluster({ring(2)}, clos(3, 2, 2, 2, ecmp, 2, 3), 8)},
      {"by source", cluster({ring(2)}, clos(3, 2, 2, 2, by_source, 2, 2), 8)},
      {"by source, one rail", cluster({ring(4)}, clos(2, 1, 8, 0, by_source, 4), 8)},
      {"two sites", sites({ring(2)}, clos(2, 2, 2), {4, 4})},
      {"two sites of one tier", sites({ring(2)}, clos(1, 2), {2, 2})},
      {"three sites of three tiers", sites({ring(2)}, clos(3, 2, 2, 2), {4, 4, 4})},
      {"unequal sites", sites({ring(2)}, clos(2, 1, 4), {2, 5})},
      {"unequal sites of half leaves", sites({ring(2)}, clos(3, 2, 4, 2), {6, 10})},
      {"unequal sites, one of one leaf", sites({ring(2)}, clos(2, 2, 8), {4, 12})},
      {"last leaf half full, places in fours", cluster({switched(2)}, clos(2, 2, 8), 12)},
      {"by source, last leaf half full", cluster({ring(2)}, clos(2, 2, 4, 0, by_source, 2), 6)},
      {"two tiers, rails apart", cluster({ring(4)}, apart(clos(2, 4, 2)), 8)},
      {"two tiers, 4 rails of 8 chips apart", cluster({ring(4), ring(2)}, apart(clos(2, 4, 4)), 8)},
      {"rails apart, last leaf half full", cluster({ring(4)}, apart(clos(2, 2, 8)), 6)},
      {"rails apart, by source", cluster({ring(2)}, apart(clos(2, 2, 2, 0, by_source, 2)), 8)},
      {"two sites, rails apart", sites({ring(2)}, apart(clos(2, 2, 2)), {4, 4})},
      {"three planes of two leaves", cluster({ring(2)}, with_ports(clos(3, 2, 2, 2), 3, 2), 8)},
      {"ecmp sites", sites({ring(2)}, clos(3, 2, 2, 2, ecmp, 2, 2), {4, 4})},
      {"one chip of 8 ranks", with_ranks(domain({}), 8, 8)},
      {"torus 4x4 of 2 ranks", with_ranks(domain({ring(4), ring(4)}, 1), 2, 8)},
      {"mesh 3x2 of 3 ranks", with_ranks(domain({line(3), ring(2)}), 3, 3)},
      {"switches 3 and 2 of 4 ranks", with_ranks(domain({switched(3), switched(2)}, 1), 4, 8)},
      {"two tiers, rails, 2 ranks", with_ranks(cluster({ring(4)}, clos(2, 4, 2), 4), 2, 2)},
      {"three tiers, 4 ranks", with_ranks(cluster({ring(2)}, clos(3, 1, 4, 2), 8), 4, 8)},
      {"ecmp, 2 ranks", with_ranks(cluster({ring(2)}, clos(3, 2, 2, 2, ecmp, 2, 3), 8), 2, 2)},
      {"by source, 2 ranks", with_ranks(cluster({ring(2)}, clos(3, 2, 2, 2, by_source, 2, 2), 8), 2, 2)},
      {"rails apart, 2 ranks", with_ranks(cluster({ring(4)}, apart(clos(2, 4, 2)), 4), 2, 2)},
      {"two sites, 2 ranks", with_ranks(sites({ring(2)}, clos(2, 2, 2), {4, 4}), 2, 2)},
  };
}

/// Shapes in which a WAN link meets several top switches of a site: one link is then several edges of the
/// graph.
inline bool wan_meets_many(const std::string& name) {
  return name == "ecmp sites" || name == "two sites of one tier" || name == "two sites, rails apart";
}

}  // namespace tahoma::test
