// Fabrics that are more than one tree: rails without links between them, planes side by side, NICs bonded
// over two leaf switches, and how evenly a hash spreads flows over a tree's links.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/errors.h"
#include "tests/support/balls_in_bins.h"
#include "tests/topology/shapes.h"

namespace tahoma {
namespace {

using namespace test;

std::string names_on_way(const Topology& topology, ChipId src, ChipId dst) {
  Route route;
  topology.route(src, dst, 0, route);
  std::string text;
  for (const LinkId link : route.path[0].links) text += (text.empty() ? "" : " ") + topology.link_name(link);
  return text;
}

Faults dead_switches(const ClusterShape& shape, std::initializer_list<const char*> names) {
  Faults faults;
  for (const char* name : names) {
    const Elements found = match_elements(*make_topology(shape), name);
    faults.failed_switches.insert(faults.failed_switches.end(), found.switches.begin(), found.switches.end());
  }
  return faults;
}

Capacity capacity_named(const Topology& topology, const std::string& name) {
  const Elements found = match_elements(topology, name);
  REQUIRE(found.links.size() == 1);
  return topology.capacity(found.links[0]);
}

//   us0: c0 ── c1 (switch)     rail 0: leaf0 (us0, us1)  leaf2 (us2, us3)   pod0: their spine
//   us1: c0 ── c1              rail 1: leaf1 (us0, us1)  leaf3 (us2, us3)   pod1: their spine
ClusterShape two_rails(BetweenRails between) {
  ClusterShape shape = cluster({switched(2)}, clos(2, 2, 2), 4);
  shape.clos->between_rails = between;
  return shape;
}

}  // namespace

TEST_CASE(
    "fabrics: without links between rails, a rail has spines of its own and others are reached by relay") {
  const auto joined = make_topology(two_rails(BetweenRails::fabric));
  CHECK(names_on_way(*joined, 0, 5) == "us0.s0.c0.nic->leaf0 leaf0->pod0 pod0->leaf3 leaf3->us2.s0.c1.nic");
  const auto apart = make_topology(two_rails(BetweenRails::relay));
  CHECK(names_on_way(*apart, 0, 4) == "us0.s0.c0.nic->leaf0 leaf0->pod0 pod0->leaf2 leaf2->us2.s0.c0.nic");
  CHECK(names_on_way(*apart, 0, 5) ==
        "us0.s0.c0->us0.s0.c0.xswitch us0.s0.c0.xswitch->us0.s0.c1 us0.s0.c1.nic->leaf1 leaf1->pod1 "
        "pod1->leaf3 leaf3->us2.s0.c1.nic");
  CHECK(
      names_on_way(*apart, 0, 3) ==
      "us0.s0.c0->us0.s0.c0.xswitch us0.s0.c0.xswitch->us0.s0.c1 us0.s0.c1.nic->leaf1 leaf1->us1.s0.c1.nic");
  CHECK(apart->link_count() == joined->link_count());
}

TEST_CASE("fabrics: where relays are ruled out too, the pair on different rails is named") {
  const auto topology = make_topology(two_rails(BetweenRails::none));
  CHECK(names_on_way(*topology, 0, 4) == "us0.s0.c0.nic->leaf0 leaf0->pod0 pod0->leaf2 leaf2->us2.s0.c0.nic");
  CHECK(names_on_way(*topology, 0, 1) == "us0.s0.c0->us0.s0.c0.xswitch us0.s0.c0.xswitch->us0.s0.c1");
  Route route;
  CHECK_THROWS_WITH(topology->route(0, 5, 0, route),
                    Catch::Contains("us0.s0.c0 cannot reach us2.s0.c1") && Catch::Contains("between_rails"));
  CHECK_THROWS_AS(make_topology([] {
                    ClusterShape shape = cluster({switched(2)}, clos(3, 2, 2, 2), 8);
                    shape.clos->between_rails = BetweenRails::relay;
                    return shape;
                  }()),
                  ScenarioError);
}

TEST_CASE("fabrics: the spine of one rail fails for that rail alone, which then goes over the other one") {
  const ClusterShape shape = two_rails(BetweenRails::relay);
  const auto broken = make_topology(shape, dead_switches(shape, {"pod0.spine0"}));
  CHECK(names_on_way(*broken, 1, 5) == "us0.s0.c1.nic->leaf1 leaf1->pod1 pod1->leaf3 leaf3->us2.s0.c1.nic");
  CHECK(names_on_way(*broken, 0, 2) == "us0.s0.c0.nic->leaf0 leaf0->us1.s0.c0.nic");
  CHECK(names_on_way(*broken, 0, 4) ==
        "us0.s0.c0->us0.s0.c0.xswitch us0.s0.c0.xswitch->us0.s0.c1 us0.s0.c1.nic->leaf1 leaf1->pod1 "
        "pod1->leaf3 leaf3->us2.s0.c1.nic us2.s0.c1->us2.s0.c0.xswitch us2.s0.c0.xswitch->us2.s0.c0");
}

TEST_CASE("fabrics: a dead plane narrows every NIC and trunk by its share and leaves all chips alike") {
  ClusterShape shape = cluster({ring(2)}, clos(3, 2, 2, 2), 8);
  shape.clos->planes = 4;
  const auto healthy = make_topology(shape);
  const auto broken = make_topology(shape, dead_switches(shape, {"plane1", "plane3", "plane1"}));
  for (const std::string link : {"us0.s0.c0.nic->leaf0", "leaf0->pod0", "pod0->core"}) {
    CHECK(capacity_named(*broken, link).q20 * 2 == capacity_named(*healthy, link).q20);
  }
  CHECK(broken->marked_chips(NetworkPart::fabric).empty());
  for (std::size_t d = 0; d < healthy->digits().size(); ++d)
    CHECK(broken->digits()[d].shift == healthy->digits()[d].shift);
  CHECK(broken->link_count() == healthy->link_count());
  CHECK_THROWS_AS(make_topology(shape, dead_switches(shape, {"plane*"})), InfeasibleError);
  CHECK_THROWS_AS(match_elements(*healthy, "plane4"), SelectorError);
}

TEST_CASE("fabrics: with NICs bonded over two leaf switches, one that dies halves them instead of cutting") {
  ClusterShape shape = cluster({ring(2)}, clos(2, 2, 4), 8);
  shape.clos->leaves_per_nic = 2;
  const auto healthy = make_topology(shape);
  // Two ports of 25 GB/s each.
  CHECK(capacity_named(*healthy, "us0.s0.c0.nic->leaf0").q20 == u128{50'000'000'000} << 20);
  const auto broken = make_topology(shape, dead_switches(shape, {"leaf0.switch1"}));
  for (const std::string link :
       {"us0.s0.c0.nic->leaf0", "leaf0->us3.s0.c0.nic", "leaf0->pod0", "pod0->leaf0"}) {
    CHECK(capacity_named(*broken, link).q20 * 2 == capacity_named(*healthy, link).q20);
  }
  for (const std::string link : {"us4.s0.c0.nic->leaf2", "leaf2->pod0", "us0.s0.c1.nic->leaf1"}) {
    CHECK(capacity_named(*broken, link).q20 == capacity_named(*healthy, link).q20);
  }
  CHECK(names_on_way(*broken, 0, 8) == names_on_way(*healthy, 0, 8));
  const auto cut = make_topology(shape, dead_switches(shape, {"leaf0.switch0", "leaf0.switch1"}));
  CHECK(names_on_way(*cut, 0, 8) != names_on_way(*healthy, 0, 8));  // over the neighbour's NIC
  CHECK_THROWS_AS(match_elements(*healthy, "leaf0.switch2"), SelectorError);
}

TEST_CASE("fabrics: ecmp fills a leaf's uplinks as balls fill bins") {
  CHECK(expected_most(2, 2) == Approx(1.5));       // 1 or 2, a half each
  CHECK(expected_most(3, 3) == Approx(17.0 / 9));  // 6/27 one each, 18/27 two, 3/27 three
  // 128 chips, leaves of 8 with 8 uplinks, pods of 4 leaves; everyone sends to the chip 64 further on, two
  // pods away, so that 8 flows leave each leaf and 8 enter it.
  std::map<std::string, std::pair<double, int>> most_by_kind;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    ClusterShape shape = cluster({}, clos(3, 1, 8, 4, Routing::ecmp, 8, 4), 128);
    shape.seed = seed;
    const auto topology = make_topology(shape);
    std::map<LinkId, int> load;
    Route route;
    for (ChipId chip = 0; chip < 128; ++chip) {
      topology->route(chip, (chip + 64) % 128, 0, route);
      for (const LinkId link : route.path[0].links) ++load[link];
    }
    std::map<std::string, int> most;  // by the leaf or pod whose links are bins
    for (const auto& [link, flows] : load) {
      const std::string name = topology->link_name(link);
      const std::string from = name.substr(0, name.find("->")), to = name.substr(name.find("->") + 2);
      if (from.starts_with("leaf") && to.starts_with("pod"))
        most["up of " + from] = std::max(most["up of " + from], flows);
      if (to.starts_with("leaf") && from.starts_with("pod"))
        most["down of " + to] = std::max(most["down of " + to], flows);
      const std::string pod = from.substr(0, from.find('.'));
      if (to.starts_with("core")) most["core of " + pod] = std::max(most["core of " + pod], flows);
    }
    for (const auto& [bins, flows] : most) {
      auto& [sum, count] = most_by_kind[bins.substr(0, bins.find(' '))];
      sum += flows;
      ++count;
    }
  }
  const auto mean = [&](const char* kind) {
    return most_by_kind.at(kind).first / most_by_kind.at(kind).second;
  };
  // 1,600 leaves each way with a deviation of about 0.75, 400 pods with about 0.7: five standard errors are
  // 0.1 and 0.18.
  CHECK(most_by_kind.at("up").second == 1600);
  CHECK(most_by_kind.at("core").second == 400);
  CHECK(std::abs(mean("up") - expected_most(8, 8)) < 0.1);
  CHECK(std::abs(mean("down") - expected_most(8, 8)) < 0.1);
  CHECK(std::abs(mean("core") - expected_most(32, 32)) < 0.18);
  INFO(mean("up") << " " << expected_most(8, 8) << " " << mean("core") << " " << expected_most(32, 32));
}

}  // namespace tahoma
