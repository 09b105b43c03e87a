#include "topology/draw.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "topology/link_key.h"
#include "topology/product.h"
#include "topology/rank_topology.h"

namespace tahoma {

namespace {

// Joins parallel links and equal opposite directions.
class Builder {
 public:
  std::uint32_t vertex(const std::string& name, bool is_chip, std::uint64_t stands_for = 1) {
    const auto [entry, is_new] =
        numbers_.try_emplace(name, static_cast<std::uint32_t>(drawing_.vertices.size()));
    if (is_new) drawing_.vertices.push_back({name, is_chip, stands_for});
    return entry->second;
  }

  void edge(std::uint32_t from, std::uint32_t to, Capacity capacity, Duration latency,
            std::uint64_t count = 1) {
    auto& edge = edges_[{from, to}];
    edge.from = from;
    edge.to = to;
    edge.stands_for = edge.capacity.q20 == 0 ? count : edge.stands_for + count;
    edge.capacity.q20 += capacity.q20 * count;
    edge.latency = std::max(edge.latency, latency);
  }

  Drawing finish() {
    for (const auto& [ends, edge] : edges_) {
      const auto back = edges_.find({ends.second, ends.first});
      const bool alike = back != edges_.end() && back->second.capacity == edge.capacity &&
                         back->second.latency == edge.latency;
      if (alike && ends.second < ends.first) continue;
      drawing_.edges.push_back(edge);
      drawing_.edges.back().both_ways = alike;
    }
    return std::move(drawing_);
  }

  Drawing& drawing() { return drawing_; }

