// The implicit graph under Boost's algorithms, drawings, and the summary.
#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <sstream>

#include <boost/concept_check.hpp>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/graph_concepts.hpp>
#include <boost/graph/graphml.hpp>
#include <boost/graph/graphviz.hpp>
#include <boost/property_map/dynamic_property_map.hpp>

#include "tests/topology/shapes.h"
#include "topology/boost_graph.h"
#include "topology/draw.h"
#include "topology/summary.h"

namespace tahoma {
namespace {

using namespace test;
using namespace tahoma::literals;

BOOST_CONCEPT_ASSERT((boost::IncidenceGraphConcept<ImplicitGraph>));
BOOST_CONCEPT_ASSERT((boost::VertexListGraphConcept<ImplicitGraph>));

struct ReadVertex {
  std::string name;
};
using ReadGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, ReadVertex>;

}  // namespace

TEST_CASE("Boost's breadth-first search walks the implicit graph of every shape") {
  for (const auto& [name, shape] : many_shapes()) {
    INFO(name);
    const auto topology = make_topology(shape);
    const ImplicitGraph graph{*topology};
    std::vector<std::uint32_t> links(num_vertices(graph), ~0u);
    links[0] = 0;
    const auto recorder = boost::record_distances(links.data(), boost::on_tree_edge{});
    boost::breadth_first_search(graph, VertexId{0}, boost::visitor(boost::make_bfs_visitor(recorder)));
    for (ChipId chip = 0; chip < topology->chips(); ++chip) CHECK(links[chip] != ~0u);
    std::uint64_t edges = 0;
    for (VertexId v = 0; v < num_vertices(graph); ++v) edges += out_degree(v, graph);
    if (!wan_meets_many(name)) CHECK(edges == topology->link_count());
  }
}

TEST_CASE("distances by search and by far routes agree without a Clos") {
  // 16 x 12 x 30 = 5,760 chips are past the search's limit; their diameter is 8 + 6 + 15 links
  const auto large = make_topology(domain({ring(16), ring(12), ring(30)}));
  CHECK(distances(*large).diameter_links == 29);
  CHECK(distances(*large).diameter_latency == Duration{29 * 100'000});
  const auto mesh = make_topology(domain({line(6), full(5), switched(4)}));
  CHECK(distances(*mesh).diameter_links == 5 + 1 + 2);
  CHECK(distances(*mesh).diameter_hops == 7);
  CHECK(distances(*make_topology(domain({}))).diameter_links == 0);
  CHECK(distances(*make_topology(cluster({ring(2)}, clos(3, 1, 4, 2), 4096))).diameter_links == 6);
}

TEST_CASE("a drawing names every vertex and joins equal directions") {
  const auto topology = make_topology(domain({ring(3)}));
  const Drawing drawing = draw(*topology);
  CHECK(drawing.vertices.size() == 3);
  CHECK(drawing.edges.size() == 3);
  CHECK(drawing.edges[0].both_ways);
  const std::string dot = draw_dot(*topology);
  CHECK_THAT(dot, Catch::Contains("\"us0.s0.c0\" -> \"us0.s0.c1\" [label=\"10 GB/s\", dir=both]"));
}

TEST_CASE("Boost reads back the GraphML and the DOT of every shape") {
  for (const auto& [name, shape] : many_shapes()) {
    INFO(name);
    const auto topology = make_topology(shape);
    const Drawing drawing = draw(*topology);
    std::size_t directed = 0;
    for (const DrawnEdge& edge : drawing.edges) directed += edge.both_ways ? 2 : 1;
    ReadGraph read;
    boost::dynamic_properties properties(boost::ignore_other_properties);
    properties.property("name", boost::get(&ReadVertex::name, read));
    std::istringstream graphml(draw_graphml(*topology));
    boost::read_graphml(graphml, read, properties);
    CHECK(boost::num_vertices(read) == drawing.vertices.size());
    CHECK(boost::num_edges(read) == directed);
    for (std::size_t v = 0; v < drawing.vertices.size(); ++v) CHECK(read[v].name == drawing.vertices[v].name);
  }
}

TEST_CASE("a large drawing is aggregated to domains, leaf groups and stages, and loses no capacity") {
  const auto topology = make_topology(sites({ring(8)}, clos(3, 8, 16, 4), {1024, 1024}));
  REQUIRE(topology->vertex_count() > most_drawn_vertices);
  const Drawing drawing = draw(*topology);
  CHECK(drawing.aggregated);
  CHECK(drawing.vertices.size() < 2500);
  std::uint64_t chips = 0;
  u128 nic = 0;
  for (const DrawnVertex& vertex : drawing.vertices) chips += vertex.is_chip ? vertex.stands_for : 0;
  for (const DrawnEdge& edge : drawing.edges) {
    if (drawing.vertices[edge.from].is_chip) nic += edge.capacity.q20;
  }
  CHECK(chips == 16'384);
  CHECK(nic == 16'384 * (25_GBps).q20);
  const std::string dot = draw_dot(*topology);
  CHECK_THAT(dot, Catch::Contains("site.b.core") && Catch::Contains("site.a.leaf group 63"));
  std::set<std::string> names;
  for (const DrawnVertex& vertex : drawing.vertices) CHECK(names.insert(vertex.name).second);
}

TEST_CASE("the summary counts what is broken") {
  const ClusterShape shape = domain({ring(4), ring(4)});
  const auto healthy = make_topology(shape);
  const auto topology =
      make_topology(shape, {match_elements(*healthy, "us0.s0.c0<->us0.s0.c1").links, {}, {}, {}});
  const TopologySummary summary = summarize(*topology);
  CHECK(summary.links == 62);
  CHECK(summary.degree_min == 3);
  CHECK(summary.degree_max == 4);
  CHECK(summary.distances.diameter_links == 4);
}

}  // namespace tahoma
