#include "scenarios/training/step_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/errors.h"
#include "scenarios/training/step_builder.h"

namespace tahoma {

Problem without_delays(const Problem& problem) {
  Problem bare = problem;
  bare.delays.clear();
  bare.programs.clear();
  bare.flows.clear();
  return bare;
}

namespace {

const ChunkCost& cost_of(const TrainingCost& cost, std::uint32_t part) {
  for (const StageCost& stage : cost.stages) {
    for (const ChunkCost& chunk : stage.chunks) {
      if (chunk.chunk == part) return chunk;
    }
  }
  TAHOMA_ASSERT(false, "a part of the model without costs");
}

}  // namespace

const ChunkCost& cost_at(const TrainingStep& step, PipelinePlace place) {
  return cost_of(*step.cost, step.order->part_of(place));
}

std::vector<GradientTalk> gradients_of(const TrainingStep& step, const ChunkCost& cost) {
  struct Row {
    StepGroup group;
    Bytes gradient, parameter;
  };
  const Row rows[] = {{StepGroup::dp, cost.gradient, cost.parameter},
                      {StepGroup::expert_dp, cost.expert_gradient, cost.expert_parameter}};
  std::vector<GradientTalk> talks;
  const std::uint32_t zero = step.parallel->zero;
  for (const Row& row : rows) {
    if (row.gradient.count == 0 || step.placement->size_of(row.group) == 1) continue;
    const std::uint64_t buckets =
        step.parallel->overlap_dp ? std::clamp(cost.layers.count(), 1u, most_buckets) : 1;
    GradientTalk talk;
    talk.buckets = static_cast<std::uint32_t>(buckets);
    talk.reduce = {row.group, zero == 0 ? Collective::all_reduce : Collective::reduce_scatter,
                   Bytes{ceil_div64(row.gradient.count, buckets)}};
    if (zero > 0 && row.parameter.count > 0)
      talk.gather = StepTalk{row.group, Collective::all_gather, row.parameter};
    talks.push_back(talk);
  }
  return talks;
}

DigitMask foldable_digits(const TrainingStep& step) {
  if (!step.problem->delays.empty() || reduction_rate(*step.problem).q20 != 0) return 0;
  const PipelineOrder& order = *step.order;
  bool has_ring = false;
  for (std::uint32_t stage = 0; stage < order.stages; ++stage) {
    for (std::uint32_t chunk = 0; chunk < order.chunks; ++chunk) {
      const ChunkCost& cost = cost_at(step, {stage, chunk});
      for (const Pass::Kind kind : {Pass::Kind::forward, Pass::Kind::backward}) {
        for (const StepStretch& stretch : stretches_of(kind, cost, *step.parallel)) {
          if (stretch.talk && step.placement->size_of(stretch.talk->group) > 1)
            step.schedules->of(*stretch.talk);
          has_ring = has_ring || stretch.ring_steps > 0;
        }
      }
      for (const GradientTalk& talk : gradients_of(step, cost)) {
        step.schedules->of(talk.reduce);
        if (talk.gather) step.schedules->of(*talk.gather);
      }
    }
  }
  Problem all = without_delays(*step.problem);
  const auto add = [&](const StepSchedules::Chosen& chosen) {
    Program program;
    program.schedule = &chosen.schedule;
    program.groups = &chosen.groups;
    all.programs.push_back(program);
  };
  for (const auto& [talk, chosen] : step.schedules->all()) add(chosen);
  // Ring attention passes on along cp, as a ring does; so do sends from stage to stage, of all ranks alike.
  std::vector<StepSchedules::Chosen> rings;
  if (has_ring) {
    const RankGroups groups = step.placement->groups_of_all_stages(StepGroup::cp);
    rings.push_back(
        {groups, always("ring")({StepGroup::cp, Collective::all_gather, Bytes{1 << 20}}, groups)});
  }
  if (all.programs.empty() && rings.empty()) {
    rings.push_back({step.placement->groups_of_all_stages(StepGroup::tp), {}});
    rings.back().schedule.ranks = rings.back().groups.size();
  }
  for (const StepSchedules::Chosen& ring : rings) add(ring);
  return foldable_digits(all) & step.placement->without_stages();
}

std::uint64_t messages_of(const TrainingStep& step, DigitMask folded) {
  const PipelineOrder& order = *step.order;
  std::map<StepTalk, std::uint64_t> of_talk;  // of the groups of one stage
  const auto messages = [&](const StepTalk& talk) {
    if (step.placement->size_of(talk.group) == 1) return std::uint64_t{0};
    const auto [at, fresh] = of_talk.try_emplace(talk, 0);
    if (fresh) {
      const StepSchedules::Chosen& chosen = step.schedules->of(talk);
      Problem alone = without_delays(*step.problem);
      alone.programs.resize(1);
      alone.programs[0].schedule = &chosen.schedule;
      alone.programs[0].groups = &chosen.groups;
      at->second = ceil_div64(expansion_size(alone, folded).messages, order.stages);
    }
    return at->second;
  };
  const std::uint64_t ranks =
      ceil_div64(step.placement->ranks() / chip_classes(*step.problem->topology, folded).orbit, order.stages);
  std::uint64_t sum = 0;
  for (std::uint32_t stage = 0; stage < order.stages; ++stage) {
    std::map<std::pair<Pass::Kind, std::uint32_t>, std::uint64_t> count;
    for (const Pass& pass : order.passes[stage]) ++count[{pass.kind, pass.chunk}];
    for (const auto& [which, passes] : count) {
      const ChunkCost& cost = cost_at(step, {stage, which.second});
      std::uint64_t of_pass = 2 * ranks;
      for (const StepStretch& stretch : stretches_of(which.first, cost, *step.parallel)) {
        of_pass += ranks * (1 + stretch.ring_steps);
        if (stretch.talk) of_pass += messages(*stretch.talk);
      }
      sum += of_pass * passes;
    }
    for (std::uint32_t chunk = 0; chunk < order.chunks; ++chunk) {
      for (const GradientTalk& talk : gradients_of(step, cost_at(step, {stage, chunk}))) {
        const std::uint64_t times = step.parallel->zero >= 2 ? order.micro_batches : 1;
        sum += messages(talk.reduce) * talk.buckets * times;
        if (talk.gather) sum += messages(*talk.gather) * (step.parallel->zero == 3 ? 2 * times : 1);
      }
    }
  }
  return sum;
}

StepProgram step_program(const TrainingStep& step, DigitMask folded, const StepBlocks* blocks) {
  const std::uint64_t messages = blocks == nullptr ? messages_of(step, folded) : 0;
  if (2 * messages > most_step_ops) {
    throw InfeasibleError(fmt::format(
        "the step is some {} messages on the {} kinds of ranks that are told apart, and {} are the limit; "
        "what "
        "can be answered is a split whose groups follow the network's dimensions, so that like ranks are run "
        "once, fewer micro-batches, or fewer ranks",
        messages, step.placement->ranks() / chip_classes(*step.problem->topology, folded).orbit,
        most_step_ops / 2));
  }
  return StepBuilder(step, folded, blocks).build();
}

}  // namespace tahoma
