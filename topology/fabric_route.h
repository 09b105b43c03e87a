// Ways through the Clos: chip, NIC, leaf, pod spines, cores, WAN, and down again; only as high as needed.
//
//   same leaf   2 links        same pod   4 links        same site   6 links
//
// spray      over the trunks of all surviving links
// by_source  uplink number (the endpoint's place on its leaf) modulo the live uplinks; core number
//            (place / spines) modulo the live cores; down by the spine with the uplink's number
// ecmp       by mix64 of (seed, src, dst, lane), drawn among all, and drawn again among the live ones only
//            where the first draw is dead: routes that touch nothing dead do not move
// An uplink is live for a destination if a way down to it is left.
#pragma once

#include <cstdint>

#include "topology/exceptions.h"
#include "topology/geometry.h"
#include "topology/wan_routes.h"

namespace tahoma {

struct FabricNetwork {
  const Geometry& geometry;
  const Exceptions& exceptions;
  const WanRoutes& wan;
};

/// Appends the links between the NICs of two chips of different domains. False if the Clos does not join them
/// (another rail of a one-tier Clos, no live uplink, no WAN). Trunks and NICs appended may be dead: look.
bool append_fabric(const FabricNetwork& network, ChipId src, ChipId dst, std::uint32_t lane, Path& path);

}  // namespace tahoma
