// A dragonfly against its closed forms: Kim, Dally, Scott, Abts (ISCA 2008).
#include "topology/dragonfly.h"

#include <catch2/catch.hpp>

#include <map>
#include <set>

#include "core/errors.h"
#include "topology/max_flow.h"
#include "topology/topology.h"

namespace tahoma {
namespace {

/// p chips a router, a routers a group, h global links a router, all the groups that joins: g = a h + 1.
Dragonfly balanced(std::uint32_t p, std::uint32_t a, std::uint32_t h) {
  Dragonfly d;
  d.ends_per_router = p;
  d.routers = a;
  d.groups = a * h + 1;
  d.global_links = h;
  d.terminal = {{10, 9}, {100'000}};
  d.local = {{10, 9}, {200'000}};
  d.global = {{5, 9}, {1'000'000}};
  return d;
}

std::unique_ptr<Topology> full(const Dragonfly& d) {
  return make_topology(dragonfly_of_chips(d, static_cast<std::uint32_t>(d.ends())));
}

bool is_global(const Topology& topology, LinkId link) {
  return topology.latency(link) == Duration{1'000'000};
}

}  // namespace

TEST_CASE("dragonfly: a balanced one joins every two groups once, and its routers have p + a - 1 + h ports") {
  const Dragonfly d = balanced(2, 4, 2);
  const auto topology = full(d);
  CHECK(topology->chips() == 72);
  CHECK(topology->vertex_count() == 72 + 36);
  // Cables: 72 terminal, 9 x (4 x 3 / 2) local, 9 x 8 / 2 global; two directions each.
  CHECK(topology->link_count() == 2 * (72 + 54 + 36));
  std::map<std::set<std::string>, int> joined;
  std::vector<Edge> edges;
  for (VertexId router = 72; router < topology->vertex_count(); ++router) {
    edges.clear();
    topology->out_edges(router, edges);
    CHECK(edges.size() == 2 + 3 + 2);
    const auto group = [&](VertexId v) { return topology->vertex_name(v).substr(0, 2); };
    for (const Edge& edge : edges) {
      if (is_global(*topology, edge.link)) ++joined[{group(edge.from), group(edge.to)}];
    }
  }
  CHECK(joined.size() == 36);
  for (const auto& [pair, links] : joined) CHECK(links == 2);  // two directions
}

TEST_CASE("dragonfly: minimal routes take one global link at most, and the diameter is three router links") {
  const auto topology = full(balanced(2, 4, 2));
  Route route;
  std::size_t longest = 0;
  std::map<LinkId, int> load;
  for (ChipId src = 0; src < 72; ++src) {
    for (ChipId dst = 0; dst < 72; ++dst) {
      if (src == dst) continue;
      topology->route(src, dst, 0, route);
      REQUIRE(route.ways == 1);
      int globals = 0;
      for (const LinkId link : route.path[0].links) {
        globals += is_global(*topology, link) ? 1 : 0;
        ++load[link];
      }
      CHECK(globals == (src / 8 == dst / 8 ? 0 : 1));
      longest = std::max(longest, route.path[0].links.size());
    }
  }
  CHECK(longest == 5);  // chip, local, global, local, chip
  // All with all: 71 flows on a terminal link; (a p)^2 = 64 on a global one; on a local one p^2 between its
  // routers, and p h a p each way for the global links of either end: 4 + 32 + 32.
  for (const auto& [link, flows] : load) {
    const Duration latency = topology->latency(link);
    CHECK(flows == (latency == Duration{100'000} ? 71 : latency == Duration{200'000} ? 68 : 64));
  }
}

TEST_CASE("dragonfly: its bisection is the global links between two halves of the groups") {
  const auto topology = full(balanced(2, 4, 2));
  std::vector<bool> inside(72, false);
  for (ChipId chip = 0; chip < 32; ++chip) inside[chip] = true;  // 4 of 9 groups
  // 4 x 5 links of 5 GB/s; the 32 terminal links of the smaller half could send 320 GB/s.
  CHECK(max_flow(*topology, inside) == Capacity{(u128{20} * 5'000'000'000) << 20});
}

TEST_CASE("dragonfly: with global links to spare each two groups have several, and the nearest serves") {
  Dragonfly d = balanced(1, 4, 1);
  d.groups = 3;  // 4 ports of a group for 2 other groups: 2 links to each
  CHECK(d.links_between_groups() == 2);
  const auto topology = full(d);
  Route route;
  for (ChipId src = 0; src < 12; ++src) {
    for (ChipId dst = 0; dst < 12; ++dst) {
      if (src == dst) continue;
      topology->route(src, dst, 0, route);
      CHECK(route.path[0].links.size() <= 5);
    }
  }
  CHECK(topology->link_count() == 2 * (12 + 3 * 6 + 3 * 2));
}

TEST_CASE(
    "dragonfly: a dead global link is gone round over a third group, a dead router cuts its chips off") {
  const Dragonfly d = balanced(2, 4, 2);
  const GraphShape shape = dragonfly_of_chips(d, 72);
  const auto healthy = make_topology(shape);
  // Group 0's link to group 1 is its port 0, at router 0; it ends at port 7 of group 1, at router 3.
  Route route;
  healthy->route(0, 14, 0, route);
  REQUIRE(route.path[0].links.size() == 3);
  CHECK(healthy->link_name(route.path[0].links[1]) == "g0.r0->g1.r3");
  Faults faults;
  faults.failed_links = match_elements(*healthy, "g0.r0<->g1.r3").links;
  CHECK(faults.failed_links.size() == 2);
  const auto broken = make_topology(shape, faults);
  broken->route(0, 14, 0, route);
  int globals = 0;
  for (const LinkId link : route.path[0].links) globals += is_global(*broken, link) ? 1 : 0;
  CHECK(globals == 2);
  Faults router;
  router.failed_switches = match_elements(*healthy, "g0.r0").switches;
  const auto cut = make_topology(shape, router);
  CHECK_THROWS_AS(cut->route(0, 14, 0, route), InfeasibleError);
  cut->route(2, 14, 0, route);
  CHECK(route.path[0].links.size() >= 5);
}

}  // namespace tahoma
