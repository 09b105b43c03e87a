// From what is broken, by name, to the short list of links that differ.
//
//   chip          all its links
//   leaf          the NIC links of its chips, and its uplinks
//   a switch of a leaf         its share of those, where NICs are bonded over several
//   a plane of the fabric      its share of every NIC and trunk: a smaller shape, no exception
//   spine, core   its links; under `spray` the trunks narrow by their share
//   xswitch, one plane of it   the ports of its members, or the plane's share of each
//   a single uplink under `spray`   its share of the trunk
#pragma once

#include "topology/exceptions.h"
#include "topology/product.h"

namespace tahoma {

/// Planes of the fabric that are dead become part of the shape: they leave all chips alike. Throws
/// InfeasibleError where none is left.
ClusterShape with_dead_planes(const ClusterShape& shape, const Faults& faults);

/// Throws ScenarioError for a factor outside 0..1; a factor of 0, and what rounds to nothing, is a failure.
Exceptions make_exceptions(const ProductTopology& topology, const Faults& faults);

}  // namespace tahoma
