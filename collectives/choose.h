// `algorithm: auto`: the candidate with the least predicted time, and why.
//
// A prediction is the exact answer wherever an exact solver needs few messages for it (a symmetric network
// needs a handful), so that auto cannot be wrong about what it has tried. Candidates whose contention-free
// floor is above the best answer so far are not tried. Where nothing folds and the ranks are many, the
// healthy network is asked instead, and the reason says so. The floors themselves decide only where no
// candidate can be solved.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "collectives/algorithms.h"
#include "collectives/solve/solve.h"

namespace tahoma {

struct Choice {
  Schedule schedule;                 // with `why` filled in
  std::optional<Solution> solution;  // of the very problem asked, if it was solved on the way
  std::vector<LevelPlan> levels;     // that it is made of; empty over sites of different hardware
};

/// `problem` holds everything but the program to be chosen (its `programs` are ignored); `healthy` is the
/// same network without faults, or null. `request.levels` is ignored. Throws ScenarioError if no algorithm
/// fits.
Choice choose_algorithm(const Problem& problem, const Topology* healthy, const RankGroups& groups,
                        const ScheduleRequest& request, LaneRule rule);

/// Levels by the names of the scenario ("chip", "server", "ultraserver", "site", "cluster", "intra",
/// "inter"), inner first; a named level covers the unnamed levels inside it. Throws ScenarioError if a name
/// leaves axes uncovered, or names a level that this group does not have.
std::vector<LevelPlan> plan_levels(const std::vector<Axis>& axes,
                                   const std::vector<std::pair<std::string, std::string>>& named);

/// One algorithm over all axes.
std::vector<LevelPlan> plan_single(const std::vector<Axis>& axes, const std::string& algorithm);

}  // namespace tahoma
