#include "scenarios/training/step_schedules.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "collectives/choose.h"
#include "core/errors.h"

namespace tahoma {

namespace {

ScheduleRequest request_of(const StepTalk& talk, const RankGroups& groups) {
  ScheduleRequest request;
  request.collective = talk.collective;
  request.size = talk.bytes;
  request.element_bytes = talk.bytes.count % 2 == 0 ? 2 : 1;
  request.axes = groups.axes();
  request.is_piece = true;
  return request;
}

}  // namespace

const StepSchedules::Chosen& StepSchedules::of(const StepTalk& talk) {
  const auto known = chosen_.find(talk);
  if (known != chosen_.end()) return known->second;
  RankGroups groups = placement_.groups_of_all_stages(talk.group);
  Schedule schedule = choose_(talk, groups);
  list_sends(schedule);
  for (const Phase& phase : schedule.phases) {
    if (phase.has_switch || phase.paired_ranks || (phase.unlisted != 0 && phase.roles.empty())) {
      throw InfeasibleError(fmt::format(
          "'{}' cannot be a part of a step: its messages are not listed one by one; the {} groups "
          "have {} ranks; accepted: such as ring, halving_doubling, torus or direct",
          schedule.algorithm, name_of(talk.group), groups.size()));
    }
  }
  return chosen_.emplace(talk, Chosen{std::move(groups), std::move(schedule)}).first->second;
}

StepSchedules::Choose fastest_on(const Problem& problem, const Topology* healthy, DigitMask within) {
  std::map<StepTalk, std::vector<LevelPlan>> plans;  // by size rounded down
  return [&problem, healthy, within, plans](const StepTalk& talk, const RankGroups& groups) mutable {
    ScheduleRequest request = request_of(talk, groups);
    request.overhead = problem.overhead;
    request.fold_within = within;
    StepTalk like = talk;
    like.bytes = {std::bit_floor(std::max<std::uint64_t>(talk.bytes.count, 2))};
    const auto [at, fresh] = plans.try_emplace(like);
    if (fresh) {
      ScheduleRequest trial = request;
      trial.size = like.bytes;
      trial.element_bytes = 2;
      at->second = choose_algorithm(problem, healthy, groups, trial, LaneRule::fifo).levels;
    }
    request.levels = at->second;
    return make_schedule(request);
  };
}

StepSchedules::Choose always(const std::string& algorithm) {
  return [algorithm](const StepTalk& talk, const RankGroups& groups) {
    ScheduleRequest request = request_of(talk, groups);
    request.levels =
        plan_single(request.axes, talk.collective == Collective::all_to_all ? "direct" : algorithm);
    return make_schedule(request);
  };
}

}  // namespace tahoma
