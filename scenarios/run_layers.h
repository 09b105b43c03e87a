// A job of layers that all ranks go through in step -> its row of the result.
#pragma once

#include "scenarios/run_trace.h"

namespace tahoma {

/// Throws ScenarioError where the layers' groups and the ranks do not fit.
TraceAnswer run_layers(const Scenario& scenario, const Network& network, const Job& job,
                       const TraceWork& work);

}  // namespace tahoma
