// Cuts against max-flow, and the claim that a link never binds against all routes.
#include <catch2/catch.hpp>

#include <map>
#include <set>

#include "tests/topology/shapes.h"
#include "topology/max_flow.h"

namespace tahoma {
namespace {

using namespace test;
using namespace tahoma::literals;

const Cut& cut_named(const std::vector<Cut>& cuts, const std::string& name) {
  for (const Cut& cut : cuts) {
    if (cut.name == name) return cut;
  }
  throw std::runtime_error("no cut named " + name);
}

// A few shapes again with everything broken that can be broken one way.
Faults some_faults(const Topology& topology) {
  Faults faults;
  const std::vector<LinkId> links = topology.all_links();
  for (std::size_t i = 0; i < links.size(); i += 5) faults.failed_links.push_back(links[i]);
  for (std::size_t i = 2; i < links.size(); i += 5) faults.degraded_links.push_back({links[i], {5, -1}});
  return faults;
}

}  // namespace

TEST_CASE("no cut claims less than can flow through it, and the whole box can leave through it") {
  for (const auto& [name, shape] : many_shapes()) {
    const auto topology = make_topology(shape);
    if (topology->chips() < 2) continue;
    if (wan_meets_many(name)) continue;
    for (const Cut& cut : topology->cuts()) {
      const std::vector<bool> inside = chips_inside(*topology, cut);
      std::vector<bool> outside = inside;
      outside.flip();
      INFO(name << ", " << cut.name);
      // The closed form is a true cut: never below the least one.
      CHECK(cut.out >= max_flow(*topology, inside));
      CHECK(cut.in >= max_flow(*topology, outside));
    }
  }
}

TEST_CASE("the cuts of levels and halves are the least ones on regular networks") {
  for (const auto& [name, shape] : many_shapes()) {
    const auto topology = make_topology(shape);
    const auto digits = topology->digits();
    const bool regular =
        std::none_of(digits.begin(), digits.end(), [](const Digit& d) { return d.name == "domain"; });
    if (topology->chips() < 2 || !regular || (shape.clos && shape.clos->rails > 1)) continue;
    for (const Cut& cut : topology->cuts()) {
      INFO(name << ", " << cut.name);
      CHECK(cut.out == max_flow(*topology, chips_inside(*topology, cut)));
      CHECK(cut.raw_out == cut.out);  // these shapes have efficiency 1
    }
  }
}

TEST_CASE("cuts stay true cuts when links are dead and slow") {
  for (const auto& [name, shape] : many_shapes()) {
    if (wan_meets_many(name)) continue;
    const auto healthy = make_topology(shape);
    if (healthy->chips() < 2) continue;
    const auto topology = make_topology(shape, some_faults(*healthy));
    for (const Cut& cut : topology->cuts()) {
      const std::vector<bool> inside = chips_inside(*topology, cut);
      std::vector<bool> outside = inside;
      outside.flip();
      INFO(name << ", " << cut.name);
      CHECK(cut.out >= max_flow(*topology, inside));
      CHECK(cut.in >= max_flow(*topology, outside));
    }
  }
}

TEST_CASE("no chip sends more than the strongest chip cut says") {
  for (const auto& [name, shape] : many_shapes()) {
    const auto healthy = make_topology(shape);
    if (healthy->chips() < 2 || name == "ecmp sites" || name == "two sites of one tier") continue;
    for (const bool broken : {false, true}) {
      const auto topology = make_topology(shape, broken ? some_faults(*healthy) : Faults{});
      Capacity strongest;
      for (const Cut& cut : topology->cuts()) {
        if (cut.level == Level::chip) strongest = std::max(strongest, cut.out);
      }
      for (ChipId chip = 0; chip < topology->chips(); ++chip) {
        std::vector<bool> alone(topology->chips(), false);
        alone[chip] = true;
        INFO(name << ", " << topology->chip_name(chip));
        CHECK(max_flow(*topology, alone) <= strongest);
      }
    }
  }
}

TEST_CASE("a cut around a fault sees the fault") {
  //   c0 - c1 - c2 - c3 - (c0), 10 GB/s each; c1->c2 dead, so c1 sends 10 and receives 20
  const ClusterShape shape = domain({ring(4)});
  const auto healthy = make_topology(shape);
  const auto topology =
      make_topology(shape, {match_elements(*healthy, "us0.s0.c1->us0.s0.c2").links, {}, {}, {}});
  const std::vector<Cut> cuts = topology->cuts();
  const Cut& cut = cut_named(cuts, "one chip around us0.s0.c1");
  CHECK(cut.out == 10_GBps);
  CHECK(cut.in == 20_GBps);
  CHECK(cut.raw_out == 20_GBps);
  CHECK(topology->total_injection() == 70_GBps);  // 4 chips x 2 x 10 GB/s, less 10
}

TEST_CASE("oversubscribed trunks are the cut of a leaf group and of a pod") {
  // 4 chips of 25 GB/s per leaf, 2:1 up, 2 leaves per pod, 4:1 again above
  Clos fabric = clos(3, 1, 4, 2);
  fabric.oversubscription = {{2, 0}, {4, 0}};
  const auto topology = make_topology(cluster({}, fabric, 16));
  const std::vector<Cut> cuts = topology->cuts();
  CHECK(cut_named(cuts, "one chip").out == 25_GBps);
  CHECK(cut_named(cuts, "one leaf group").out == 50_GBps);  // 4 x 25 / 2
  CHECK(cut_named(cuts, "one pod").out == 25_GBps);         // 8 x 25 / 2 / 4
  for (const LinkId link : topology->all_links()) CHECK_FALSE(topology->never_binds(link));
}

TEST_CASE("a link that never binds carries at least the sum of its feeders, whatever the routes") {
  int claimed = 0;
  for (const auto& [name, shape] : many_shapes()) {
    for (const bool broken : {false, true}) {
      const auto healthy = make_topology(shape);
      if (broken && shape.clos == std::nullopt) continue;
      Faults faults;
      const std::string first = healthy->chip_name(0), chip = first.substr(0, first.find(".r"));
      if (broken) faults.failed_links = match_elements(*healthy, chip + ".nic").links;
      const auto topology = make_topology(shape, faults);
      // Links that stand just before or after each link on some route; every flow has exactly one of each.
      std::map<LinkId, std::set<LinkId>> before, after;
      Route route;
      for (ChipId src = 0; src < topology->chips(); ++src) {
        for (ChipId dst = 0; dst < topology->chips(); ++dst) {
          try {
            topology->route(src, dst, 0, route);
          } catch (const std::exception&) {
            continue;
          }
          for (std::uint32_t way = 0; way < route.ways; ++way) {
            const auto& links = route.path[way].links;
            for (std::size_t i = 1; i + 1 < links.size(); ++i) {
              before[links[i]].insert(links[i - 1]);
              after[links[i]].insert(links[i + 1]);
            }
          }
        }
      }
      const auto sum = [&](const std::set<LinkId>& links) {
        u128 total = 0;
        for (const LinkId link : links) total += topology->capacity(link).q20;
        return total;
      };
      for (const auto& [link, feeders] : before) {
        if (!topology->never_binds(link)) continue;
        INFO(name << ", " << topology->link_name(link));
        ++claimed;
        CHECK((topology->capacity(link).q20 >= sum(feeders) ||
               topology->capacity(link).q20 >= sum(after[link])));
      }
    }
  }
  CHECK(claimed > 100);
}

TEST_CASE("trunks under spray without oversubscription never bind, until an uplink is lost") {
  const ClusterShape shape = cluster({}, clos(2, 1, 4, 0, Routing::spray, 4), 8);
  const auto healthy = make_topology(shape);
  const LinkId up = match_elements(*healthy, "leaf0->pod0").links.at(0);
  CHECK(healthy->capacity(up) == 100_GBps);
  CHECK(healthy->never_binds(up));
  const auto faulty =
      make_topology(shape, {match_elements(*healthy, "leaf0->pod0.spine2").links, {}, {}, {}});
  CHECK(faulty->capacity(up) == 75_GBps);  // three of four uplinks
  CHECK_FALSE(faulty->never_binds(up));
  CHECK(faulty->never_binds(match_elements(*healthy, "pod0->leaf0").links.at(0)));
  CHECK_FALSE(healthy->never_binds(match_elements(*healthy, "us0.s0.c0.nic").links.at(0)));
}

}  // namespace tahoma
