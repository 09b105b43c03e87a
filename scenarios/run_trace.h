// A job of recorded traces -> its row of the result.
#pragma once

#include "collectives/solve/solve.h"
#include "scenarios/network.h"
#include "scenarios/result.h"
#include "scenarios/scenario.h"

namespace tahoma {

struct TraceAnswer {
  TraceRow row;
  std::vector<Time> rank_finish;
  Solution links;         // what the links carried
  Duration links_lasted;  // in which time
};

/// Throws ScenarioError where traces and ranks do not fit, InfeasibleError past the limits of one run.
TraceAnswer run_trace(const Scenario& scenario, const Network& network, const Job& job,
                      const TraceWork& work);

}  // namespace tahoma
