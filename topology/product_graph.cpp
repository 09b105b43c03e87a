// The implicit graph of a product topology: the edges out of any vertex, and all links in natural order of
// names.
#include <algorithm>
#include <optional>
#include <string>
#include <tuple>

#include "core/natural_order.h"
#include "topology/link_key.h"
#include "topology/product.h"

namespace tahoma {

namespace {

using Which = ProductTopology::WhichEdges;

class EdgeWriter {
 public:
  EdgeWriter(const ProductTopology& topology, VertexId from, Which which, std::vector<Edge>& edges)
      : topology_(topology), from_(from), which_(which), edges_(edges) {}

  void to(VertexId vertex, LinkId link) {
    if (which_ == Which::all || topology_.exceptions().alive(link)) edges_.push_back({from_, vertex, link});
  }
  void to(const VertexPlace& place, LinkId link) { to(topology_.vertices().number(place), link); }

 private:
  const ProductTopology& topology_;
  VertexId from_;
  Which which_;
  std::vector<Edge>& edges_;
};

void edges_in_dimension(const GridDimension& d, std::uint32_t index, ChipId chip, EdgeWriter& write) {
  const std::uint32_t digit = d.digit(chip);
  const auto neighbour = [&](std::uint32_t value) { return d.with_digit(chip, value % d.size); };
  switch (d.kind) {
    case DimensionKind::ring:
      write.to(neighbour(digit + 1), dimension_link(chip, index, plus_port));
      if (!d.one_way_port_only())
        write.to(neighbour(digit + d.size - 1), dimension_link(chip, index, minus_port));
      return;
    case DimensionKind::line:
      if (digit + 1 < d.size) write.to(neighbour(digit + 1), dimension_link(chip, index, plus_port));
      if (digit > 0) write.to(neighbour(digit - 1), dimension_link(chip, index, minus_port));
      return;
    case DimensionKind::full:
      for (std::uint32_t away = 1; away < d.size; ++away) {
        write.to(neighbour(digit + away), dimension_link(chip, index, away));
      }
      return;
    case DimensionKind::switched:
      write.to({VertexPlaceKind::dimension_switch, d.group(chip), index},
               dimension_link(chip, index, up_port));
      return;
  }
}

void edges_of_leaf(const Geometry& g, const VertexNumbers& numbers, std::uint32_t leaf, EdgeWriter& write) {
  const std::uint32_t pod = numbers.spines() > 0 ? g.pod_of_leaf(leaf) : 0;
  for (std::uint32_t spine = 0; spine < numbers.spines(); ++spine) {
    const LinkKind kind = g.single_links ? LinkKind::leaf_spine : LinkKind::leaf_trunk;
    write.to({VertexPlaceKind::spine, pod, spine}, fabric_link(kind, leaf, up_port, spine));
  }
  for (std::uint32_t place = 0; place < g.endpoints_of_leaf(leaf); ++place) {
    const ChipId chip = g.chip_on_leaf(leaf, place);
    write.to(chip, fabric_link(LinkKind::nic, chip, down_port));
  }
}

void edges_of_spine(const Geometry& g, const VertexNumbers& numbers, std::uint32_t pod, std::uint32_t spine,
                    EdgeWriter& write) {
  for (std::uint32_t core = 0; core < numbers.cores(); ++core) {
    const LinkKind kind = g.single_links ? LinkKind::spine_core : LinkKind::pod_trunk;
    write.to({VertexPlaceKind::core, g.site_of_pod(pod), core}, fabric_link(kind, pod, up_port, spine, core));
  }
  const LinkKind kind = g.single_links ? LinkKind::leaf_spine : LinkKind::leaf_trunk;
  for (std::uint32_t i = 0; i < g.leaves_of_pod(pod); ++i) {
    const std::uint32_t leaf = g.leaf_of_pod(pod, i);
    write.to({VertexPlaceKind::leaf, leaf, 0}, fabric_link(kind, leaf, down_port, spine));
  }
}

void edges_of_core(const Geometry& g, const VertexNumbers& numbers, std::uint32_t site, std::uint32_t core,
                   EdgeWriter& write) {
  const SiteFabric& fabric = g.sites[site];
  const LinkKind kind = g.single_links ? LinkKind::spine_core : LinkKind::pod_trunk;
  for (std::uint32_t pod = fabric.first_pod; pod < fabric.first_pod + fabric.pods; ++pod) {
    for (std::uint32_t spine = 0; spine < numbers.spines(); ++spine) {
      write.to({VertexPlaceKind::spine, pod, spine}, fabric_link(kind, pod, down_port, spine, core));
    }
  }
}

void edges_of_wan(const Geometry& g, const VertexNumbers& numbers, std::uint32_t site, EdgeWriter& write) {
  std::vector<VertexId> tops;
  for (std::uint32_t w = 0; w < g.wans.size(); ++w) {
    const Wan& wan = g.wans[w];
    if (wan.a != site && wan.b != site) continue;
    tops.clear();
    numbers.append_top(g, wan.a == site ? wan.b : wan.a, tops);
    const LinkId link = fabric_link(LinkKind::wan, w, wan.a == site ? 0 : 1);
    for (const VertexId top : tops) write.to(top, link);
  }
}

}  // namespace

void ProductTopology::append_edges(VertexId vertex, WhichEdges which, std::vector<Edge>& edges) const {
  const Geometry& g = geometry_;
  const VertexPlace place = vertices_.place(vertex);
  EdgeWriter write(*this, vertex, which, edges);
  switch (place.kind) {
    case VertexPlaceKind::chip: {
      for (std::uint32_t d = 0; d < g.dimensions.size(); ++d) {
        edges_in_dimension(g.dimensions[d], d, place.owner, write);
      }
      if (!g.has_clos) return;
      const Endpoint endpoint = g.endpoint(place.owner);
      write.to({VertexPlaceKind::leaf, endpoint.leaf, 0}, fabric_link(LinkKind::nic, place.owner, up_port));
      return;
    }
    case VertexPlaceKind::dimension_switch: {
      const GridDimension& d = g.dimensions[place.index];
      const ChipId first = d.first_of_group(place.owner);
      for (std::uint32_t digit = 0; digit < d.size; ++digit) {
        const ChipId chip = first + digit * d.stride;
        write.to(chip, dimension_link(chip, place.index, down_port));
      }
      return;
    }
    case VertexPlaceKind::leaf:
      edges_of_leaf(g, vertices_, place.owner, write);
      if (vertices_.spines() == 0) edges_of_wan(g, vertices_, g.site_of_leaf(place.owner), write);
      return;
    case VertexPlaceKind::spine:
      edges_of_spine(g, vertices_, place.owner, place.index, write);
      if (vertices_.cores() == 0) edges_of_wan(g, vertices_, g.site_of_pod(place.owner), write);
      return;
    case VertexPlaceKind::core:
      edges_of_core(g, vertices_, place.owner, place.index, write);
      edges_of_wan(g, vertices_, place.owner, write);
      return;
  }
}

namespace {

// Order of names: "core", "leaf", "pod", "us"; a chip before its NIC, before the switches named after it.
class LinkLister {
 public:
  explicit LinkLister(const ProductTopology& topology) : topology_(topology), g_(topology.geometry()) {
    for (std::uint32_t d = 0; d < g_.dimensions.size(); ++d) by_name_.push_back(d);
    std::sort(by_name_.begin(), by_name_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return natural_less(g_.dimensions[a].name, g_.dimensions[b].name);
    });
  }

