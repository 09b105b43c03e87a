// Random clusters, faults and stragglers for differential tests.
#pragma once

#include <vector>

#include "collectives/solve/instance.h"
#include "core/random.h"
#include "topology/faults.h"
#include "topology/shape.h"
#include "topology/topology.h"

namespace tahoma {

/// One to three dimensions of rings and switches, 2 to 16 domains under a Clos of one to three tiers, rails
/// or none, sometimes oversubscribed.
ClusterShape random_cluster(Random& random);

/// Two to four of them, small enough for the engine on all ranks, each a site with hardware and NICs of its
/// own; joined by WAN links each to each, or by one fabric above them.
MixedShape random_mixed_cluster(Random& random);

/// None, a dead link, some slow ones, dead pairs, or slow and dead ones together.
Faults random_faults(Random& random, const Topology& healthy);

/// Up to five chips late by up to 200 us; often none.
std::vector<ChipDelay> random_delays(Random& random, std::uint32_t chips);

}  // namespace tahoma
