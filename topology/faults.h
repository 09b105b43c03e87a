// From what is broken, by name, to the short list of links that differ.
//
//   chip          all its links
//   leaf          the NIC links of its chips, and its uplinks
//   spine, core   its links; under `spray` the trunks narrow by their share
//   xswitch, one plane of it   the ports of its members, or the plane's share of each
//   a single uplink under `spray`   its share of the trunk
#pragma once

#include "topology/exceptions.h"
#include "topology/product.h"

namespace tahoma {

/// Throws ScenarioError for a factor outside 0..1; a factor of 0, and what rounds to nothing, is a failure.
Exceptions make_exceptions(const ProductTopology& topology, const Faults& faults);

}  // namespace tahoma
