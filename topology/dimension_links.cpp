#include "topology/dimension_links.h"

namespace tahoma {

ChipId target_of(const GridDimension& d, const LinkKey& key) {
  const std::uint32_t step = d.kind == DimensionKind::full ? key.port
                             : key.port == plus_port       ? 1
                                                           : d.size - 1;
  return d.with_digit(key.owner, (d.digit(key.owner) + step) % d.size);
}

LinkId opposite(const Geometry& g, LinkId link) {
  const LinkKey key = key_of(link);
  if (key.kind != LinkKind::dimension)
    return fabric_link(key.kind, key.owner, 1 - key.port, key.spine, key.core);
  const GridDimension& d = g.dimensions[key.dimension];
  switch (d.kind) {
    case DimensionKind::ring:
    case DimensionKind::line: {
      const std::uint32_t port = d.one_way_port_only() ? plus_port : 1 - key.port;
      return dimension_link(target_of(d, key), key.dimension, port);
    }
    case DimensionKind::full:
      return dimension_link(target_of(d, key), key.dimension, d.size - key.port);
    case DimensionKind::switched:
      return dimension_link(key.owner, key.dimension, 1 - key.port);
  }
  return link;
}

std::uint64_t links_per_group(const GridDimension& d) {
  const std::uint64_t n = d.size;
  switch (d.kind) {
    case DimensionKind::ring:
      return d.one_way_port_only() ? n : 2 * n;
    case DimensionKind::line:
      return 2 * (n - 1);
    case DimensionKind::full:
      return n * (n - 1);
    case DimensionKind::switched:
      return 2 * n;
  }
  return 0;
}

std::uint64_t chip_links_per_group(const GridDimension& d) {
  return d.kind == DimensionKind::switched ? d.size : links_per_group(d);
}

bool leaves_chip(const Geometry& g, const LinkKey& key) {
  if (key.kind == LinkKind::nic) return key.port == up_port;
  if (key.kind != LinkKind::dimension) return false;
  return g.dimensions[key.dimension].kind != DimensionKind::switched || key.port == up_port;
}

}  // namespace tahoma
