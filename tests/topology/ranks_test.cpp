// Several ranks on a chip: who shares what, how it is named, and what a fault of one rank or of its chip
// does.
//
//    us0.s0.c0: r0 r1      us0.s0.c1: r0 r1       ring of 3 chips at 10 GB/s, ports of 2 cores x 4 GB/s
#include <catch2/catch.hpp>

#include "core/errors.h"
#include "tests/topology/shapes.h"
#include "topology/rank_topology.h"
#include "topology/summary.h"

namespace tahoma {
namespace {

using namespace test;
using namespace tahoma::literals;
using Catch::Contains;

ClusterShape three_chips() {
  return with_ranks(domain({ring(3)}), 2, 4);
}

std::string way(const Topology& topology, ChipId src, ChipId dst) {
  Route found;
  topology.route(src, dst, 0, found);
  std::string text;
  for (const LinkId link : found.path[0].links) text += topology.link_name(link) + " ";
  return text;
}

std::string refused(const Topology& topology, std::string_view text) {
  try {
    match_elements(topology, text);
  } catch (const SelectorError& error) {
    return error.message;
  }
  return "matched";
}

}  // namespace

TEST_CASE(
    "a rank's way leads through its chip's switch and over the links that all ranks of the chip share") {
  const auto topology = make_topology(three_chips());
  REQUIRE(topology->chips() == 6);
  CHECK(way(*topology, 0, 1) == "us0.s0.c0.r0->us0.s0.c0 us0.s0.c0->us0.s0.c0.r1 ");
  CHECK(way(*topology, 0, 3) == "us0.s0.c0.r0->us0.s0.c0 us0.s0.c0->us0.s0.c1 us0.s0.c1->us0.s0.c1.r1 ");
  CHECK(way(*topology, 1, 3) == "us0.s0.c0.r1->us0.s0.c0 us0.s0.c0->us0.s0.c1 us0.s0.c1->us0.s0.c1.r1 ");
  Route route;
  topology->route(1, 3, 0, route);
  CHECK(route.path[0].latency == Duration{50'000 + 100'000 + 50'000});
  CHECK(topology->capacity(route.path[0].links[0]) == 8_GBps);  // two cores of four, 4 GB/s each
  CHECK(topology->capacity(route.path[0].links[1]) == 10_GBps);
  // 2 x 6 ports and 2 x 3 links of the ring
  CHECK(topology->link_count() == 18);
}

TEST_CASE("a chip's name means all its ranks and a rank's name that rank") {
  const auto topology = make_topology(three_chips());
  const auto ranks = [&](const char* selector) { return match_chips(*topology, selector); };
  CHECK(topology->chip_name(5) == "us0.s0.c2.r1");
  CHECK(ranks("c1") == std::vector<ChipId>{2, 3});
  CHECK(ranks("c1.r1") == std::vector<ChipId>{3});
  CHECK(ranks("c*.r0") == std::vector<ChipId>{0, 2, 4});
  CHECK(ranks("c[0,2].r*") == std::vector<ChipId>{0, 1, 4, 5});
  CHECK_THROWS_AS(ranks("c1.r2"), SelectorError);
  CHECK_THAT(refused(*topology, "c1.r2"), Contains("no r2") && Contains("r1"));
  CHECK_THAT(refused(*topology, "c1.r0->c2.r0"), Contains("its own chip"));
  CHECK(match_elements(*topology, "c1.r0<->c1").links.size() == 2);
  CHECK(match_elements(*topology, "c0<->c1").links ==
        match_elements(*make_topology(domain({ring(3)})), "c0<->c1").links);
}

TEST_CASE("a rank whose port is dead is cut off alone and a dead chip with all its ranks") {
  const auto healthy = make_topology(three_chips());
  const Faults one{{}, {}, match_elements(*healthy, "c0.r1").chips, {}};
  const auto port = make_topology(three_chips(), one);
  Route route;
  port->route(0, 2, 0, route);
  CHECK_THROWS_WITH(port->route(0, 1, 0, route), Contains("us0.s0.c0.r1") && Contains("cut off"));
  CHECK_THROWS_AS(port->route(1, 4, 0, route), InfeasibleError);
  CHECK(port->link_count() == 16);
  const Faults whole{{}, {}, match_elements(*healthy, "c0").chips, {}};
  const auto chip = make_topology(three_chips(), whole);
  CHECK_THROWS_AS(chip->route(0, 2, 0, route), InfeasibleError);
  chip->route(2, 4, 0, route);
  CHECK(chip->link_count() == 18 - 4 - 4);  // the chip's 4 ports; its links to 2 neighbours
}

TEST_CASE("a dead link between chips leaves their ranks alike and a slow port does not") {
  const auto healthy = make_topology(three_chips());
  const auto link = make_topology(three_chips(), {match_elements(*healthy, "c0->c1").links, {}, {}, {}});
  CHECK(link->digits()[0].shift);
  CHECK_FALSE(link->digits()[1].shift);
  CHECK(link->marked_chips(NetworkPart::scale_up) == std::vector<ChipId>{0, 1, 2, 3});
  const LinkId up = match_elements(*healthy, "c2.r0->c2").links[0];
  const auto port = make_topology(three_chips(), {{}, {{up, {5, -1}}}, {}, {}});
  CHECK_FALSE(port->digits()[0].shift);
  CHECK_FALSE(port->digits()[1].shift);
  CHECK(port->capacity(up) == 4_GBps);
  CHECK(port->marked_chips(NetworkPart::scale_up) == std::vector<ChipId>{4});
  CHECK(port->total_injection() == 44_GBps);  // 6 x 8 - 4
}

TEST_CASE("the cuts of a chip are its links or its ranks' ports whichever are narrower") {
  const auto cut_of = [](const ClusterShape& shape, const std::string& name) {
    for (const Cut& cut : make_topology(shape)->cuts()) {
      if (cut.name == name) return cut.out;
    }
    return Capacity{};
  };
  CHECK(cut_of(three_chips(), "one rank") == 8_GBps);
  CHECK(cut_of(three_chips(), "one chip") == 16_GBps);  // 2 x 8 at the ports, 2 x 10 at the links
  CHECK(cut_of(with_ranks(domain({ring(3)}), 4, 8), "one chip") == 20_GBps);  // 4 x 8 at the ports
  CHECK(cut_of(three_chips(), "half of r") == 24_GBps);  // one rank of each of three chips
}

TEST_CASE("a summary counts chips and says how many ranks each has") {
  const TopologySummary summary = summarize(*make_topology(three_chips()));
  CHECK(summary.chips == 3);
  CHECK(summary.ranks_per_chip == 2);
  REQUIRE(summary.dimensions.size() == 2);
  CHECK(summary.dimensions[0].name == "r switch");
  CHECK(summary.dimensions[0].effective == 8_GBps);
}

}  // namespace tahoma
