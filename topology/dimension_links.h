// Where a link of a dimension leads, which link leads back, and how many there are.
#pragma once

#include <cstdint>

#include "topology/geometry.h"
#include "topology/link_key.h"

namespace tahoma {

/// The chip that a link of a ring, line or full mesh leads to.
ChipId target_of(const GridDimension& dimension, const LinkKey& key);
/// The other direction of a dimension's or NIC's link.
LinkId opposite(const Geometry& geometry, LinkId link);
/// Directed links of one group of the dimension, and those of them that leave a chip.
std::uint64_t links_per_group(const GridDimension& dimension);
std::uint64_t chip_links_per_group(const GridDimension& dimension);
/// True for links that leave a chip (not those from a switch to it).
bool leaves_chip(const Geometry& geometry, const LinkKey& key);

}  // namespace tahoma
