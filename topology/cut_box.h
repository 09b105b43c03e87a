// The capacity that leaves and enters a box of chips, in closed form, then corrected link by link for what is
// broken.
//
// Problem: a bound needs the least capacity that separates a box from the rest, but switches belong to no
// side. Idea: *any* assignment of switches to sides gives a true cut of the network; so a handful of sensible
// ones is measured and the least taken. Out and in are measured apart, each with its own best assignment:
//
//   dimension switch   all of them outside (links of inside members), or all inside (links of outside
//   members) Clos               cut at the NICs, at the leaf trunks, at the pod trunks, or at the WAN, of the
//   box or of
//                      its complement
#pragma once

#include <vector>

#include "topology/product.h"

namespace tahoma {

/// What one link of each kind carries.
struct LinkRates {
  std::vector<u128> dimension, wan;
  u128 nic = 0, leaf_trunk = 0, pod_trunk = 0;
};
LinkRates effective_rates(const Geometry& geometry);
LinkRates raw_rates(const Geometry& geometry);

struct BothWays {
  u128 out = 0, in = 0;
};

enum class CountFaults { no, yes };

BothWays capacity_of_box(const ProductTopology& topology, const ProductDigits& digits,
                         const std::vector<Cut::Range>& box, const LinkRates& rates, CountFaults faults);

}  // namespace tahoma
