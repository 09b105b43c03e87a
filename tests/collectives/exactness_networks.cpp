// The networks of the exactness test: one of every kind of dimension and fabric, as small as shows it.
#include "tests/collectives/exactness_cases.h"
#include "topology/dragonfly.h"

namespace tahoma {

namespace {

Dimension dimension(DimensionKind kind, std::uint32_t size, std::int64_t gigabytes = 50) {
  Dimension result;
  result.kind = kind;
  result.size = size;
  result.bandwidth = {gigabytes, 9};
  result.efficiency = {93, -2};
  result.latency = {500'000};
  return result;
}

Dimension ring(std::uint32_t size, std::int64_t gigabytes = 50) {
  return dimension(DimensionKind::ring, size, gigabytes);
}

ClusterShape scale_up(std::vector<Dimension> dimensions, std::uint32_t server_dimensions = 1) {
  ClusterShape shape;
  shape.scale_up = std::move(dimensions);
  shape.server_dimensions = server_dimensions;
  shape.sites = {{"", 1}};
  return shape;
}

Clos clos(std::uint32_t tiers, std::uint32_t rails, std::uint32_t leaf_width, std::uint32_t leaves_per_pod,
          Routing routing = Routing::spray, std::int64_t oversubscription = 1) {
  Clos result;
  result.tiers = tiers;
  result.rails = rails;
  result.leaf_width = leaf_width;
  result.leaves_per_pod = leaves_per_pod;
  result.oversubscription = {{oversubscription, 0}, {oversubscription, 0}};
  result.bandwidth = {25, 9};
  result.efficiency = {95, -2};
  result.latency = {{2'000'000}, {700'000}, {700'000}};
  result.routing = routing;
  result.spines_per_pod = 2;
  result.cores = 2;
  return result;
}

ClusterShape with_clos(std::vector<Dimension> dimensions, Clos fabric, std::vector<std::uint32_t> domains) {
  ClusterShape shape = scale_up(std::move(dimensions));
  shape.clos = std::move(fabric);
  shape.sites.clear();
  for (const std::uint32_t count : domains) {
    shape.sites.push_back(
        {domains.size() == 1 ? "" : std::string(1, static_cast<char>('a' + shape.sites.size())), count});
  }
  if (domains.size() == 2) shape.wans = {{"", 0, 1, {30, 9}, {10'000'000}, Bytes{1'000'000}, {}}};
  return shape;
}

ClusterShape with_ranks(ClusterShape shape, std::uint32_t ranks, std::uint32_t cores = 8) {
  shape.ranks_per_chip = ranks;
  shape.inner = {cores, {30, 9}, {97, -2}, {250'000}};
  return shape;
}

Clos rails_apart(Clos fabric) {
  fabric.between_rails = BetweenRails::relay;
  return fabric;
}

Clos of_ports(Clos fabric) {
  fabric.planes = 3;
  fabric.dead_planes = 1;
  fabric.leaves_per_nic = 2;
  return fabric;
}

ClusterShape storing(ClusterShape shape) {
  for (auto* dimensions : {&shape.scale_up, &shape.scale_out}) {
    for (Dimension& dimension : *dimensions)
      dimension.stores = dimension.kind == DimensionKind::ring || dimension.kind == DimensionKind::line;
  }
  return shape;
}

GraphShape over_a_third_group(Dragonfly dragonfly, std::uint32_t chips) {
  dragonfly.valiant = true;
  GraphShape graph = dragonfly_of_chips(dragonfly, chips);
  graph.detours.seed = 3;
  return graph;
}

// Two chips a router, two routers a group, two global links a router: 20 chips.
Dragonfly small_dragonfly() {
  Dragonfly dragonfly;
  dragonfly.ends_per_router = dragonfly.routers = dragonfly.global_links = 2;
  dragonfly.groups = 5;
  dragonfly.terminal = {{25, 9}, {500'000}};
  dragonfly.local = {{25, 9}, {300'000}};
  dragonfly.global = {{20, 9}, {1'000'000}};
  return dragonfly;
}

}  // namespace

std::unique_ptr<Topology> make_topology(const NamedShape& network, const Faults& faults) {
  return std::visit([&](const auto& shape) { return make_topology(shape, faults); }, network.shape);
}

std::vector<NamedShape> small_networks() {
  const Dimension line = dimension(DimensionKind::line, 3), full = dimension(DimensionKind::full, 5);
  Dimension planes = dimension(DimensionKind::switched, 8, 20), pair = ring(2);
  planes.planes = 2;
  pair.links = 2;
  ClusterShape racks = scale_up({ring(4)});
  racks.scale_out = {dimension(DimensionKind::full, 3, 10)};
  racks.sites = {{"", 3}};
  return {
      {"ring 5", scale_up({ring(5)})},
      {"ring 6", scale_up({ring(6)})},
      {"pair of rings of 2", scale_up({pair, ring(2)})},
      {"mesh 3x3", scale_up({line, line})},
      {"full 5", scale_up({full})},
      {"switch 8, two planes", scale_up({planes})},
      {"torus 4x4", scale_up({ring(4), ring(4)}, 2)},
      {"torus 3x4", scale_up({ring(3), ring(4, 25)})},
      {"torus 4x4x2, slow z", scale_up({ring(4), ring(4), ring(2, 25)}, 2)},
      {"racks of rings of 4, full mesh of 3", racks},
      {"clos of 8 rings of 2, one rail", with_clos({ring(2)}, clos(3, 1, 4, 2), {8})},
      {"clos of 8 rings of 4, rails", with_clos({ring(4)}, clos(3, 4, 2, 2), {8})},
      {"clos of 8 switches of 3, 2:1",
       with_clos({dimension(DimensionKind::switched, 3)}, clos(3, 3, 2, 2, Routing::spray, 2), {8})},
      {"clos of 5 rings of 4", with_clos({ring(4)}, clos(3, 4, 2, 2), {5})},
      {"clos, ecmp", with_clos({ring(4)}, clos(3, 4, 2, 2, Routing::ecmp), {4})},
      {"clos, by source", with_clos({ring(4)}, clos(3, 4, 2, 2, Routing::by_source), {8})},
      {"two sites", with_clos({ring(4)}, clos(2, 4, 2, 0), {2, 2})},
      {"two unequal sites", with_clos({ring(3)}, clos(1, 1, 0, 0), {1, 3})},
      {"clos of 8 switches of 4, rails apart",
       with_clos({dimension(DimensionKind::switched, 4)}, rails_apart(clos(2, 4, 2, 0, Routing::spray, 2)),
                 {8})},
      {"clos of 8 rings of 2, a plane of 3 dead, two leaves a NIC",
       with_clos({ring(2)}, of_ports(clos(3, 2, 2, 2)), {8})},
      {"dragonfly of 5 groups of 2 routers", dragonfly_of_chips(small_dragonfly(), 20)},
      {"dragonfly of 5 groups of 2 routers, valiant", over_a_third_group(small_dragonfly(), 20)},
      {"ring 6, store and forward", storing(scale_up({ring(6)}))},
      {"torus 4x3, store and forward", storing(scale_up({ring(4), ring(3, 25)}))},
      {"mesh 3x3, store and forward", storing(scale_up({line, line}))},
      {"torus 4x4 of 2 ranks, store and forward", storing(with_ranks(scale_up({ring(4), ring(4)}, 2), 2))},
      {"clos of 4 rings of 4, rails apart, store and forward",
       storing(with_clos({ring(4)}, rails_apart(clos(2, 4, 2, 0, Routing::spray, 2)), {4}))},
      {"one chip of 8 ranks", with_ranks(scale_up({}, 0), 8)},
      {"torus 4x4 of 2 ranks", with_ranks(scale_up({ring(4), ring(4)}, 2), 2)},
      {"ring 4 of 8 ranks", with_ranks(scale_up({ring(4)}), 8)},
      {"mesh 3x2 of 4 ranks", with_ranks(scale_up({line, ring(2)}), 4)},
      {"switch 4 of 4 ranks", with_ranks(scale_up({dimension(DimensionKind::switched, 4)}), 4)},
      {"clos of 4 rings of 4, rails, 2 ranks", with_ranks(with_clos({ring(4)}, clos(3, 4, 2, 2), {4}), 2)},
      {"clos of 8 lone chips of 4 ranks",
       with_ranks(with_clos({}, clos(2, 1, 4, 0, Routing::spray, 2), {8}), 4)},
      {"two sites of lone chips of 8 ranks", with_ranks(with_clos({}, clos(1, 1, 0, 0), {2, 2}), 8)},
  };
}

std::vector<NamedShape> large_networks() {
  return {
      {"torus 8x8x2", scale_up({ring(8), ring(8), ring(2, 25)}, 2)},
      {"clos of 16 tori of 4x4x4", with_clos({ring(4), ring(4), ring(4, 25)}, clos(3, 64, 4, 2), {16})},
      {"clos of 32 switches of 8, 2:1",
       with_clos({dimension(DimensionKind::switched, 8)}, clos(3, 8, 4, 4, Routing::spray, 2), {32})},
      {"clos of 16 tori of 4x4, by source",
       with_clos({ring(4), ring(4)}, clos(3, 16, 4, 2, Routing::by_source), {16})},
      {"two sites of 8 tori of 4x4", with_clos({ring(4), ring(4)}, clos(3, 16, 4, 2), {8, 8})},
      {"clos of 64 tori of 4x4x4", with_clos({ring(4), ring(4), ring(4, 25)}, clos(3, 64, 4, 4), {64})},
      {"clos of 8 tori of 4x4 of 4 ranks",
       with_ranks(with_clos({ring(4), ring(4)}, clos(3, 16, 4, 2), {8}), 4)},
      {"torus 4x4 of 8 ranks", with_ranks(scale_up({ring(4), ring(4)}, 2), 8)},
      {"torus 8x8x2, store and forward", storing(scale_up({ring(8), ring(8), ring(2, 25)}, 2))},
      {"clos of 45 switches of 64",
       with_clos({dimension(DimensionKind::switched, 64)}, clos(3, 64, 8, 2), {45})},
  };
}

}  // namespace tahoma
