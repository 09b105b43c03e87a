// What a planner asks next: what was simulated, how far to trust it, what would help.
#pragma once

#include <string>
#include <vector>

#include "scenarios/result.h"
#include "scenarios/scenario.h"
#include "topology/topology.h"

namespace tahoma {

Result::Cluster describe_cluster(const Scenario& scenario, const Topology& topology);

/// How far this kind of system has been checked against measurements. Never empty.
std::vector<std::string> evidence_for(const Scenario& scenario);

/// Runs the last row again with one figure of the network doubled at a time, and says what that saves. Only
/// where such a run is cheap; empty otherwise.
std::vector<std::string> suggestions(const Scenario& scenario, const Result& result);

}  // namespace tahoma
