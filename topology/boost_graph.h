// The implicit graph of a topology as a Boost.Graph: VertexListGraph and IncidenceGraph, so that its breadth-
// first search, Dijkstra and the like run on a network that is never built.
//
//   const ImplicitGraph graph{topology};
//   boost::breadth_first_search(graph, source, boost::visitor(...).color_map(...));
//
// Out-edges of a vertex are computed when asked for and held by the iterators. Not a BidirectionalGraph:
// links may be dead in one direction only, and a switch may have thousands of neighbours to ask.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include <boost/graph/graph_traits.hpp>
#include <boost/graph/properties.hpp>
#include <boost/iterator/counting_iterator.hpp>
#include <boost/iterator/iterator_facade.hpp>
#include <boost/property_map/function_property_map.hpp>
#include <boost/property_map/property_map.hpp>

#include "topology/topology.h"

namespace tahoma {

struct ImplicitGraph {
  const Topology& topology;
};

class OutEdgeIterator
    : public boost::iterator_facade<OutEdgeIterator, const Edge, boost::forward_traversal_tag> {
 public:
  OutEdgeIterator() = default;
  OutEdgeIterator(std::shared_ptr<const std::vector<Edge>> edges, std::size_t at)
      : edges_(std::move(edges)), at_(at) {}

 private:
  friend class boost::iterator_core_access;
  const Edge& dereference() const { return (*edges_)[at_]; }
  bool equal(const OutEdgeIterator& other) const { return at_ == other.at_; }
  void increment() { ++at_; }

  std::shared_ptr<const std::vector<Edge>> edges_;
  std::size_t at_ = 0;
};

struct ImplicitGraphTraversal : boost::incidence_graph_tag, boost::vertex_list_graph_tag {};

inline VertexId num_vertices(const ImplicitGraph& graph) {
  return graph.topology.vertex_count();
}
inline std::pair<boost::counting_iterator<VertexId>, boost::counting_iterator<VertexId>> vertices(
    const ImplicitGraph& graph) {
  return {boost::counting_iterator<VertexId>(0), boost::counting_iterator<VertexId>(num_vertices(graph))};
}
inline std::pair<OutEdgeIterator, OutEdgeIterator> out_edges(VertexId vertex, const ImplicitGraph& graph) {
  auto edges = std::make_shared<std::vector<Edge>>();
  graph.topology.out_edges(vertex, *edges);
  const std::size_t count = edges->size();
  return {OutEdgeIterator(edges, 0), OutEdgeIterator(edges, count)};
}
inline std::size_t out_degree(VertexId vertex, const ImplicitGraph& graph) {
  std::vector<Edge> edges;
  graph.topology.out_edges(vertex, edges);
  return edges.size();
}
inline VertexId source(const Edge& edge, const ImplicitGraph&) {
  return edge.from;
}
inline VertexId target(const Edge& edge, const ImplicitGraph&) {
  return edge.to;
}
/// Vertices are their own indices.
inline boost::typed_identity_property_map<VertexId> get(boost::vertex_index_t, const ImplicitGraph&) {
  return {};
}
/// The latency of an edge in picoseconds, as a weight map.
inline auto latency_map(const ImplicitGraph& graph) {
  return boost::make_function_property_map<Edge>(
      [topology = &graph.topology](const Edge& edge) { return topology->latency(edge.link).ps; });
}

}  // namespace tahoma

namespace boost {

template <>
struct graph_traits<tahoma::ImplicitGraph> {
  using vertex_descriptor = tahoma::VertexId;
  using edge_descriptor = tahoma::Edge;
  using directed_category = directed_tag;
  using edge_parallel_category = allow_parallel_edge_tag;
  using traversal_category = tahoma::ImplicitGraphTraversal;
  using vertex_iterator = counting_iterator<tahoma::VertexId>;
  using out_edge_iterator = tahoma::OutEdgeIterator;
  using vertices_size_type = tahoma::VertexId;
  using edges_size_type = std::size_t;
  using degree_size_type = std::size_t;
  static vertex_descriptor null_vertex() { return std::numeric_limits<tahoma::VertexId>::max(); }
};

template <>
struct property_map<tahoma::ImplicitGraph, vertex_index_t> {
  using type = typed_identity_property_map<tahoma::VertexId>;
  using const_type = type;
};

}  // namespace boost