  // WAN links and the blocks of the sites, in order of names: no name of a WAN link falls inside a block.
  std::vector<LinkId> list() {
    links_.reserve(topology_.link_count());
    std::vector<Block> blocks = wan_blocks();
    for (std::uint32_t site = 0; site < g_.sites.size(); ++site) {
      blocks.push_back(
          {g_.site_names.empty() ? "" : "site." + g_.site_names[site] + ".", site, std::nullopt});
    }
    std::sort(blocks.begin(), blocks.end(),
              [](const Block& a, const Block& b) { return natural_less(a.name, b.name); });
    for (const Block& block : blocks) {
      if (block.wan) {
        links_.push_back(*block.wan);
      } else {
        append_site(block.site);
      }
    }
    return std::move(links_);
  }

  std::vector<LinkId> list_chips(ChipId first, std::uint32_t count) {
    for (ChipId chip = first; chip < first + count; ++chip) append_chip(chip);
    return std::move(links_);
  }

 private:
  void append(VertexId vertex) {
    edges_.clear();
    topology_.out_edges(vertex, edges_);
    for (const Edge& edge : edges_) {
      if (kind_of(edge.link) != LinkKind::wan) links_.push_back(edge.link);
    }
  }

  struct Block {
    std::string name;
    std::uint32_t site = 0;
    std::optional<LinkId> wan;
  };

