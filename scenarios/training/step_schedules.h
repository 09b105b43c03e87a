// The schedules of a step's collectives, each chosen once, and where they can be folded.
#pragma once

#include <deque>
#include <functional>
#include <map>

#include "collectives/schedule.h"
#include "collectives/solve/instance.h"
#include "scenarios/training/step_passes.h"

namespace tahoma {

class StepSchedules {
 public:
  using Choose = std::function<Schedule(const StepTalk& talk, const RankGroups& groups)>;

  StepSchedules(const StepPlacement& placement, Choose choose)
      : placement_(placement), choose_(std::move(choose)) {}
  StepSchedules(const StepSchedules&) = delete;
  StepSchedules& operator=(const StepSchedules&) = delete;

  struct Chosen {
    RankGroups groups;  // of all stages
    Schedule schedule;
  };
  /// Chosen with the groups of all stages at work at once. Throws InfeasibleError for a schedule whose
  /// messages cannot be listed.
  const Chosen& of(const StepTalk& talk);
  /// All that were asked for, in the order of their talks.
  const std::map<StepTalk, Chosen>& all() const { return chosen_; }

 private:
  const StepPlacement& placement_;
  const Choose choose_;
  std::map<StepTalk, Chosen> chosen_;
};

/// Of our algorithms the fastest, by exact prediction, of those that fold as far as any does along `within`
/// (StepPlacement::without_stages). Sizes of one power of two are served alike, by what is fastest for its
/// least. `problem` and `healthy` as for choose_algorithm.
StepSchedules::Choose fastest_on(const Problem& problem, const Topology* healthy, DigitMask within);
/// One algorithm over all axes; tests of small steps.
StepSchedules::Choose always(const std::string& algorithm);

}  // namespace tahoma
