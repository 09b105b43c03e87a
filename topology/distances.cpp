// How far apart chips are: by Boost.Graph on the implicit graph while that is small, else by the routes
// between chips that are far apart in every digit.
#include <algorithm>

#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>

#include "topology/boost_graph.h"

namespace tahoma {

namespace {

constexpr std::uint64_t most_vertices = 5'000;
constexpr std::uint64_t most_visits = 4'000'000;  // sources x vertices: about a second

// One chip per orbit of the symmetries.
std::vector<ChipId> representatives(const Topology& topology) {
  std::vector<ChipId> chips{0};
  for (const Digit& digit : topology.digits()) {
    if (digit.shift || digit.size == 1) continue;
    const std::size_t count = chips.size();
    for (std::uint32_t value = 1; value < digit.size; ++value) {
      for (std::size_t i = 0; i < count; ++i) chips.push_back(chips[i] + value * digit.stride);
    }
  }
  return chips;
}

std::vector<std::uint32_t> links_from(const ImplicitGraph& graph, ChipId source) {
  std::vector<std::uint32_t> links(num_vertices(graph), 0);
  const auto recorder = boost::record_distances(links.data(), boost::on_tree_edge{});
  boost::breadth_first_search(graph, VertexId{source}, boost::visitor(boost::make_bfs_visitor(recorder)));
  return links;
}

std::vector<std::int64_t> latencies_from(const ImplicitGraph& graph, ChipId source) {
  std::vector<std::int64_t> latencies(num_vertices(graph), 0);
  boost::dijkstra_shortest_paths(graph, VertexId{source},
                                 boost::distance_map(latencies.data()).weight_map(latency_map(graph)));
  return latencies;
}

Distances searched(const Topology& topology, const std::vector<ChipId>& sources) {
  Distances distances;
  const ImplicitGraph graph{topology};
  constexpr std::int64_t unreached = std::numeric_limits<std::int64_t>::max();
  for (const ChipId source : sources) {
    const auto links = links_from(graph, source);
    const auto latencies = latencies_from(graph, source);
    for (ChipId chip = 0; chip < topology.chips(); ++chip) {
      distances.diameter_links = std::max(distances.diameter_links, links[chip]);
      if (latencies[chip] == unreached) continue;
      distances.diameter_latency = std::max(distances.diameter_latency, Duration{latencies[chip]});
    }
  }
  return distances;
}

// Far in every digit, far in all but one of them, and far in one: routes add up over digits or climb a tree,
// so the longest is among these.
std::vector<ChipId> far_chips(const Topology& topology, ChipId from) {
  std::vector<ChipId> chips(1, from);
  for (const Digit& digit : topology.digits()) {
    const std::uint32_t value = from / digit.stride % digit.size;
    const bool ring = digit.kind == Digit::Kind::ring;
    const std::uint32_t away = ring ? (value + digit.size / 2) % digit.size : value == 0 ? digit.size - 1 : 0;
    const std::size_t count = chips.size();
    if (count > 4096 || digit.size == 1) continue;
    for (std::size_t i = 0; i < count; ++i)
      chips.push_back(chips[i] - value * digit.stride + away * digit.stride);
  }
  return chips;
}

Distances routed(const Topology& topology) {
  Distances distances;
  Route route;
  for (const ChipId from : {ChipId{0}, topology.chips() - 1}) {
    for (const ChipId to : far_chips(topology, from)) {
      topology.route(from, to, 0, route);
      const auto links = static_cast<std::uint32_t>(route.path[0].links.size());
      distances.diameter_links = std::max(distances.diameter_links, links);
      distances.diameter_latency = std::max(distances.diameter_latency, route.path[0].latency);
    }
  }
  return distances;
}

void widen(Distances& distances, const Distances& other) {
  distances.diameter_links = std::max(distances.diameter_links, other.diameter_links);
  distances.diameter_latency = std::max(distances.diameter_latency, other.diameter_latency);
}

// Of sites of different hardware: within each of them, and from each to each. All chips of a site climb
// alike.
Distances routed_between(std::span<const TopologyPart> parts, const Topology& topology) {
  Distances distances;
  Route route;
  for (const TopologyPart& from : parts) {
    widen(distances, tahoma::distances(*from.inside));
    for (const TopologyPart& to : parts) {
      if (from.first == to.first) continue;
      topology.route(from.first, to.first, 0, route);
      widen(distances, {static_cast<std::uint32_t>(route.path[0].links.size()), 0, route.path[0].latency});
    }
  }
  return distances;
}

}  // namespace

Distances distances(const Topology& topology) {
  const std::vector<ChipId> sources =
      topology.vertex_count() <= most_vertices ? representatives(topology) : std::vector<ChipId>{};
  const bool small = !sources.empty() && sources.size() * topology.vertex_count() <= most_visits;
  Distances distances = small                       ? searched(topology, sources)
                        : !topology.parts().empty() ? routed_between(topology.parts(), topology)
                                                    : routed(topology);
  distances.diameter_hops = distances.diameter_links == 0 ? 0 : distances.diameter_links - 1;
  return distances;
}

}  // namespace tahoma
