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

TEST_CASE("dragonfly: a Valiant route between groups goes over a third one and meets no switch twice") {
  Dragonfly d = balanced(2, 4, 2);
  const auto minimal = full(d);
  d.valiant = true;
  const auto topology = full(d);
  Route route, shortest;
  for (ChipId src = 0; src < 72; ++src) {
    for (ChipId dst = 0; dst < 72; ++dst) {
      if (src == dst) continue;
      topology->route(src, dst, 0, route);
      minimal->route(src, dst, 0, shortest);
      if (src / 8 == dst / 8) {
        CHECK(route.path[0].links == shortest.path[0].links);
        continue;
      }
      int globals = 0;
      Duration latency{};
      for (const LinkId link : route.path[0].links) {
        globals += is_global(*topology, link) ? 1 : 0;
        latency += topology->latency(link);
      }
      CHECK(globals == 2);
      CHECK(latency == route.path[0].latency);
      CHECK(route.path[0].links.size() <= 7);  // chip, local, global, local, global, local, chip
      CHECK(route.path[0].links.front() == shortest.path[0].links.front());
      CHECK(route.path[0].links.back() == shortest.path[0].links.back());
    }
  }
}

TEST_CASE("dragonfly: Valiant draws every third group alike and the seed and the lane change the draw") {
  Dragonfly d = balanced(2, 4, 2);
  d.valiant = true;
  std::map<std::string, int> drawn;
  Route route;
  for (std::uint64_t seed = 0; seed < 70; ++seed) {
    GraphShape shape = dragonfly_of_chips(d, 72);
    shape.detours.seed = seed;
    const auto topology = make_topology(shape);
    for (std::uint32_t lane = 0; lane < 10; ++lane) {
      topology->route(0, 40, lane, route);  // from group 0 to group 5
      for (const LinkId link : route.path[0].links) {
        const std::string name = topology->link_name(link);
        if (is_global(*topology, link) && name.starts_with("g0."))
          ++drawn[name.substr(name.find("->g") + 2, 2)];
      }
    }
  }
  // 700 draws of 7 groups: 100 each, and one deviates by sqrt(100 x 6/7) = 9.3.
  CHECK(drawn.size() == 7);
  for (const auto& [group, times] : drawn) {
    INFO(group << ": " << times);
    CHECK(group != "g0");
    CHECK(group != "g5");
    CHECK(std::abs(times - 100) < 46);
  }
}

TEST_CASE("dragonfly: group to next group takes one link minimally and half of all global links by Valiant") {
  // Each chip of group i sends to all 8 chips of group i + 1: 64 flows from group to group. Minimally they
  // share one global link, and a chip has 8 flows: 1/8 = 1 / (a p) of its own link's rate. Over a third group
  // they cross two global links each, 9 x 64 x 2 crossings on 72 directed links: 16 each on average, 1/2.
  Dragonfly d = balanced(2, 4, 2);
  const auto loads = [&](std::uint64_t seed) {
    GraphShape shape = dragonfly_of_chips(d, 72);
    shape.detours.seed = seed;
    const auto topology = make_topology(shape);
    std::map<LinkId, int> load;
    Route route;
    for (ChipId src = 0; src < 72; ++src) {
      for (ChipId place = 0; place < 8; ++place) {
        topology->route(src, (src / 8 + 1) % 9 * 8 + place, 0, route);
        for (const LinkId link : route.path[0].links) {
          if (is_global(*topology, link)) ++load[link];
        }
      }
    }
    return load;
  };
  const auto minimal = loads(0);
  CHECK(minimal.size() == 9);
  for (const auto& [link, flows] : minimal) CHECK(flows == 64);
  d.valiant = true;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto spread = loads(seed);
    int sum = 0, most = 0;
    for (const auto& [link, flows] : spread) sum += flows, most = std::max(most, flows);
    CHECK(sum == 9 * 64 * 2);
    // But for the 9 links from a group to the next, which no detour takes, 63 links with 18.3 each.
    CHECK(spread.size() == 63);
    // 128 drawn crossings at each group in 7 ways: one link deviates by sqrt(18.3 x 6/7) = 4; the fullest of
    // 63 is some 2.4 deviations up, 28, and past 5 in one draw of ten thousand.
    CHECK(most < 18.3 + 5 * 4);
    CHECK(most > 18);
  }
}

TEST_CASE("dragonfly: Valiant passes over a group that is cut off and stays minimal where no third is left") {
  Dragonfly d = balanced(2, 4, 2);
  d.valiant = true;
  const GraphShape shape = dragonfly_of_chips(d, 72);
  const auto healthy = make_topology(shape);
  Route route;
  healthy->route(0, 14, 0, route);
  std::string third;
  for (const LinkId link : route.path[0].links) {
    const std::string name = healthy->link_name(link);
    if (is_global(*healthy, link) && name.starts_with("g0.")) third = name.substr(name.find("->g") + 2, 2);
  }
  REQUIRE(third.size() == 2);
  Faults faults;
  for (const char router : {'0', '1', '2', '3'})
    faults.failed_switches.push_back(third + ".r" + std::string(1, router));
  const auto broken = make_topology(shape, faults);
  broken->route(0, 14, 0, route);
  int globals = 0;
  for (const LinkId link : route.path[0].links) {
    globals += is_global(*broken, link) ? 1 : 0;
    CHECK(broken->link_name(link).find(third + ".") == std::string::npos);
  }
  CHECK(globals == 2);
}

}  // namespace tahoma
