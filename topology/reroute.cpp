#include "topology/reroute.h"

#include <algorithm>
#include <deque>

#include <boost/unordered/unordered_flat_map.hpp>

#include "topology/dimension_links.h"

namespace tahoma {

namespace {

constexpr std::uint32_t never = ~0u;

// Breadth-first search over the live links of the dimensions, forwards from a chip or backwards to one.
class Walks {
 public:
  explicit Walks(const ProductTopology& topology) : topology_(topology) {}

  /// Stops where `until` is reached.
  void forwards(ChipId from, ChipId until = never) {
    start(from);
    while (!open_.empty()) {
      const VertexId vertex = take();
      if (vertex == until) return;
      edges_.clear();
      topology_.out_edges(vertex, edges_);
      for (const Edge& edge : edges_) reach(edge.to, vertex, edge);
    }
  }

  // The links that lead into a vertex are the opposites of those that lead out of it.
  void backwards(ChipId to) {
    start(to);
    while (!open_.empty()) {
      const VertexId vertex = take();
      edges_.clear();
      topology_.append_edges(vertex, ProductTopology::WhichEdges::all, edges_);
      for (const Edge& out : edges_) {
        if (kind_of(out.link) != LinkKind::dimension) continue;
        const LinkId in = opposite(topology_.geometry(), out.link);
        if (topology_.exceptions().alive(in)) reach(out.to, vertex, {out.to, vertex, in});
      }
    }
  }

  std::uint32_t links(VertexId vertex) const {
    const auto found = steps_.find(vertex);
    return found == steps_.end() ? never : found->second.links;
  }

  // After forwards(): the links from the start to `vertex`.
  bool append_way_to(VertexId vertex, Path& path) const {
    if (steps_.count(vertex) == 0) return false;
    const std::size_t before = path.links.size();
    for (auto step = steps_.find(vertex); step->second.links > 0; step = steps_.find(step->second.before)) {
      path.links.push_back(step->second.link);
      path.latency += topology_.latency(step->second.link);
    }
    std::reverse(path.links.begin() + static_cast<std::ptrdiff_t>(before), path.links.end());
    return true;
  }

 private:
  struct Step {
    std::uint32_t links = 0;
    VertexId before = 0;
    LinkId link;
  };

  void start(VertexId vertex) {
    steps_.clear();
    open_.assign(1, vertex);
    steps_[vertex] = {};
  }
  VertexId take() {
    const VertexId vertex = open_.front();
    open_.pop_front();
    return vertex;
  }
  void reach(VertexId vertex, VertexId before, const Edge& edge) {
    if (kind_of(edge.link) != LinkKind::dimension) return;
    if (!steps_.try_emplace(vertex, Step{steps_[before].links + 1, before, edge.link}).second) return;
    open_.push_back(vertex);
  }

  const ProductTopology& topology_;
  boost::unordered_flat_map<VertexId, Step> steps_;
  std::deque<VertexId> open_;
  std::vector<Edge> edges_;
};

struct Door {
  std::uint32_t links;  // walked to or from it
  ChipId chip;
  auto operator<=>(const Door&) const = default;
};

// Chips of `chip`'s domain that can be walked to (from) and whose NIC is alive in the direction of `port`.
std::vector<Door> doors(const ProductTopology& topology, const Walks& walks, ChipId chip,
                        std::uint32_t port) {
  const Geometry& g = topology.geometry();
  std::vector<Door> found;
  const ChipId first = g.domain_of(chip) * g.domain_chips;
  for (ChipId door = first; door < first + g.domain_chips; ++door) {
    const std::uint32_t links = walks.links(door);
    if (links == never || !topology.exceptions().alive(fabric_link(LinkKind::nic, door, port))) continue;
    found.push_back({links, door});
  }
  std::sort(found.begin(), found.end());
  return found;
}

// Links of the Clos between two NICs if nothing is dead: a floor, cheap enough to ask for every pair.
std::uint32_t least_crossing(const Geometry& g, const Endpoint& a, const Endpoint& b) {
  if (a.site != b.site) return 2 * g.clos.tiers + 1;
  if (a.leaf == b.leaf) return 2;
  return a.pod == b.pod ? 4 : 6;
}

struct Crossing {
  Door from, to;
  std::uint32_t links = never;
};

Crossing best_crossing(const ProductTopology& topology, const FabricNetwork& fabric,
                       const std::vector<Door>& from, const std::vector<Door>& to, std::uint32_t lane) {
  const Geometry& g = topology.geometry();
  std::vector<Endpoint> from_ends, to_ends;
  for (const Door& door : from) from_ends.push_back(g.endpoint(door.chip));
  for (const Door& door : to) to_ends.push_back(g.endpoint(door.chip));
  Crossing best;
  Path path;
  for (std::size_t i = 0; i < from.size(); ++i) {
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::uint32_t walked = from[i].links + to[j].links;
      if (walked + 2 >= best.links) break;
      if (from[i].chip == to[j].chip || walked + least_crossing(g, from_ends[i], to_ends[j]) >= best.links)
        continue;
      path.clear();
      const bool joined = append_fabric(fabric, from[i].chip, to[j].chip, lane, path);
      if (!joined || !topology.exceptions().alive(path)) continue;
      const std::uint32_t links = walked + static_cast<std::uint32_t>(path.links.size());
      if (links < best.links) best = {from[i], to[j], links};
    }
  }
  return best;
}

}  // namespace

bool append_detour(const ProductTopology& topology, const FabricNetwork& fabric, ChipId src, ChipId dst,
                   std::uint32_t lane, Path& path) {
  const Geometry& g = topology.geometry();
  Walks ahead(topology);
  ahead.forwards(src, dst);
  const bool same_domain = !g.has_clos || g.domain_of(src) == g.domain_of(dst);
  if (same_domain && ahead.append_way_to(dst, path)) return true;
  if (!g.has_clos) return false;
  Walks back(topology);
  back.backwards(dst);
  const Crossing crossing = best_crossing(topology, fabric, doors(topology, ahead, src, up_port),
                                          doors(topology, back, dst, down_port), lane);
  if (crossing.links == never) return false;
  ahead.append_way_to(crossing.from.chip, path);
  append_fabric(fabric, crossing.from.chip, crossing.to.chip, lane, path);
  Walks arrival(topology);
  arrival.forwards(crossing.to.chip, dst);
  return arrival.append_way_to(dst, path);
}

}  // namespace tahoma
