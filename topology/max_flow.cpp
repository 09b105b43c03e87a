// Every directed link becomes two arcs, itself and a reverse arc of capacity 0, so that a cable is four arcs:
// with two arcs, each the other's reverse, Boost's algorithms return the right value but no valid flow.
#include "topology/max_flow.h"

#include <algorithm>
#include <string_view>

#if defined(__GNUC__) && !defined(__clang__)
// g++ 12 at -O3 takes Boost's optional iterator for uninitialised.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <boost/multiprecision/cpp_int.hpp>

#include "core/errors.h"

namespace tahoma {

namespace {

using Amount = boost::multiprecision::int128_t;
using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;

struct Arc {
  Amount capacity, residual;
  Traits::edge_descriptor reverse;
};
struct Node {
  boost::default_color_type color = boost::white_color;
  long distance = 0;
  Traits::edge_descriptor predecessor;
};
using FlowGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, Node, Arc>;

void add_arc(FlowGraph& graph, std::size_t from, std::size_t to, const Amount& capacity) {
  const auto forth = boost::add_edge(from, to, graph).first;
  const auto back = boost::add_edge(to, from, graph).first;
  graph[forth].capacity = capacity;
  graph[forth].reverse = back;
  graph[back].reverse = forth;
}

Amount amount_of(u128 value) {
  return (Amount{static_cast<std::uint64_t>(value >> 64)} << 64) | Amount{static_cast<std::uint64_t>(value)};
}

u128 value_of(const Amount& amount) {
  const Amount low = amount & ((Amount{1} << 64) - 1);
  const Amount high = amount >> 64;
  return (u128{high.convert_to<std::uint64_t>()} << 64) | low.convert_to<std::uint64_t>();
}

}  // namespace

Capacity max_flow(const Topology& topology, const std::vector<bool>& inside) {
  const auto vertices = static_cast<std::size_t>(topology.vertex_count());
  const std::size_t source = vertices, sink = vertices + 1;
  FlowGraph graph(vertices + 2);
  Amount all = 0;
  std::vector<Edge> edges;
  for (VertexId vertex = 0; vertex < vertices; ++vertex) {
    edges.clear();
    topology.out_edges(vertex, edges);
    for (const Edge& edge : edges) {
      const Amount capacity = amount_of(topology.capacity(edge.link).q20);
      all += capacity;
      add_arc(graph, edge.from, edge.to, capacity);
    }
  }
  for (ChipId chip = 0; chip < topology.chips(); ++chip) {
    add_arc(graph, inside[chip] ? source : chip, inside[chip] ? chip : sink, all);
  }
  const Amount flow = boost::boykov_kolmogorov_max_flow(
      graph, boost::get(&Arc::capacity, graph), boost::get(&Arc::residual, graph),
      boost::get(&Arc::reverse, graph), boost::get(&Node::predecessor, graph),
      boost::get(&Node::color, graph), boost::get(&Node::distance, graph),
      boost::get(boost::vertex_index, graph), source, sink);
  return {value_of(flow)};
}

std::vector<bool> chips_inside(const Topology& topology, const Cut& cut) {
  std::vector<bool> inside(topology.chips(), true);
  for (const Cut::Range& range : cut.box) {
    const Digit& digit = topology.digits()[range.digit];
    for (ChipId chip = 0; chip < topology.chips(); ++chip) {
      const std::uint32_t value = chip / digit.stride % digit.size;
      if (value < range.low || value >= range.high) inside[chip] = false;
    }
  }
  return inside;
}

const Cut* weakest_bisection(const std::vector<Cut>& cuts) {
  const Cut* weakest = nullptr;
  for (const Cut& cut : cuts) {
    if (!std::string_view(cut.name).starts_with("half of ")) continue;
    if (weakest == nullptr || cut.raw_out < weakest->raw_out) weakest = &cut;
  }
  return weakest;
}

}  // namespace tahoma
