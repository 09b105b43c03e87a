#include "topology/vertex_numbers.h"

#include <algorithm>

namespace tahoma {

VertexNumbers::VertexNumbers(const Geometry& g) : chips_(g.chips) {
  VertexId next = g.chips;
  for (const GridDimension& d : g.dimensions) {
    dimension_switches_.push_back(next);
    if (d.kind == DimensionKind::switched) next += g.chips / d.size;
  }
  dimension_switches_.push_back(next);
  if (g.has_clos && g.clos.tiers >= 2) spines_per_pod_ = g.single_links ? g.spines : 1;
  if (g.has_clos && g.clos.tiers == 3) cores_per_site_ = g.single_links ? g.cores : 1;
  leaves_ = next;
  spines_ = leaves_ + g.leaves;
  cores_ = spines_ + std::uint64_t{g.pods} * spines_per_pod_;
  end_ = cores_ + std::uint64_t{g.sites.size()} * cores_per_site_;
}

VertexPlace VertexNumbers::place(VertexId vertex) const {
  if (vertex < chips_) return {VertexPlaceKind::chip, static_cast<std::uint32_t>(vertex), 0};
  if (vertex < leaves_) {
    const auto after = std::upper_bound(dimension_switches_.begin(), dimension_switches_.end(), vertex);
    const auto dimension = static_cast<std::uint32_t>(after - dimension_switches_.begin()) - 1;
    return {VertexPlaceKind::dimension_switch, static_cast<std::uint32_t>(vertex - *(after - 1)), dimension};
  }
  if (vertex < spines_) return {VertexPlaceKind::leaf, static_cast<std::uint32_t>(vertex - leaves_), 0};
  const bool is_spine = vertex < cores_;
  const std::uint64_t offset = vertex - (is_spine ? spines_ : cores_);
  const std::uint32_t per_owner = is_spine ? spines_per_pod_ : cores_per_site_;
  return {is_spine ? VertexPlaceKind::spine : VertexPlaceKind::core,
          static_cast<std::uint32_t>(offset / per_owner), static_cast<std::uint32_t>(offset % per_owner)};
}

VertexId VertexNumbers::number(const VertexPlace& place) const {
  switch (place.kind) {
    case VertexPlaceKind::chip:
      return place.owner;
    case VertexPlaceKind::dimension_switch:
      return dimension_switches_[place.index] + place.owner;
    case VertexPlaceKind::leaf:
      return leaves_ + place.owner;
    case VertexPlaceKind::spine:
      return spines_ + std::uint64_t{place.owner} * spines_per_pod_ + place.index;
    case VertexPlaceKind::core:
      return cores_ + std::uint64_t{place.owner} * cores_per_site_ + place.index;
  }
  return end_;
}

void VertexNumbers::append_top(const Geometry& g, std::uint32_t site, std::vector<VertexId>& vertices) const {
  const SiteFabric& fabric = g.sites[site];
  const auto append = [&](VertexPlaceKind kind, std::uint32_t first, std::uint32_t owners,
                          std::uint32_t each) {
    for (std::uint32_t owner = first; owner < first + owners; ++owner) {
      for (std::uint32_t index = 0; index < each; ++index) vertices.push_back(number({kind, owner, index}));
    }
  };
  if (cores_per_site_ > 0) return append(VertexPlaceKind::core, site, 1, cores_per_site_);
  if (spines_per_pod_ > 0)
    return append(VertexPlaceKind::spine, fabric.first_pod, fabric.pods, spines_per_pod_);
  append(VertexPlaceKind::leaf, fabric.first_leaf, fabric.groups * g.clos.rails, 1);
}

}  // namespace tahoma
