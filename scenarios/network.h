// Scenario -> the network of one run: topology with its faults, stragglers, endpoint costs, groups of ranks.
#pragma once

#include <memory>
#include <vector>

#include "collectives/groups.h"
#include "collectives/solve/instance.h"
#include "scenarios/scenario.h"
#include "topology/topology.h"

namespace tahoma {

struct Network {
  std::unique_ptr<Topology> topology;
  std::unique_ptr<Topology> healthy;  // null where nothing is broken
  std::vector<ChipDelay> delays;
};

/// Draws the random faults, matches every element and selector. Throws ScenarioError with the place.
Network make_network(const Scenario& scenario);

/// The groups of a collective, in the order of its placement. `seed`: of the scenario.
RankGroups make_groups(const Topology& topology, const CollectiveWork& work, std::uint64_t seed);

}  // namespace tahoma
