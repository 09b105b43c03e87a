// Which chips a fault touches, so that solvers may treat everything else as healthy.
//
// On rails apart a route may lead over a third chip. It has each digit of one end or of the other, so it
// stands in every block of digits that holds both, and its mark is theirs.
#include <algorithm>

#include "topology/link_key.h"
#include "topology/product.h"

namespace tahoma {

namespace {

void add_range(ChipId first, ChipId count, std::vector<ChipId>& chips) {
  for (ChipId c = 0; c < count; ++c) chips.push_back(first + c);
}

void add_leaf(const Geometry& g, std::uint32_t leaf, std::vector<ChipId>& chips) {
  for (std::uint32_t place = 0; place < g.endpoints_of_leaf(leaf); ++place) {
    chips.push_back(g.chip_on_leaf(leaf, place));
  }
}

void add_site(const Geometry& g, std::uint32_t site, std::vector<ChipId>& chips) {
  add_range(g.sites[site].first_domain * g.domain_chips, g.sites[site].domains * g.domain_chips, chips);
}

// Both ends of a chip's own link: a ring's or line's neighbour is marked too.
void add_ends(const Geometry& g, const LinkKey& key, std::vector<ChipId>& chips) {
  chips.push_back(key.owner);
  const GridDimension& d = g.dimensions[key.dimension];
  if (d.kind == DimensionKind::switched) return;
  const std::uint32_t here = d.digit(key.owner);
  const std::uint32_t step =
      d.kind == DimensionKind::full ? key.port : (key.port == plus_port ? 1 : d.size - 1);
  chips.push_back(d.with_digit(key.owner, (here + step) % d.size));
}

}  // namespace

std::optional<ChipId> ProductTopology::owner_chip(LinkId link) const {
  const LinkKind kind = kind_of(link);
  if (kind != LinkKind::dimension && kind != LinkKind::nic) return std::nullopt;
  return key_of(link).owner;
}

NetworkPart ProductTopology::part(LinkId link) const {
  const bool inside = kind_of(link) == LinkKind::dimension && key_of(link).dimension < geometry_.scale_up;
  return inside ? NetworkPart::scale_up : NetworkPart::fabric;
}

std::vector<ChipId> ProductTopology::marked_chips(NetworkPart wanted) const {
  const Geometry& g = geometry_;
  std::vector<ChipId> chips;
  for (const auto& [value, state] : exceptions_) {
    const LinkId link{value};
    if (part(link) != wanted) continue;
    const LinkKey key = key_of(link);
    switch (key.kind) {
      case LinkKind::dimension:
        add_ends(g, key, chips);
        break;
      case LinkKind::nic:
        chips.push_back(key.owner);
        break;
      case LinkKind::leaf_trunk:
      case LinkKind::leaf_spine:
        add_leaf(g, key.owner, chips);
        break;
      case LinkKind::pod_trunk:
      case LinkKind::spine_core:
        for (std::uint32_t l = 0; l < g.leaves_of_pod(key.owner); ++l)
          add_leaf(g, g.leaf_of_pod(key.owner, l), chips);
        break;
      case LinkKind::wan:
        add_site(g, g.wans[key.owner].a, chips);
        add_site(g, g.wans[key.owner].b, chips);
        break;
    }
  }
  std::sort(chips.begin(), chips.end());
  chips.erase(std::unique(chips.begin(), chips.end()), chips.end());
  return chips;
}

}  // namespace tahoma
