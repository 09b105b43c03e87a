// What a planner asks next: what was simulated, what would help.
#pragma once

#include <string>
#include <vector>

#include "scenarios/result.h"
#include "scenarios/scenario.h"
#include "topology/topology.h"

namespace tahoma {

Result::Cluster describe_cluster(const Scenario& scenario, const Topology& topology);

/// Runs the last row again with one figure of the network doubled at a time, and says what that saves. Only
/// where such a run is cheap; empty otherwise.
std::vector<std::string> suggestions(const Scenario& scenario, const Result& result);

}  // namespace tahoma
