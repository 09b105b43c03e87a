// The critical chain in words, for the field `critical_chain` and the first screen.
#pragma once

#include <string>
#include <vector>

#include "collectives/schedule.h"
#include "collectives/solve/chain.h"
#include "scenarios/result.h"
#include "topology/topology.h"

namespace tahoma {

/// From the last finish back to its cause, a line each; whose times add up to that of the row,
/// which began at `start`. Empty if the chain is not known.
/// A long chain keeps its latest and its earliest parts and says how many lie between.
std::vector<std::string> chain_text(const CriticalChain& chain, const Schedule& schedule,
                                    const Topology& topology, Time start);

/// How long the chain was in each phase that it passes through, in the schedule's order.
std::vector<PhaseTime> chain_phases(const CriticalChain& chain, const Schedule& schedule);

}  // namespace tahoma