  std::vector<Block> wan_blocks() const {
    std::vector<Block> blocks;
    for (std::uint32_t w = 0; w < g_.wans.size(); ++w) {
      for (const std::uint32_t port : {0U, 1U}) {
        const LinkId link = fabric_link(LinkKind::wan, w, port);
        if (topology_.exceptions().alive(link)) blocks.push_back({topology_.link_name(link), 0, link});
      }
    }
    return blocks;
  }

  void append_site(std::uint32_t site) {
    if (g_.has_clos) append_switches(site);
    const std::uint32_t first = g_.sites[site].first_domain * g_.domain_chips;
    const std::uint32_t count = g_.sites[site].domains * g_.domain_chips;
    for (ChipId chip = first; chip < first + count; ++chip) append_chip(chip);
  }

  void append_switches(std::uint32_t site) {
    const SiteFabric& fabric = g_.sites[site];
    const VertexNumbers& numbers = topology_.vertices();
    const auto each = [&](VertexPlaceKind kind, std::uint32_t first, std::uint32_t owners,
                          std::uint32_t count) {
      for (std::uint32_t owner = first; owner < first + owners; ++owner) {
        for (std::uint32_t index = 0; index < count; ++index) append(numbers.number({kind, owner, index}));
      }
    };
    each(VertexPlaceKind::core, site, 1, numbers.cores());
    each(VertexPlaceKind::leaf, fabric.first_leaf, fabric.groups * g_.clos.rails, 1);
    each(VertexPlaceKind::spine, fabric.first_pod, fabric.pods, numbers.spines());
  }

  // Dimension links in order of their targets, the NIC, then the switches whose first chip this is.
  void append_chip(ChipId chip) {
    edges_.clear();
    topology_.out_edges(chip, edges_);
    std::stable_sort(edges_.begin(), edges_.end(),
                     [&](const Edge& a, const Edge& b) { return target_order(a) < target_order(b); });
    for (const Edge& edge : edges_) links_.push_back(edge.link);
    for (const std::uint32_t d : by_name_) {
      const GridDimension& dimension = g_.dimensions[d];
      if (dimension.kind != DimensionKind::switched || dimension.digit(chip) != 0) continue;
      append(topology_.vertices().number({VertexPlaceKind::dimension_switch, dimension.group(chip), d}));
    }
  }

  // (NIC last, chip the target is or is named after, its rank among the things named after that chip).
  std::tuple<bool, ChipId, std::size_t> target_order(const Edge& edge) const {
    const LinkKey key = key_of(edge.link);
    if (key.kind == LinkKind::nic) return {true, 0, 0};
    const GridDimension& d = g_.dimensions[key.dimension];
    if (d.kind != DimensionKind::switched) return {false, static_cast<ChipId>(edge.to), 0};
    const auto rank = std::find(by_name_.begin(), by_name_.end(), key.dimension) - by_name_.begin();
    return {false, d.with_digit(key.owner, 0), static_cast<std::size_t>(rank) + 1};
  }

  const ProductTopology& topology_;
  const Geometry& g_;
  std::vector<std::uint32_t> by_name_;
  std::vector<Edge> edges_;
  std::vector<LinkId> links_;
};

}  // namespace

std::vector<LinkId> ProductTopology::all_links() const {
  return LinkLister(*this).list();
}

std::vector<LinkId> ProductTopology::links_of_chips(ChipId first, std::uint32_t count) const {
  return LinkLister(*this).list_chips(first, count);
}

}  // namespace tahoma
