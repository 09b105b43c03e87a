// Sites of different hardware as one network. Two rings of 4 with NICs of 10 GB/s at site a, three switches
// of 3 with NICs of 25 GB/s at site b, a WAN link of 40 GB/s:
//
//   a: us0 (c0 c1 c2 c3) us1 (...)   8 chips, leaf0 ══ 40 GB/s ══ leaf0   b: us0 (c0 c1 c2) us1 us2   9 chips
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "core/errors.h"
#include "tests/topology/shapes.h"
#include "topology/draw.h"
#include "topology/summary.h"

using namespace tahoma;

namespace {

ClusterShape unlike_site(const std::string& name, const Dimension& dimension, std::uint32_t domains,
                         std::int64_t nic_gigabytes) {
  ClusterShape site;
  site.scale_up = {dimension};
  site.clos = test::clos(1, 1);
  site.clos->bandwidth = {nic_gigabytes, 9};
  site.sites = {{name, domains}};
  return site;
}

MixedShape two_unlike_sites() {
  MixedShape shape;
  shape.sites = {unlike_site("a", test::ring(4), 2, 10), unlike_site("b", test::switched(3), 3, 25)};
  shape.wans = {{"ab", 0, 1, {40, 9}, {50'000'000}, std::nullopt, std::nullopt}};
  return shape;
}

Capacity gigabytes(std::uint64_t n) {
  return {u128{n} * 1'000'000'000 << 20};
}

std::vector<std::string> names_between(const Topology& topology, const std::string& from,
                                       const std::string& to) {
  Route route;
  topology.route(match_chips(topology, from).at(0), match_chips(topology, to).at(0), 0, route);
  std::vector<std::string> names;
  for (const LinkId link : route.path[0].links) names.push_back(topology.link_name(link));
  return names;
}

}  // namespace

TEST_CASE("chips of unlike sites are numbered site by site and named by their sites") {
  const auto topology = make_topology(two_unlike_sites());
  CHECK(topology->chips() == 17);
  CHECK(topology->chip_name(0) == "site.a.us0.s0.c0");
  CHECK(topology->chip_name(7) == "site.a.us1.s0.c3");
  CHECK(topology->chip_name(8) == "site.b.us0.s0.c0");
  for (ChipId chip = 0; chip < 17; ++chip)
    CHECK(match_chips(*topology, topology->chip_name(chip)) == std::vector<ChipId>{chip});
  CHECK(match_chips(*topology, "site.*.us1.c[0-1]") == std::vector<ChipId>{4, 5, 11, 12});
  CHECK_THROWS_AS(match_chips(*topology, "us0.c0"), SelectorError);
  CHECK_THROWS_AS(match_chips(*topology, "site.c.us0.c0"), SelectorError);
}

TEST_CASE("a way between unlike sites climbs in one and descends in the other at the rates of each") {
  const auto topology = make_topology(two_unlike_sites());
  CHECK(names_between(*topology, "site.a.us0.c1", "site.b.us2.c2") ==
        std::vector<std::string>{"site.a.us0.s0.c1.nic->site.a.leaf0", "site.a->site.b",
                                 "site.b.leaf0->site.b.us2.s0.c2.nic"});
  Route route;
  topology->route(1, 16, 0, route);
  CHECK(topology->capacity(route.path[0].links[0]) == gigabytes(10));
  CHECK(topology->capacity(route.path[0].links[1]) == gigabytes(40));
  CHECK(topology->capacity(route.path[0].links[2]) == gigabytes(25));
  CHECK(route.path[0].latency.ps == 1'000'000 + 50'000'000 + 1'000'000);  // NIC, WAN, NIC
  CHECK(topology->least_latency(1, 16) == route.path[0].latency);
  topology->route(16, 1, 0, route);
  CHECK(topology->link_name(route.path[0].links[1]) == "site.b->site.a");
}

TEST_CASE("every link of unlike sites is found by its name and has a tier and one number") {
  const auto topology = make_topology(two_unlike_sites());
  const auto links = topology->all_links();
  CHECK(links.size() == topology->link_count());
  std::set<LinkId> seen;
  for (const LinkId link : links) {
    const std::string name = topology->link_name(link);
    INFO(name);
    CHECK(seen.insert(link).second);
    CHECK(match_elements(*topology, name).links == std::vector<LinkId>{link});
    CHECK(topology->tier(link) < topology->tiers().size());
  }
  CHECK(topology->tiers()[topology->tier(match_elements(*topology, "site.b.us0.c0.nic").links[0])].name ==
        "NIC of site.b");
  CHECK(match_elements(*topology, "ab").links.size() == 2);
}

TEST_CASE("what leaves a site is cut at its NICs or at what joins it to the others") {
  const auto topology = make_topology(two_unlike_sites());
  const auto cuts = topology->cuts();
  const auto out_of = [&](const std::string& name) {
    const auto at = std::find_if(cuts.begin(), cuts.end(), [&](const Cut& cut) { return cut.name == name; });
    REQUIRE(at != cuts.end());
    return at->out;
  };
  CHECK(out_of("site.a") == gigabytes(40));                // WAN; 8 NICs of 10 are 80
  CHECK(out_of("one domain of site.a") == gigabytes(40));  // 4 NICs of 10
  CHECK(out_of("one chip of site.a") == gigabytes(30));    // two ring links of 10, a NIC of 10
  CHECK(out_of("one chip of site.b") == gigabytes(35));    // a switch port of 10, a NIC of 25
  CHECK(topology->total_injection() == gigabytes(8 * 30 + 9 * 35));
}

TEST_CASE("one fabric above unlike sites has a trunk to each that carries all its NICs") {
  MixedShape shape = two_unlike_sites();
  shape.wans.clear();
  shape.between = BetweenSites{{2, 0}, {700'000}};
  const auto topology = make_topology(shape);
  CHECK(names_between(*topology, "site.b.us0.c0", "site.a.us0.c0") ==
        std::vector<std::string>{"site.b.us0.s0.c0.nic->site.b.leaf0", "site.b->fabric", "fabric->site.a",
                                 "site.a.leaf0->site.a.us0.s0.c0.nic"});
  const LinkId trunk = match_elements(*topology, "site.b->fabric").links.at(0);
  CHECK(bytes_per_second(topology->capacity(trunk)) == Approx(9 * 25e9 / 2));  // oversubscribed by 2
  CHECK_FALSE(topology->never_binds(trunk));
  shape.between->oversubscription = {1, 0};
  CHECK(make_topology(shape)->never_binds(trunk));
}

TEST_CASE("round a dead NIC goes the nearest chip of the same domain") {
  const auto healthy = make_topology(two_unlike_sites());
  Faults faults;
  faults.failed_links = match_elements(*healthy, "site.a.us0.c1.nic").links;
  const auto topology = make_topology(two_unlike_sites(), faults);
  CHECK(names_between(*topology, "site.a.us0.c1", "site.b.us2.c2") ==
        std::vector<std::string>{"site.a.us0.s0.c1->site.a.us0.s0.c0", "site.a.us0.s0.c0.nic->site.a.leaf0",
                                 "site.a->site.b", "site.b.leaf0->site.b.us2.s0.c2.nic"});
  CHECK(topology->link_count() == healthy->link_count() - 2);
  faults.failed_links = match_elements(*healthy, "site.a<->site.b").links;
  Route route;
  CHECK_THROWS_AS(make_topology(two_unlike_sites(), faults)->route(0, 16, 0, route), InfeasibleError);
}

TEST_CASE("random faults of unlike sites are drawn among the candidates of all") {
  const auto topology = make_topology(two_unlike_sites());
  CHECK(random_fault_candidates(*topology, "nics").size() == 17);
  CHECK(random_fault_candidates(*topology, "links").size() == 2 * 4 + 9);  // two rings of 4, nine ports
  std::set<LinkId> seen;
  for (const auto& pair : random_fault_candidates(*topology, "nics")) {
    for (const LinkId link : pair) CHECK(seen.insert(link).second);
  }
}

TEST_CASE("the graph of unlike sites is one piece with every link in it") {
  for (const bool fabric : {false, true}) {
    MixedShape shape = two_unlike_sites();
    if (fabric) shape.wans.clear(), shape.between = BetweenSites{};
    const auto topology = make_topology(shape);
    std::set<LinkId> met;
    std::vector<Edge> edges;
    for (VertexId vertex = 0; vertex < topology->vertex_count(); ++vertex) topology->out_edges(vertex, edges);
    for (const Edge& edge : edges) met.insert(edge.link);
    CHECK(met.size() == topology->link_count());
    const TopologySummary summary = summarize(*topology);
    CHECK(summary.sites == 2);
    CHECK(summary.domains == 5);
    CHECK(summary.distances.diameter_links == (fabric ? 4 : 3));
    CHECK(draw(*topology).vertices.size() == topology->vertex_count());
  }
}

TEST_CASE("sites that cannot be joined are refused") {
  MixedShape shape = two_unlike_sites();
  shape.between = BetweenSites{};
  CHECK_THROWS_AS(make_topology(shape), ScenarioError);  // WAN links and a fabric
  shape = two_unlike_sites();
  shape.sites[1].clos.reset();
  CHECK_THROWS_AS(make_topology(shape), ScenarioError);  // no NICs
  shape = two_unlike_sites();
  shape.sites[1].clos->routing = Routing::ecmp;
  CHECK_THROWS_AS(make_topology(shape), InfeasibleError);
  shape = two_unlike_sites();
  shape.sites[1].sites[0].name = "a";
  CHECK_THROWS_AS(make_topology(shape), ScenarioError);  // two of one name
}
