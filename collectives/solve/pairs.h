// Everyone to everyone at once, by classes of pairs.
//
// Problem: a direct all-to-all over a million chips is 1.1e12 flows, and even one rank's are a million.
// Idea: on a healthy symmetric network a flow's path depends on the pair (source, destination) only through
// where the two are to each other. Two symmetries make the classes: translations carry every source to chip
// 0; and members of a leaf, leaves of a pod and pods may be exchanged freely, so of the destinations outside
// the scale-up domain only the displacement inside it and the highest differing digit count:
//
//   64 chips x {same domain, same leaf, same pod, other pod} = at most 4 x 64 - 1 classes, for any number of
//   chips
//
// All flows of a class start together, have the same rate at all times (max-min is unique, so it is constant
// on the orbits of symmetries) and end together. A link of orbit L is crossed by (links of L on the
// representative's path) x (flows of the class) / |L| of them.
//
// Limit: one program, no stragglers, no faults, all chips in one group, no reduction to queue for. Anything
// else is "not by this solver".
#pragma once

#include <optional>
#include <string>

#include "collectives/solve/solve.h"

namespace tahoma {

/// Nothing if the solver does not apply; `why_not` then says why.
std::optional<Solution> solve_by_pairs(const Problem& problem, std::string& why_not);

}  // namespace tahoma
