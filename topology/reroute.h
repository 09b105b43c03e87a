// Detours around what is dead: the fewest surviving links.
//
// Inside a scale-up domain, or a product without a Clos: breadth first; among ways of equal length the first
// in the order of ports, read from the source (dimensions innermost first, plus before minus, near before
// far).
//
// Between domains: walk to a chip whose NIC is alive, cross, walk to the destination; the fewest links in
// all, then the shortest walk at the source, the lowest chip there, the shortest walk at the destination, the
// lowest chip there. The same serves a domain that has come apart inside. A detour does not relay through a
// third domain.
#pragma once

#include "topology/product.h"

namespace tahoma {

/// False if there is none.
bool append_detour(const ProductTopology& topology, const FabricNetwork& fabric, ChipId src, ChipId dst,
                   std::uint32_t lane, Path& path);

}  // namespace tahoma
