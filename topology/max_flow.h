// Max-flow between two sets of chips, by Boost.Graph: the judge of cuts(), and of any partition of a small
// network.
#pragma once

#include <vector>

#include "topology/topology.h"

namespace tahoma {

/// The least capacity that separates the chips marked `inside` from the others (both present): what can flow
/// from them at most, wherever the switches are counted. Builds the graph; meant for a few thousand vertices.
Capacity max_flow(const Topology& topology, const std::vector<bool>& inside);

/// The chips in a cut's box.
std::vector<bool> chips_inside(const Topology& topology, const Cut& cut);

/// Among cuts() into two halves of a digit, the one of least raw capacity: the weakest bisection of the
/// topology's own. Null if there is only one chip.
const Cut* weakest_bisection(const std::vector<Cut>& cuts);

}  // namespace tahoma
