// What random faults are drawn from, in natural order of names.
//
//   links     scale-up links; the two directions of one are one candidate, under the name of the first
//   nics      the NIC of each chip, both directions
//   uplinks   each leaf-spine link, both directions, single ones under `spray` too
#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

#include "core/natural_order.h"
#include "core/nearest.h"
#include "topology/dimension_links.h"
#include "topology/fault_candidates.h"
#include "topology/graph.h"
#include "topology/mixed.h"
#include "topology/product.h"
#include "topology/rank_topology.h"

namespace tahoma {

namespace {

using Candidates = std::vector<std::vector<LinkId>>;

// `links` are in natural order of (from, to); the first of two directions met there names the pair.
Candidates scale_up_pairs(const ProductTopology& topology, const std::vector<LinkId>& links) {
  const Geometry& g = topology.geometry();
  Candidates candidates;
  for (const LinkId link : links) {
    const LinkKey key = key_of(link);
    if (key.kind != LinkKind::dimension || !g.dimensions[key.dimension].scale_up) continue;
    const LinkId back = opposite(g, link);
    const bool switched = g.dimensions[key.dimension].kind == DimensionKind::switched;
    const LinkKey back_key = key_of(back);
    // A chip's number orders its name; the directions of a switched link are named chip first.
    const bool is_first = switched ? key.port == up_port : key.owner < back_key.owner;
    if (is_first) candidates.push_back({link, back});
  }
  return candidates;
}

Candidates nics(const std::vector<LinkId>& links) {
  Candidates candidates;
  for (const LinkId link : links) {
    const LinkKey key = key_of(link);
    if (key.kind != LinkKind::nic || key.port != up_port) continue;
    candidates.push_back({link, fabric_link(LinkKind::nic, key.owner, down_port)});
  }
  return candidates;
}

Candidates uplinks(const ProductTopology& topology) {
  Candidates candidates;
  const Geometry& g = topology.geometry();
  if (!g.has_clos || g.clos.tiers < 2) return candidates;
  for (const LinkId link : topology.all_links()) {
    const LinkKey key = key_of(link);
    if (key.port != up_port || (key.kind != LinkKind::leaf_trunk && key.kind != LinkKind::leaf_spine))
      continue;
    const bool single = key.kind == LinkKind::leaf_spine;
    for (std::uint32_t spine = single ? key.spine : 0; spine < (single ? key.spine + 1 : g.spines); ++spine) {
      candidates.push_back({fabric_link(LinkKind::leaf_spine, key.owner, up_port, spine),
                            fabric_link(LinkKind::leaf_spine, key.owner, down_port, spine)});
    }
  }
  return candidates;
}

Candidates graph_links(const GraphTopology& topology) {
  Candidates candidates;
  std::vector<bool> taken(topology.links().size(), false);
  for (const LinkId link : topology.all_links()) {
    if (taken[link.value]) continue;
    candidates.push_back({link});
    const std::uint32_t reverse = topology.links()[link.value].reverse;
    if (reverse == ~0u) continue;
    taken[reverse] = true;
    candidates.back().push_back({reverse});
  }
  return candidates;
}

}  // namespace

FaultCandidates::FaultCandidates(const Topology& topology, std::string_view kind) {
  constexpr std::array<std::string_view, 3> kinds{"links", "nics", "uplinks"};
  if (kind != kinds[0] && kind != kinds[1] && kind != kinds[2]) {
    const std::string meant = nearest(kind, kinds);
    throw SelectorError{fmt::format("'{}' is no kind of random fault; accepted: links, nics, uplinks{}", kind,
                                    meant.empty() ? "" : "; did you mean '" + meant + "'?")};
  }
  if (const auto* graph = dynamic_cast<const GraphTopology*>(&topology)) {
    if (kind == "links") listed_ = graph_links(*graph);
    return;
  }
  mixed_ = dynamic_cast<const MixedTopology*>(&topology);
  if (mixed_ != nullptr) {
    const auto& sites = mixed_->sites();
    for (std::uint32_t s = 0; s < sites.size(); ++s)
      of_sites_.push_back({s, std::make_shared<const FaultCandidates>(*sites[s].inside, kind)});
    std::sort(of_sites_.begin(), of_sites_.end(), [&](const OfSite& a, const OfSite& b) {
      return a.site != b.site && natural_less(sites[a.site].name + ".", sites[b.site].name + ".");
    });
    return;
  }
  const auto* ranks = dynamic_cast<const RankTopology*>(&topology);
  const auto* product =
      ranks != nullptr ? &ranks->chip_network() : dynamic_cast<const ProductTopology*>(&topology);
  if (product == nullptr) return;
  if (kind == "uplinks") {
    listed_ = uplinks(*product);
    return;
  }
  const Geometry& g = product->geometry();
  const bool alike = product->exceptions().empty();
  const std::vector<LinkId> links = alike ? product->links_of_chips(0, g.domain_chips) : product->all_links();
  listed_ = kind == "links" ? scale_up_pairs(*product, links) : nics(links);
  if (!alike) return;
  domain_chips_ = g.domain_chips;
  std::vector<std::size_t> order(g.sites.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return a != b && natural_less("site." + g.site_names[a] + ".", "site." + g.site_names[b] + ".");
  });
  for (const std::size_t site : order) sites_.push_back({g.sites[site].first_domain, g.sites[site].domains});
}

std::uint64_t FaultCandidates::size() const {
  if (mixed_ != nullptr) {
    std::uint64_t size = 0;
    for (const OfSite& site : of_sites_) size += site.inside->size();
    return size;
  }
  if (sites_.empty()) return listed_.size();
  std::uint64_t domains = 0;
  for (const Domains& site : sites_) domains += site.count;
  return domains * listed_.size();
}

std::vector<LinkId> FaultCandidates::at(std::uint64_t i) const {
  if (mixed_ != nullptr) {
    auto site = of_sites_.begin();
    while (i >= site->inside->size()) i -= (site++)->inside->size();
    std::vector<LinkId> links = site->inside->at(i);
    for (LinkId& link : links) link = mixed_->outward(site->site, link);
    return links;
  }
  if (sites_.empty()) return listed_[i];
  std::uint64_t domain = i / listed_.size();
  std::size_t site = 0;
  while (domain >= sites_[site].count) domain -= sites_[site++].count;
  std::vector<LinkId> links = listed_[i % listed_.size()];
  for (LinkId& link : links) {
    LinkKey key = key_of(link);
    key.owner += (sites_[site].first + static_cast<std::uint32_t>(domain)) * domain_chips_;
    link = link_of(key);
  }
  return links;
}

std::vector<std::vector<LinkId>> random_fault_candidates(const Topology& topology, std::string_view kind) {
  const FaultCandidates candidates(topology, kind);
  Candidates all(candidates.size());
  for (std::uint64_t i = 0; i < all.size(); ++i) all[i] = candidates.at(i);
  return all;
}

}  // namespace tahoma
