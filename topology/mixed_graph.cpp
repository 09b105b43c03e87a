// The implicit graph, the links in order of names, and the cuts of a mixed network.
//
// Cuts: a chip, a scale-up domain, a site. What leaves a site is the least of all its NICs, all its leaf
// trunks, all its pod trunks, and its WAN links or trunk: each of them separates it from the rest. Halves of
// a site are not cut, since what joins them may lead through another site.
#include <algorithm>

#include <fmt/format.h>

#include "core/natural_order.h"
#include "topology/link_key.h"
#include "topology/mixed.h"

namespace tahoma {

namespace {

struct Direction {
  std::uint32_t port;
  bool outwards;
};

}  // namespace

VertexId MixedTopology::outward_vertex(std::uint32_t site, VertexId vertex) const {
  const Site& s = sites_[site];
  return vertex < s.inside->chips() ? s.first_chip + vertex : s.first_switch + vertex - s.inside->chips();
}

std::uint64_t MixedTopology::vertex_count() const {
  return vertices_;
}

void MixedTopology::append_joint_edges(std::uint32_t site, VertexId from, std::vector<Edge>& edges) const {
  if (between_) {
    const LinkId link = trunk(site, up_port);
    if (joint_exceptions_.alive(link)) edges.push_back({from, vertices_ - 1, link});
    return;
  }
  for (std::uint32_t w = 0; w < joint_.wans.size(); ++w) {
    const Wan& wan = joint_.wans[w];
    if (wan.a != site && wan.b != site) continue;
    const std::uint32_t to = wan.a == site ? wan.b : wan.a;
    const LinkId link = fabric_link(LinkKind::wan, w, wan.a == site ? 0 : 1);
    if (!joint_exceptions_.alive(link)) continue;
    std::vector<VertexId> tops;
    const ProductTopology& inside = *sites_[to].inside;
    inside.vertices().append_top(inside.geometry(), 0, tops);
    for (const VertexId top : tops) edges.push_back({from, outward_vertex(to, top), link});
  }
}

void MixedTopology::out_edges(VertexId vertex, std::vector<Edge>& edges) const {
  const auto tops_of = [&](std::uint32_t site) {
    std::vector<VertexId> tops;
    sites_[site].inside->vertices().append_top(sites_[site].inside->geometry(), 0, tops);
    return tops;
  };
  if (between_ && vertex + 1 == vertices_) {
    for (std::uint32_t site = 0; site < sites_.size(); ++site) {
      const LinkId link = trunk(site, down_port);
      if (!joint_exceptions_.alive(link)) continue;
      for (const VertexId top : tops_of(site)) edges.push_back({vertex, outward_vertex(site, top), link});
    }
    return;
  }
  std::uint32_t site = 0;
  VertexId own = vertex;
  if (vertex < chips_) {
    site = site_of(static_cast<ChipId>(vertex));
    own = vertex - sites_[site].first_chip;
  } else {
    while (site + 1 < sites_.size() && sites_[site + 1].first_switch <= vertex) ++site;
    own = vertex - sites_[site].first_switch + sites_[site].inside->chips();
  }
  const std::size_t before = edges.size();
  sites_[site].inside->out_edges(own, edges);
  for (std::size_t e = before; e < edges.size(); ++e) {
    edges[e] = {vertex, outward_vertex(site, edges[e].to), outward(site, edges[e].link)};
  }
  if (vertex < chips_) return;
  const std::vector<VertexId> tops = tops_of(site);
  if (std::binary_search(tops.begin(), tops.end(), own)) append_joint_edges(site, vertex, edges);
}

std::string MixedTopology::chip_name(ChipId chip) const {
  const Site& site = sites_[site_of(chip)];
  return site.inside->chip_name(chip - site.first_chip);
}

std::string MixedTopology::vertex_name(VertexId vertex) const {
  if (vertex < chips_) return chip_name(static_cast<ChipId>(vertex));
  if (between_ && vertex + 1 == vertices_) return "fabric";
  std::size_t site = 0;
  while (site + 1 < sites_.size() && sites_[site + 1].first_switch <= vertex) ++site;
  return sites_[site].inside->vertex_name(vertex - sites_[site].first_switch + sites_[site].inside->chips());
}

std::string MixedTopology::link_name(LinkId link) const {
  if (const auto own = owner_of(link)) return sites_[own->site].inside->link_name(own->link);
  const LinkKey key = key_of(link);
  const bool back = key.port == 1;
  if (key.owner >= joint_.wans.size()) {
    const std::string site = "site." + sites_[key.owner - joint_.wans.size()].name;
    return back ? "fabric->" + site : site + "->fabric";
  }
  const Wan& wan = joint_.wans[key.owner];
  std::uint32_t rank = 0, count = 0;
  for (std::uint32_t w = 0; w < joint_.wans.size(); ++w) {
    const Wan& other = joint_.wans[w];
    const bool same = std::minmax(other.a, other.b) == std::minmax(wan.a, wan.b);
    rank += same && w <= key.owner ? 1U : 0U;
    count += same ? 1U : 0U;
  }
  const std::string a = "site." + sites_[wan.a].name, b = "site." + sites_[wan.b].name;
  return (back ? b + "->" + a : a + "->" + b) + (count > 1 ? fmt::format("#{}", rank) : "");
}

std::vector<LinkId> MixedTopology::all_links() const {
  struct Block {
    std::string name;
    std::uint32_t site;
    std::optional<LinkId> link;
  };
  std::vector<Block> blocks;
  for (std::uint32_t site = 0; site < sites_.size(); ++site)
    blocks.push_back({"site." + sites_[site].name + ".", site, std::nullopt});
  const auto joints = static_cast<std::uint32_t>(joint_.wans.size() + (between_ ? sites_.size() : 0));
  for (std::uint32_t j = 0; j < joints; ++j) {
    for (const std::uint32_t port : {0U, 1U}) {
      const LinkId link = fabric_link(LinkKind::wan, j, port);
      if (joint_exceptions_.alive(link)) blocks.push_back({link_name(link), 0, link});
    }
  }
  std::stable_sort(blocks.begin(), blocks.end(),
                   [](const Block& a, const Block& b) { return natural_less(a.name, b.name); });
  std::vector<LinkId> links;
  for (const Block& block : blocks) {
    if (block.link) {
      links.push_back(*block.link);
      continue;
    }
    for (const LinkId link : sites_[block.site].inside->all_links())
      links.push_back(outward(block.site, link));
  }
  return links;
}

std::vector<Cut> MixedTopology::cuts() const {
  std::vector<Cut> cuts;
  const auto append = [&](std::string name, Level level, ChipId first, std::uint32_t chips, const Cut& of) {
    Cut cut = of;
    cut.name = std::move(name);
    cut.level = level;
    cut.box = {{0, first, first + chips}};
    cuts.push_back(std::move(cut));
  };
  for (std::uint32_t s = 0; s < sites_.size(); ++s) {
    const Site& site = sites_[s];
    const ProductTopology& inside = *site.inside;
    const Geometry& g = inside.geometry();
    const std::string of = " of site." + site.name;
    for (const Cut& own : inside.cuts()) {
      if (own.level != Level::chip) continue;
      ChipId chip = site.first_chip;
      for (const Cut::Range& range : own.box) chip += range.low * inside.digits()[range.digit].stride;
      append(own.name + of, Level::chip, chip, 1, own);
    }
    const auto all_nics = [&](std::uint32_t chips) {
      Cut cut;
      cut.out = cut.in = {g.nic.q20 * chips};
      cut.raw_out = cut.raw_in = {g.nic_raw.q20 * chips};
      return cut;
    };
    if (g.domains > 1 && g.domain_chips > 1)
      append("one domain" + of, Level::ultraserver, site.first_chip, g.domain_chips,
             all_nics(g.domain_chips));
    Cut whole = all_nics(g.chips);
    const auto narrow = [](Cut& cut, Direction way, u128 capacity) {
      Capacity& effective = way.outwards ? cut.out : cut.in;
      Capacity& raw = way.outwards ? cut.raw_out : cut.raw_in;
      effective.q20 = std::min(effective.q20, capacity);
      raw.q20 = std::min(raw.q20, capacity);
    };
    for (const Direction way : {Direction{up_port, true}, Direction{down_port, false}}) {
      u128 leaves = 0, pods = 0, joints = 0;
      for (std::uint32_t leaf = 0; leaf < g.leaves; ++leaf)
        leaves += inside.capacity(fabric_link(LinkKind::leaf_trunk, leaf, way.port)).q20;
      for (std::uint32_t pod = 0; pod < g.pods; ++pod)
        pods += inside.capacity(fabric_link(LinkKind::pod_trunk, pod, way.port)).q20;
      for (std::uint32_t w = 0; w < joint_.wans.size(); ++w) {
        const bool starts = joint_.wans[w].a == s, ends = joint_.wans[w].b == s;
        if (starts || ends)
          joints += capacity(fabric_link(LinkKind::wan, w, starts == way.outwards ? 0 : 1)).q20;
      }
      if (between_) joints = capacity(trunk(s, way.port)).q20;
      if (g.clos.tiers >= 2) narrow(whole, way, leaves);
      if (g.clos.tiers == 3) narrow(whole, way, pods);
      narrow(whole, way, joints);
    }
    append("site." + site.name, Level::site, site.first_chip, g.chips, whole);
  }
  return cuts;
}

}  // namespace tahoma
