// Routes around what is broken, drawn; and against breadth-first search on the surviving graph.
#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

#include <boost/graph/breadth_first_search.hpp>

#include "core/errors.h"
#include "core/random.h"
#include "tests/topology/shapes.h"
#include "topology/boost_graph.h"

namespace tahoma {
namespace {

using namespace test;
using namespace tahoma::literals;

// "c0->c1 c1->c2" of one way, without "us0.s0.".
std::string way(const Topology& topology, ChipId src, ChipId dst, std::uint32_t which = 0) {
  Route route;
  topology.route(src, dst, 0, route);
  if (which >= route.ways) return "none";
  std::string text;
  for (const LinkId link : route.path[which].links)
    text += (text.empty() ? "" : " ") + topology.link_name(link);
  for (std::size_t at = text.find("us0.s0."); at != std::string::npos; at = text.find("us0.s0."))
    text.erase(at, 7);
  return text;
}

Faults broken(const ClusterShape& shape, std::initializer_list<const char*> names) {
  const auto healthy = make_topology(shape);
  Faults faults;
  for (const char* name : names) {
    const Elements elements = match_elements(*healthy, name);
    faults.failed_links.insert(faults.failed_links.end(), elements.links.begin(), elements.links.end());
    faults.failed_chips.insert(faults.failed_chips.end(), elements.chips.begin(), elements.chips.end());
    faults.failed_switches.insert(faults.failed_switches.end(), elements.switches.begin(),
                                  elements.switches.end());
  }
  return faults;
}

std::unique_ptr<Topology> with(const ClusterShape& shape, std::initializer_list<const char*> names) {
  return make_topology(shape, broken(shape, names));
}

std::vector<std::uint32_t> links_from(const Topology& topology, ChipId source) {
  const ImplicitGraph graph{topology};
  std::vector<std::uint32_t> links(num_vertices(graph), ~0u);
  links[source] = 0;
  const auto recorder = boost::record_distances(links.data(), boost::on_tree_edge{});
  boost::breadth_first_search(graph, VertexId{source}, boost::visitor(boost::make_bfs_visitor(recorder)));
  return links;
}

}  // namespace

TEST_CASE("a dead torus link is gone round, first port first") {
  //   12 13 14 15
  //    8  9 10 11
  //    4  5  6  7
  //    0 x1  2  3
  const ClusterShape torus = domain({ring(4), ring(4)});
  const auto topology = with(torus, {"us0.s0.c0<->us0.s0.c1"});
  // 3 links: plus x is dead, so minus x, the other way round the ring; over the next row is as long but
  // later.
  CHECK(way(*topology, 0, 1) == "c0->c3 c3->c2 c2->c1");
  CHECK(way(*topology, 1, 0) == "c1->c2 c2->c3 c3->c0");
  CHECK(way(*with(torus, {"us0.s0.c0<->us0.s0.c1", "us0.s0.c2<->us0.s0.c3"}), 0, 1) ==
        "c0->c4 c4->c5 c5->c1");
  CHECK(way(*topology, 0, 4) == "c0->c4");
  CHECK(topology->link_count() == 62);
}

TEST_CASE("only the half of a split route that meets the fault moves") {
  const auto topology = with(domain({ring(4), ring(4)}), {"us0.s0.c0->us0.s0.c1"});
  // Plus way 0-1-2 is dead: 0-3-2 is as short, and first by ports.
  CHECK(way(*topology, 0, 2, 0) == "c0->c3 c3->c2");
  CHECK(way(*topology, 0, 2, 1) == "c0->c3 c3->c2");
  CHECK(way(*topology, 2, 0, 0) == "c2->c3 c3->c0");
  CHECK(way(*topology, 2, 0, 1) == "c2->c1 c1->c0");  // the other direction still works
}

TEST_CASE("a dead chip does not forward and cannot be reached") {
  const auto topology = with(domain({ring(4)}), {"us0.s0.c1"});
  CHECK(way(*topology, 0, 2, 0) == "c0->c3 c3->c2");
  Route route;
  CHECK_THROWS_AS(topology->route(0, 1, 0, route), InfeasibleError);
  CHECK_THROWS_WITH(topology->route(0, 1, 0, route), Catch::Contains("us0.s0.c0 cannot reach us0.s0.c1"));
  CHECK(topology->link_count() == 4);
}

TEST_CASE("a dead NIC is replaced by the nearest live one") {
  //   us0: c0 - c1 - c2 - c3     us1 the same, one leaf above all
  const ClusterShape shape = cluster({line(4)}, clos(1, 1), 2);
  CHECK(way(*with(shape, {"us0.s0.c1.nic"}), 1, 5) == "c1->c0 c0.nic->leaf0 leaf0->us1.s0.c1.nic");
  CHECK(way(*with(shape, {"us0.s0.c1.nic", "us0.s0.c0.nic"}), 1, 5) ==
        "c1->c2 c2.nic->leaf0 leaf0->us1.s0.c1.nic");
  CHECK(way(*with(shape, {"us1.s0.c3.nic"}), 0, 7) ==
        "c0.nic->leaf0 leaf0->us1.s0.c2.nic us1.s0.c2->us1.s0.c3");
  CHECK(way(*with(shape, {"us0.s0.c0.nic", "us1.s0.c0.nic"}), 0, 4) ==
        "c0->c1 c1.nic->leaf0 leaf0->us1.s0.c1.nic us1.s0.c1->us1.s0.c0");
  Route route;
  CHECK_THROWS_AS(with(shape, {"us0.s0.c*.nic"})->route(0, 4, 0, route), InfeasibleError);
}

TEST_CASE("a domain in two pieces is joined through its NICs") {
  const ClusterShape shape = cluster({line(4)}, clos(1, 1), 2);
  const auto topology = with(shape, {"us0.s0.c1<->us0.s0.c2"});
  CHECK(way(*topology, 0, 3) == "c0.nic->leaf0 leaf0->c3.nic");
  CHECK_THROWS_AS(
      with(domain({line(4)}), {"us0.s0.c1<->us0.s0.c2"})->route(0, 3, 0, *std::make_unique<Route>()),
      InfeasibleError);
}

TEST_CASE("a dead leaf kills a rail, and the flows walk to another") {
  //   rail 0: leaf0; rail 1: leaf1
  const ClusterShape shape = cluster({full(2)}, clos(2, 2, 4), 2);
  const auto topology = with(shape, {"leaf0"});
  CHECK(way(*topology, 0, 2) == "c0->c1 c1.nic->leaf1 leaf1->us1.s0.c1.nic us1.s0.c1->us1.s0.c0");
  CHECK(way(*topology, 1, 3) == "c1.nic->leaf1 leaf1->us1.s0.c1.nic");
}

TEST_CASE("lost spines and cores narrow the trunks by their share") {
  Clos fabric = clos(3, 1, 4, 2, Routing::spray, 4, 3);
  const ClusterShape shape = cluster({}, fabric, 16);
  const auto capacity = [&](const Topology& topology, const char* name) {
    return topology.capacity(match_elements(*make_topology(shape), name).links.at(0));
  };
  const auto spine = with(shape, {"pod0.spine1"});
  CHECK(capacity(*spine, "leaf0->pod0") == 75_GBps);  // 4 x 25 x 3/4
  CHECK(capacity(*spine, "pod0->leaf1") == 75_GBps);
  CHECK(capacity(*spine, "leaf2->pod1") == 100_GBps);
  CHECK(capacity(*spine, "pod0->core") == 150_GBps);  // 8 x 25 x 9/12
  const auto core = with(shape, {"core2"});
  CHECK(capacity(*core, "pod0->core").q20 ==
        (u128{200'000'000'000} * (1 << 20) * 2 + 1) / 3);  // 8 of 12 links
  const auto both = with(shape, {"core2", "pod0.spine1"});
  CHECK(capacity(*both, "pod0->core") == 100_GBps);  // 12 - 3 - 4 + 1 = 6 of 12 links
  Faults slow;
  slow.degraded_links = {{match_elements(*make_topology(shape), "leaf0->pod0.spine0").links[0], {5, -1}},
                         {match_elements(*make_topology(shape), "leaf0->pod0").links[0], {5, -1}}};
  CHECK(make_topology(shape, slow)->capacity(slow.degraded_links[1].link).q20 ==
        u128{43'750'000'000} << 20);  // 100 x (3 + 0.5)/4 x 0.5
}

TEST_CASE("several degradations of one link multiply, and zero is a failure") {
  const ClusterShape shape = domain({ring(4)});
  const LinkId link = make_topology(shape)->all_links()[0];
  Faults faults;
  faults.degraded_links = {{link, {5, -1}}, {link, {3, -1}}};
  CHECK(make_topology(shape, faults)->capacity(link).q20 == u128{1'500'000'000} << 20);  // 10 x 0.15
  faults.degraded_links.push_back({link, {0, 0}});
  CHECK(make_topology(shape, faults)->link_count() == 7);
  faults.degraded_links = {{link, {11, -1}}};
  CHECK_THROWS_AS(make_topology(shape, faults), ScenarioError);
}

TEST_CASE("a lost switch plane takes its share, the last one the whole switch") {
  Dimension sled = switched(4);
  sled.planes = 3;
  const ClusterShape shape = domain({sled});
  const LinkId up = make_topology(shape)->all_links()[0];
  CHECK(make_topology(shape)->capacity(up) == 30_GBps);
  CHECK(with(shape, {"us0.s0.c0.xswitch1"})->capacity(up) == 20_GBps);
  CHECK(with(shape, {"us0.s0.c0.xswitch1", "us0.s0.c0.xswitch[0-1]"})->capacity(up) == 10_GBps);
  Route route;
  CHECK_THROWS_AS(with(shape, {"us0.s0.c0.xswitch*"})->route(0, 1, 0, route), InfeasibleError);
  CHECK_THROWS_AS(with(shape, {"us0.s0.c0.xswitch"})->route(0, 1, 0, route), InfeasibleError);
}

TEST_CASE("single links under ecmp and by_source are avoided, and nothing else moves") {
  for (const Routing routing : {Routing::ecmp, Routing::by_source}) {
    const ClusterShape shape = cluster({}, clos(3, 1, 4, 2, routing, 4, 2), 16);
    const auto healthy = make_topology(shape);
    const auto faulty = with(shape, {"leaf0->pod0.spine1", "pod1.spine0", "core1->pod0.spine3"});
    Route before, after;
    for (ChipId src = 0; src < 16; ++src) {
      for (ChipId dst = 0; dst < 16; ++dst) {
        healthy->route(src, dst, 0, before);
        faulty->route(src, dst, 0, after);
        CHECK(after.path[0].links.size() == before.path[0].links.size());
        bool hit = false;
        for (const LinkId link : before.path[0].links) hit = hit || faulty->capacity(link).q20 == 0;
        for (const LinkId link : after.path[0].links) CHECK(faulty->capacity(link).q20 > 0);
        if (!hit && routing == Routing::ecmp) CHECK(after.path[0].links == before.path[0].links);
      }
    }
  }
}

TEST_CASE(
    "random faults: what the graph still joins is joined by the fewest links inside a domain, the rest "
    "refused") {
  for (const auto& [name, shape] : many_shapes()) {
    if (shape.clos) continue;
    const auto healthy = make_topology(shape);
    const std::vector<LinkId> links = healthy->all_links();
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      Random random(seed);
      Faults faults;
      for (std::size_t i = 0; i < links.size() / 6 + 1 && !links.empty(); ++i) {
        faults.failed_links.push_back(links[random.below(links.size())]);
      }
      const auto topology = make_topology(shape, faults);
      Route route, before;
      for (ChipId src = 0; src < topology->chips(); ++src) {
        const auto links_to = links_from(*topology, src);
        for (ChipId dst = 0; dst < topology->chips(); ++dst) {
          INFO(name << ", seed " << seed << ": " << src << " to " << dst);
          if (links_to[dst] == ~0u) {
            CHECK_THROWS_AS(topology->route(src, dst, 0, route), InfeasibleError);
            continue;
          }
          topology->route(src, dst, 0, route);
          healthy->route(src, dst, 0, before);
          for (std::uint32_t which = 0; which < route.ways; ++which) {
            const auto& old = before.path[which].links;
            const bool hit =
                std::any_of(old.begin(), old.end(), [&](LinkId l) { return topology->capacity(l).q20 == 0; });
            if (hit) CHECK(route.path[which].links.size() == links_to[dst]);
            if (!hit) CHECK(route.path[which].links == old);
          }
        }
      }
    }
  }
}

TEST_CASE("random faults below a Clos: every route that is found is whole and alive") {
  for (const auto& [name, shape] : many_shapes()) {
    if (!shape.clos) continue;
    const auto healthy = make_topology(shape);
    const std::vector<LinkId> links = healthy->all_links();
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      Random random(seed);
      Faults faults;
      for (std::size_t i = 0; i < links.size() / 8 + 1; ++i)
        faults.failed_links.push_back(links[random.below(links.size())]);
      const auto topology = make_topology(shape, faults);
      Route route;
      for (ChipId src = 0; src < topology->chips(); ++src) {
        const auto links_to = links_from(*topology, src);
        for (ChipId dst = 0; dst < topology->chips(); ++dst) {
          INFO(name << ", seed " << seed << ": " << src << " to " << dst);
          try {
            topology->route(src, dst, 0, route);
          } catch (const InfeasibleError&) {
            continue;  // detours do not relay through third domains
          }
          REQUIRE(links_to[dst] != ~0u);
          for (std::uint32_t which = 0; which < route.ways; ++which) {
            CHECK(route.path[which].links.size() >= links_to[dst]);
            const std::set<LinkId> once(route.path[which].links.begin(), route.path[which].links.end());
            CHECK(once.size() == route.path[which].links.size());
            for (const LinkId link : route.path[which].links) CHECK(topology->capacity(link).q20 > 0);
          }
        }
      }
    }
  }
}

TEST_CASE("any fault at all voids all symmetry") {
  const auto topology = with(cluster({ring(4)}, clos(2, 4, 2), 8), {"leaf0"});
  for (const Digit& digit : topology->digits()) {
    CHECK_FALSE(digit.shift);
    CHECK_FALSE(digit.exclusive_or);
  }
}

}  // namespace tahoma
