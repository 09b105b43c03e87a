// resolve -> topology -> schedules -> plan -> solver -> result. Reads as a table of contents.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "collectives/schedule.h"
#include "scenarios/result.h"
#include "scenarios/scenario.h"

namespace tahoma {

struct RunOptions {
  std::string solver = "auto";                     // "auto", "engine", "quotient", "phases"
  const std::atomic<bool>* interrupted = nullptr;  // finish the row in flight, then stop with what is there
  std::function<void(std::size_t done, std::size_t total)> on_progress;
  bool trace = false;  // also the history of the last row (or of all jobs together), into Result::trace
  bool advise = true;  // also ask what would help (reruns the last row a few times)
};

/// Throws ScenarioError (with place), InfeasibleError, InternalError. Assertions that fail do not throw: they
/// are in the result.
Result run(const Scenario& scenario, const RunOptions& options = {});

/// The schedule of the workload's first row, for `tahoma schedule`.
Schedule schedule_of(const Scenario& scenario);

}  // namespace tahoma