 private:
  Drawing drawing_;
  std::map<std::string, std::uint32_t> numbers_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, DrawnEdge> edges_;
};

Drawing draw_all(const Topology& topology) {
  Builder builder;
  for (VertexId vertex = 0; vertex < topology.vertex_count(); ++vertex) {
    builder.vertex(topology.vertex_name(vertex), vertex < topology.chips());
  }
  std::vector<Edge> edges;
  for (VertexId vertex = 0; vertex < topology.vertex_count(); ++vertex) {
    edges.clear();
    topology.out_edges(vertex, edges);
    for (const Edge& edge : edges) {
      builder.edge(static_cast<std::uint32_t>(edge.from), static_cast<std::uint32_t>(edge.to),
                   topology.capacity(edge.link), topology.latency(edge.link));
    }
  }
  return builder.finish();
}

// Boxes of chips, from small to large, until few enough are left: the domain, the leaf group, the pod, the
// site.
std::uint32_t box_size(const Topology& topology) {
  for (const Digit& digit : topology.digits()) {
    const bool outside = digit.level > Level::ultraserver;
    if (outside && topology.chips() / digit.stride <= most_drawn_vertices / 2) return digit.stride;
  }
  return topology.chips();
}

std::string box_name(const Topology& topology, ChipId first, std::uint32_t chips) {
  if (chips == topology.chips()) return "all chips";
  const std::string name = topology.chip_name(first);
  const std::string domain = name.substr(0, name.rfind(".s"));
  const std::string last = topology.chip_name(first + chips - 1);
  const std::string last_domain = last.substr(last.rfind("us"), last.rfind(".s") - last.rfind("us"));
  return domain.ends_with(last_domain) ? domain : domain + "-" + last_domain.substr(2);
}

std::string stage_name(const ProductTopology& topology, const VertexPlace& place) {
  const Geometry& g = topology.geometry();
  switch (place.kind) {
    case VertexPlaceKind::leaf: {
      const std::uint32_t site = g.site_of_leaf(place.owner);
      const std::uint32_t group = (place.owner - g.sites[site].first_leaf) / g.clos.rails;
      const std::string prefix = g.site_names.empty() ? "" : "site." + g.site_names[site] + ".";
      return fmt::format("{}leaf group {}", prefix, group);
    }
    case VertexPlaceKind::spine: {
      const std::string name = topology.vertex_name(topology.vertices().number({place.kind, place.owner, 0}));
      return name.substr(0, name.find(".spine"));
    }
    case VertexPlaceKind::core: {
      const std::string prefix = g.site_names.empty() ? "" : "site." + g.site_names[place.owner] + ".";
      return prefix + "core";
    }
    default:
      return {};
  }
}

void draw_boxes(const ProductTopology& topology, Builder& builder) {
  const Geometry& g = topology.geometry();
  const std::uint32_t size = box_size(topology);
  for (ChipId first = 0; first < g.chips; first += size)
    builder.vertex(box_name(topology, first, size), true, size);
  if (g.has_clos) {
    for (ChipId chip = 0; chip < g.chips; ++chip) {
      const Endpoint end = g.endpoint(chip);
      const std::uint32_t leaf =
          builder.vertex(stage_name(topology, {VertexPlaceKind::leaf, end.leaf, 0}), false, g.clos.rails);
      for (const std::uint32_t port : {up_port, down_port}) {
        const LinkId link = fabric_link(LinkKind::nic, chip, port);
        const Capacity capacity = topology.capacity(link);
        if (port == up_port) builder.edge(chip / size, leaf, capacity, topology.latency(link));
        if (port == down_port) builder.edge(leaf, chip / size, capacity, topology.latency(link));
      }
    }
    return;
  }
  std::vector<Edge> edges;
  for (ChipId chip = 0; chip < g.chips; ++chip) {
    edges.clear();
    topology.out_edges(chip, edges);
    for (const Edge& edge : edges) {
      if (edge.to >= g.chips || edge.to / size == chip / size) continue;
      builder.edge(chip / size, static_cast<std::uint32_t>(edge.to / size), topology.capacity(edge.link),
                   topology.latency(edge.link));
    }
  }
}

// Links above the leaves, and across the WAN once each.
void draw_stages(const ProductTopology& topology, Builder& builder) {
  const Geometry& g = topology.geometry();
  if (!g.has_clos) return;
  const VertexNumbers& numbers = topology.vertices();
  std::vector<Edge> edges;
  const VertexId first = numbers.number({VertexPlaceKind::leaf, 0, 0});
  for (VertexId vertex = first; vertex < numbers.count(); ++vertex) {
    edges.clear();
    topology.out_edges(vertex, edges);
    const std::uint32_t from = builder.vertex(stage_name(topology, numbers.place(vertex)), false);
    for (const Edge& edge : edges) {
      if (edge.to < first || kind_of(edge.link) == LinkKind::wan) continue;
      const std::uint32_t to = builder.vertex(stage_name(topology, numbers.place(edge.to)), false);
      builder.edge(from, to, topology.capacity(edge.link), topology.latency(edge.link));
    }
  }
  for (std::uint32_t w = 0; w < g.wans.size(); ++w) {
    for (const std::uint32_t port : {0U, 1U}) {
      const LinkId link = fabric_link(LinkKind::wan, w, port);
      if (!topology.exceptions().alive(link)) continue;
      std::vector<VertexId> from, to;
      numbers.append_top(g, port == 0 ? g.wans[w].a : g.wans[w].b, from);
      numbers.append_top(g, port == 0 ? g.wans[w].b : g.wans[w].a, to);
      builder.edge(builder.vertex(stage_name(topology, numbers.place(from[0])), false),
                   builder.vertex(stage_name(topology, numbers.place(to[0])), false), topology.capacity(link),
                   topology.latency(link));
    }
  }
}

}  // namespace

Drawing draw(const Topology& topology) {
  const auto* product = dynamic_cast<const ProductTopology*>(&topology);
  const auto* ranks = dynamic_cast<const RankTopology*>(&topology);
  if (ranks != nullptr && topology.vertex_count() > most_drawn_vertices) return draw(ranks->chip_network());
  if (product == nullptr || topology.vertex_count() <= most_drawn_vertices) return draw_all(topology);
  Builder builder;
  builder.drawing().aggregated = true;
  draw_boxes(*product, builder);
  draw_stages(*product, builder);
  return builder.finish();
}

}  // namespace tahoma
