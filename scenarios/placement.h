// Where ranks sit: the order of the chips that `ranks` takes its ranks from.
//
// Problem: the same job over the same number of chips is fast or slow by where the scheduler put it. Idea: an
// order of all chips; `ranks: N` takes the first N of it, {size: N} cuts it into groups, and a flat algorithm
// walks along it.
//
//   chips of 3 domains of 2     0 1 | 2 3 | 4 5
//   packed                      0 1   2 3   4 5     chip by chip
//   by_rail                     0 2 4   1 3 5       chips of equal index in their domains one after another
//   scattered                   0 2 4   1 3 5       as far apart as possible: the outermost digit runs first
//
// by_rail and scattered differ where there are several digits outside the domain, or several inside.
#pragma once

#include <vector>

#include "scenarios/scenario.h"
#include "topology/topology.h"

namespace tahoma {

/// Chips by rank. `seed`: of the scenario, for a random order without one of its own. Throws SelectorError
/// for a name that is no chip.
std::vector<ChipId> order_of(const Topology& topology, const Placement& placement, std::uint64_t seed);

}  // namespace tahoma
