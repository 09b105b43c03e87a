// Explicit graphs: routes by hand, every vertex forwards.
#include <catch2/catch.hpp>

#include "core/errors.h"
#include "topology/topology.h"

namespace tahoma {
namespace {

using namespace tahoma::literals;

// Letters name vertices; capitals are switches.
class Sketch {
 public:
  std::uint32_t vertex(char name) {
    const std::string text(1, name);
    for (std::uint32_t v = 0; v < shape_.vertices.size(); ++v) {
      if (shape_.vertices[v].name == text) return v;
    }
    shape_.vertices.push_back({text, name >= 'A' && name <= 'Z' ? VertexKind::switch_ : VertexKind::chip});
    return static_cast<std::uint32_t>(shape_.vertices.size() - 1);
  }
  Sketch& link(const char* ends, std::int64_t gigabytes = 10, std::int64_t ns = 100) {
    GraphLink link;
    link.from = vertex(ends[0]);
    link.to = vertex(ends[1]);
    link.bandwidth = {gigabytes, 9};
    link.latency = {ns * 1000};
    shape_.links.push_back(link);
    return *this;
  }
  Sketch& cable(const char* ends, std::int64_t gigabytes = 10, std::int64_t ns = 100) {
    link(ends, gigabytes, ns);
    const char back[] = {ends[1], ends[0], 0};
    link(back, gigabytes, ns);
    const auto last = static_cast<std::uint32_t>(shape_.links.size() - 1);
    shape_.links[last].reverse = last - 1;
    shape_.links[last - 1].reverse = last;
    return *this;
  }
  const GraphShape& shape() const { return shape_; }

 private:
  GraphShape shape_;
};

std::string way(const Topology& topology, const char* ends) {
  const ChipId src = match_chips(topology, std::string_view(ends, 1)).at(0);
  const ChipId dst = match_chips(topology, std::string_view(ends + 1, 1)).at(0);
  Route route;
  topology.route(src, dst, 0, route);
  std::string text;
  for (const LinkId link : route.path[0].links) text += (text.empty() ? "" : " ") + topology.link_name(link);
  return text;
}

}  // namespace

TEST_CASE("a graph's route is the fewest links, then the least latency, then the lowest links") {
  //   a --- S --- b          b over S or T: two links each, T is quicker
  //    \--- T ---/
  Sketch sketch;
  sketch.cable("aS").cable("Sb").cable("aT", 10, 50).cable("Tb", 10, 50);
  CHECK(way(*make_topology(sketch.shape()), "ab") == "a->T T->b");
  Sketch even;
  even.cable("aS").cable("aT").cable("Tb").cable("Sb");
  CHECK(way(*make_topology(even.shape()), "ab") == "a->S S->b");
  Sketch direct;
  direct.cable("aT", 10, 1).cable("Tb", 10, 1).cable("ab", 1, 1000);
  CHECK(way(*make_topology(direct.shape()), "ab") == "a->b");
}

TEST_CASE("chips forward, so that a ring drawn by hand is a ring") {
  Sketch ring;
  ring.cable("ab").cable("bc").cable("cd").cable("da");
  const auto topology = make_topology(ring.shape());
  CHECK(way(*topology, "ac") == "a->b b->c");
  Route route;
  topology->route(0, 2, 0, route);
  CHECK(route.path[0].latency == 200_ns);
  CHECK(topology->least_latency(0, 2) == 200_ns);
  const Distances far = distances(*topology);
  CHECK(far.diameter_links == 2);
  CHECK(far.diameter_hops == 1);
  CHECK(far.diameter_latency == 200_ns);
}

TEST_CASE("switches come after chips in the numbers, chips keep their order") {
  Sketch sketch;
  sketch.cable("Sb").cable("Sa");
  const auto topology = make_topology(sketch.shape());
  CHECK(topology->chips() == 2);
  CHECK(topology->chip_name(0) == "b");
  CHECK(topology->vertex_name(2) == "S");
  CHECK(topology->total_injection() == 20_GBps);
}

TEST_CASE("a graph's links may be one-way, and what is cut off is refused by name") {
  Sketch sketch;
  sketch.link("ab");
  const auto topology = make_topology(sketch.shape());
  CHECK(way(*topology, "ab") == "a->b");
  Route route;
  CHECK_THROWS_AS(topology->route(1, 0, 0, route), InfeasibleError);
  CHECK_THROWS_WITH(topology->route(1, 0, 0, route), Catch::Contains("b cannot reach a"));
}

TEST_CASE("faults of a graph: links, chips, switches, slow links") {
  Sketch sketch;
  sketch.cable("aS").cable("Sb").cable("ac").cable("cd").cable("db");
  const auto healthy = make_topology(sketch.shape());
  CHECK(way(*healthy, "ab") == "a->S S->b");
  Faults faults;
  faults.failed_switches = match_elements(*healthy, "S").switches;
  CHECK(way(*make_topology(sketch.shape(), faults), "ab") == "a->c c->d d->b");
  faults.failed_chips = match_elements(*healthy, "c").chips;
  Route route;
  CHECK_THROWS_AS(make_topology(sketch.shape(), faults)->route(0, 1, 0, route), InfeasibleError);
  Faults slow;
  const LinkId link = match_elements(*healthy, "a->S").links.at(0);
  slow.degraded_links = {{link, {25, -2}}};
  CHECK(make_topology(sketch.shape(), slow)->capacity(link) == Capacity{u128{2'500'000'000} << 20});
  CHECK(match_elements(*healthy, "a<->S").links.size() == 2);
  CHECK(random_fault_candidates(*healthy, "links").size() == 5);
}

TEST_CASE("names of a graph are matched by star and set, and missed ones answered") {
  GraphShape shape;
  for (const char* name : {"gpu0", "gpu1", "gpu12", "tor.a"})
    shape.vertices.push_back({name, VertexKind::chip});
  shape.links.push_back({"east", 0, 1, {1, 9}, {1, 0}, {}, ~0u});
  const auto topology = make_topology(shape);
  CHECK(match_chips(*topology, "gpu*") == std::vector<ChipId>{0, 1, 2});
  CHECK(match_chips(*topology, "gpu[1-20]") == std::vector<ChipId>{1, 2});
  CHECK(match_elements(*topology, "east").links.size() == 1);
  CHECK(match_elements(*topology, "gpu0->gpu*").links.size() == 1);
  try {
    match_chips(*topology, "gpu00");
    FAIL("matched");
  } catch (const SelectorError& error) {
    CHECK_THAT(error.message, Catch::Contains("did you mean 'gpu0'"));
  }
  CHECK_THROWS_AS(match_elements(*topology, "west"), SelectorError);
  CHECK_THROWS_AS(match_chips(*topology, "gpu[0"), SelectorError);
}

TEST_CASE("a graph that is none is refused") {
  GraphShape empty;
  CHECK_THROWS_AS(make_topology(empty), ScenarioError);
  GraphShape twins;
  twins.vertices = {{"a", VertexKind::chip}, {"a", VertexKind::chip}};
  CHECK_THROWS_AS(make_topology(twins), ScenarioError);
  GraphShape loop;
  loop.vertices = {{"a", VertexKind::chip}};
  loop.links.push_back({"l", 0, 0, {1, 9}, {1, 0}, {}, ~0u});
  CHECK_THROWS_AS(make_topology(loop), ScenarioError);
}

}  // namespace tahoma
