// Routes, drawn and counted. The shortest ones are found again by breadth-first search on the implicit graph.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>

#include "core/errors.h"
#include "tests/topology/shapes.h"

namespace tahoma {
namespace {

using namespace test;
using namespace tahoma::literals;

// "a->b b->c" of one way.
std::string text_of(const Topology& topology, const Path& path) {
  std::string text;
  for (const LinkId link : path.links) text += (text.empty() ? "" : " ") + topology.link_name(link);
  return text;
}

std::string way_of(const Topology& topology, ChipId src, ChipId dst, std::uint32_t which = 0,
                   std::uint32_t lane = 0) {
  Route route;
  topology.route(src, dst, lane, route);
  return which < route.ways ? text_of(topology, route.path[which]) : "none";
}

std::map<VertexId, std::uint32_t> links_away_from(const Topology& topology, VertexId source) {
  std::map<VertexId, std::uint32_t> links{{source, 0}};
  std::deque<VertexId> open{source};
  std::vector<Edge> edges;
  while (!open.empty()) {
    const VertexId vertex = open.front();
    open.pop_front();
    edges.clear();
    topology.out_edges(vertex, edges);
    for (const Edge& edge : edges) {
      if (links.try_emplace(edge.to, links[vertex] + 1).second) open.push_back(edge.to);
    }
  }
  return links;
}

// Follows a path through the implicit graph: every link leaves where the one before it arrived.
void check_connected(const Topology& topology, ChipId src, ChipId dst, const Path& path) {
  std::vector<VertexId> at{src};
  std::vector<Edge> edges;
  Duration latency;
  for (const LinkId link : path.links) {
    std::vector<VertexId> next;
    for (const VertexId vertex : at) {
      edges.clear();
      topology.out_edges(vertex, edges);
      for (const Edge& edge : edges) {
        if (edge.link == link) next.push_back(edge.to);
      }
    }
    REQUIRE_FALSE(next.empty());
    at = next;
    latency += topology.latency(link);
  }
  CHECK(std::find(at.begin(), at.end(), dst) != at.end());
  CHECK(latency == path.latency);
}

}  // namespace

TEST_CASE("half-way round an even ring the bytes go both ways") {
  //   c0 - c1 - c2 - c3 - (c0)
  const auto topology = make_topology(domain({ring(4)}));
  CHECK(way_of(*topology, 0, 1) == "us0.s0.c0->us0.s0.c1");
  CHECK(way_of(*topology, 0, 3) == "us0.s0.c0->us0.s0.c3");
  CHECK(way_of(*topology, 0, 2, 0) == "us0.s0.c0->us0.s0.c1 us0.s0.c1->us0.s0.c2");
  CHECK(way_of(*topology, 0, 2, 1) == "us0.s0.c0->us0.s0.c3 us0.s0.c3->us0.s0.c2");
}

TEST_CASE("ties in several dimensions make two ways, all positive and all negative") {
  //   12 13 14 15
  //    8  9 10 11      c0 to c10: two right and two up, or two left and two down
  //    4  5  6  7
  //    0  1  2  3
  const auto topology = make_topology(domain({ring(4), ring(4)}));
  const auto chips = [&](std::uint32_t which) {
    std::string text = way_of(*topology, 0, 10, which);
    for (std::size_t at = text.find("us0.s0."); at != std::string::npos; at = text.find("us0.s0."))
      text.erase(at, 7);
    return text;
  };
  CHECK(chips(0) == "c0->c1 c1->c2 c2->c6 c6->c10");
  CHECK(chips(1) == "c0->c3 c3->c2 c2->c14 c14->c10");
  CHECK(way_of(*topology, 0, 4 + 2, 0) == "us0.s0.c0->us0.s0.c1 us0.s0.c1->us0.s0.c2 us0.s0.c2->us0.s0.c6");
}

TEST_CASE("a ring of two has one two-way link, or two links that share") {
  const auto one = make_topology(domain({ring(2)}));
  CHECK(one->link_count() == 2);
  CHECK(way_of(*one, 1, 0) == "us0.s0.c1->us0.s0.c0");
  CHECK(way_of(*one, 1, 0, 1) == "none");
  const auto two = make_topology(domain({with_links(ring(2), 2)}));
  CHECK(two->link_count() == 4);
  CHECK(way_of(*two, 1, 0, 0) == "us0.s0.c1->us0.s0.c0#1");
  CHECK(way_of(*two, 1, 0, 1) == "us0.s0.c1->us0.s0.c0#2");
  CHECK(two->capacity(two->all_links()[0]) == 10_GBps);
  // Three links are one trunk of 3 x 10 GB/s.
  const auto three = make_topology(domain({with_links(ring(2), 3)}));
  CHECK(three->link_count() == 2);
  CHECK(three->capacity(three->all_links()[0]) == 30_GBps);
}

TEST_CASE("a switch is two links away and a full mesh one") {
  const auto star = make_topology(domain({switched(3)}));
  CHECK(way_of(*star, 2, 1) == "us0.s0.c2->us0.s0.c0.xswitch us0.s0.c0.xswitch->us0.s0.c1");
  const auto mesh = make_topology(domain({full(5)}));
  CHECK(way_of(*mesh, 4, 1) == "us0.s0.c4->us0.s0.c1");
}

TEST_CASE("a route climbs the Clos only as high as it must") {
  //           core
  //      pod0       pod1
  //   leaf0 leaf1  leaf2 leaf3      two domains of one chip per leaf
  //   us0 1  2  3   4  5  6  7
  const auto topology = make_topology(cluster({}, clos(3, 1, 2, 2), 8));
  CHECK(way_of(*topology, 0, 1) == "us0.s0.c0.nic->leaf0 leaf0->us1.s0.c0.nic");
  CHECK(way_of(*topology, 0, 2) == "us0.s0.c0.nic->leaf0 leaf0->pod0 pod0->leaf1 leaf1->us2.s0.c0.nic");
  CHECK(way_of(*topology, 7, 0) ==
        "us7.s0.c0.nic->leaf3 leaf3->pod1 pod1->core core->pod0 pod0->leaf0 leaf0->us0.s0.c0.nic");
  Route route;
  topology->route(7, 0, 0, route);
  CHECK(route.path[0].latency == Duration{2 * (1'000'000 + 300'000 + 200'000)});
}

TEST_CASE("chips of different rails meet in the spines of their pod") {
  //   rail 0: leaf0 (us0 us1) leaf2 (us2 us3);  rail 1: leaf1, leaf3
  const auto topology = make_topology(cluster({full(2)}, clos(2, 2, 2), 4));
  CHECK(way_of(*topology, 0, 2) == "us0.s0.c0.nic->leaf0 leaf0->us1.s0.c0.nic");
  CHECK(way_of(*topology, 0, 3) == "us0.s0.c0.nic->leaf0 leaf0->pod0 pod0->leaf1 leaf1->us1.s0.c1.nic");
  // With one tier there are no spines: the chip of the own domain on that rail carries it across.
  const auto flat = make_topology(cluster({full(2)}, clos(1, 2), 4));
  CHECK(way_of(*flat, 0, 3) == "us0.s0.c0->us0.s0.c1 us0.s0.c1.nic->leaf1 leaf1->us1.s0.c1.nic");
}

TEST_CASE("sites are reached over the fewest WAN links, then the first of them") {
  //   a --0-- b --2-- d
  //    \--1-- c --3--/
  ClusterShape shape = sites({}, clos(1, 1), {2, 2, 2, 2});
  const auto wan = [](std::uint32_t a, std::uint32_t b) {
    Wan w;
    w.a = a, w.b = b, w.bandwidth = {1, 9}, w.latency = 10_us;
    return w;
  };
  shape.wans = {wan(0, 1), wan(0, 2), wan(1, 3), wan(2, 3)};
  const auto topology = make_topology(shape);
  CHECK(
      way_of(*topology, 0, 6) ==
      "site.a.us0.s0.c0.nic->site.a.leaf0 site.a->site.b site.b->site.d site.d.leaf0->site.d.us0.s0.c0.nic");
  Elements broken = match_elements(*topology, "site.a<->site.b");
  const auto detour = make_topology(shape, {broken.links, {}, {}, {}});
  CHECK(
      way_of(*detour, 0, 6) ==
      "site.a.us0.s0.c0.nic->site.a.leaf0 site.a->site.c site.c->site.d site.d.leaf0->site.d.us0.s0.c0.nic");
}

TEST_CASE("a WAN flow is capped at window over round trip, and by loss") {
  ClusterShape shape = sites({}, clos(1, 1), {1, 1});
  shape.wans[0].window = Bytes{64 << 20};
  // Path: 1 us + 10 us + 1 us; RTT 24 us; 2^26 B / 24 us = 2.796e12 B/s, in units of 2^-20 B/s:
  // 2^46 x 10^12 / 24'000'000 = 2932031007402.666... x 10^6
  Route route;
  make_topology(shape)->route(0, 1, 0, route);
  CHECK(route.path[0].cap.q20 ==
        static_cast<std::uint64_t>((u128{1} << 46) * 1'000'000'000'000 / 24'000'000));
  shape.wans[0].loss = Decimal{6, -1};  // sqrt(2 x 0.6 / 3) = sqrt(0.4) = 0.632455532...
  make_topology(shape)->route(0, 1, 0, route);
  // 8192 B / (24 us x 0.632455532) = 539.7 MB/s
  const double expected = 8192.0 / (24e-6 * std::sqrt(0.4)) * 1048576.0;
  CHECK(static_cast<double>(route.path[0].cap.q20) == Approx(expected).epsilon(1e-12));
  make_topology(sites({}, clos(1, 1), {1, 1}))->route(0, 1, 0, route);
  CHECK(route.path[0].cap.q20 == 0);
}

TEST_CASE("every route is connected, and inside a domain or without rails it is a shortest one") {
  for (const auto& [name, shape] : many_shapes()) {
    const auto topology = make_topology(shape);
    const bool shortest = !shape.clos || shape.clos->rails == 1;
    for (ChipId src = 0; src < topology->chips(); ++src) {
      const auto links = links_away_from(*topology, src);
      Route route;
      for (ChipId dst = 0; dst < topology->chips(); ++dst) {
        topology->route(src, dst, 3, route);
        for (std::uint32_t which = 0; which < route.ways; ++which) {
          INFO(name << ": " << text_of(*topology, route.path[which]));
          check_connected(*topology, src, dst, route.path[which]);
          if (shortest) CHECK(route.path[which].links.size() == links.at(dst));
          CHECK(topology->least_latency(src, dst) <= route.path[which].latency);
        }
      }
    }
  }
}

TEST_CASE("ecmp and by_source spread flows over all single links") {
  for (const Routing routing : {Routing::ecmp, Routing::by_source}) {
    const auto topology = make_topology(cluster({ring(4)}, clos(3, 1, 16, 2, routing, 4, 2), 16));
    std::map<LinkId, int> used;
    Route route;
    for (ChipId src = 0; src < topology->chips(); ++src) {
      for (ChipId dst = 0; dst < topology->chips(); ++dst) {
        topology->route(src, dst, 0, route);
        for (const LinkId link : route.path[0].links) ++used[link];
      }
    }
    for (const LinkId link : topology->all_links()) {
      INFO(topology->link_name(link));
      CHECK(used[link] > 0);
    }
  }
}

TEST_CASE("a million chips are made at once and routed by arithmetic") {
  ClusterShape shape = cluster({switched(4), switched(18), full(2)}, clos(3, 144, 32, 16), 8192);
  const auto topology = make_topology(shape);
  CHECK(topology->chips() == 1'179'648);
  // Per chip 2 + 2 sled and plane links, 1 direct, 2 NIC; 144 x 256 leaves and 16 pods with an up and a down
  // trunk.
  CHECK(topology->link_count() == 1'179'648ULL * 7 + 2 * 144 * 256 + 2 * 16);
  Route route;
  topology->route(0, 1'179'647, 0, route);
  CHECK(route.path[0].links.size() == 6);
}

TEST_CASE("a shape that is no network is refused in words") {
  CHECK_THROWS_AS(make_topology(cluster({ring(4)}, clos(1, 3), 2)), ScenarioError);  // 3 rails of 4 chips
  CHECK_THROWS_AS(make_topology(cluster({ring(4)}, clos(1, 1, 4), 2)),
                  ScenarioError);  // two leaves, no spines
  CHECK_THROWS_AS(make_topology(cluster({ring(4)}, clos(2, 1, 4, 1), 2)),
                  ScenarioError);  // two pods, no cores
  ClusterShape alone = domain({ring(4)});
  alone.sites[0].domains = 2;
  CHECK_THROWS_AS(make_topology(alone), ScenarioError);  // nothing joins the domains
  CHECK_THROWS_AS(make_topology(domain({ring(65'536), ring(65'536)})), ScenarioError);  // 2^32 chips
  ClusterShape unreachable = sites({}, clos(1, 1), {1, 1});
  unreachable.wans.clear();
  const auto topology = make_topology(unreachable);
  Route route;
  CHECK_THROWS_WITH(topology->route(0, 1, 0, route),
                    Catch::Contains("site.a.us0.s0.c0") && Catch::Contains("site.b.us0.s0.c0"));
  CHECK_THROWS_AS(topology->route(0, 1, 0, route), InfeasibleError);
}

}  // namespace tahoma
