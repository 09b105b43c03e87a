#include "scenarios/training/step_estimate.h"

#include <algorithm>

namespace tahoma {

namespace {

struct StageTime {
  Duration compute, recompute, forward, backward;
  StageTraffic traffic;
  Duration total() const { return compute + recompute + traffic.tp + traffic.cp + traffic.ep + traffic.pp; }
};

Duration part(Duration whole, std::uint64_t numerator, std::uint64_t denominator) {
  return {static_cast<std::int64_t>(static_cast<u128>(whole.ps) * numerator / denominator)};
}

Duration beyond(Duration time, Duration hidden) {
  return time > hidden ? time - hidden : Duration{};
}

/// What is left of communication beside a computation: what is longer than that, or the one of `parts` pieces
/// that has nothing beside it.
Duration exposed(Duration time, Duration beside, std::uint64_t parts) {
  return std::max(beyond(time, beside), part(time, 1, parts));
}

Duration listed_time(const std::vector<AxisCollective>& list, ParallelAxis axis, const GroupRate& group,
                     const TrainingNetwork& network) {
  Duration time;
  for (const AxisCollective& one : list) {
    if (one.axis == axis) time += collective_time(network, group, one.collective, one.bytes) * one.count;
  }
  return time;
}

/// Of an attention that goes round a ring, a step is hidden behind the block that is computed meanwhile.
Duration ring_time(const RingSteps& ring, const GroupRate& group, const TrainingNetwork& network,
                   Duration beside) {
  if (ring.steps == 0 || ring.layers == 0) return {};
  const Duration all = hand_over_time(network, group, ring.bytes) * ring.steps * ring.layers;
  return beyond(all, beside);
}

/// How much of filling and draining a schedule leaves idle.
struct Idle {
  std::uint64_t numerator, denominator;
};
Idle idle_of(const Parallel& p) {
  using enum PipelineSchedule;
  switch (p.schedule) {
    case interleaved:
      return {1, p.vp};
    case zb_1p:
      return {1, 3};
    case zb_2p:
    case zb_v:
      return {0, 1};
    case v_half:
      return {1, 2};
    case v_min:
      return {2, 3};
    case dualpipe:
      // (p/2 - 1)(F&B + B - 3 W) against (p - 1)(F + B): with F = W and B = 2 F about a third of a half.
      return {p.pp / 2 - 1, 3 * (std::uint64_t{p.pp} - 1)};
    case gpipe:
    case one_f_one_b:
      break;
  }
  return {1, 1};
}

Duration whole_zero3(const StageCost& stage, const Parallel& p, const TrainingNetwork& network,
                     std::uint64_t micro_batches) {
  const GroupRate dense = group_rate(network, dense_group(p)),
                  experts = group_rate(network, expert_copies(p));
  Duration once;
  for (const ChunkCost& chunk : stage.chunks) {
    once += collective_time(network, dense, Collective::all_gather, chunk.parameter) * 2 +
            collective_time(network, dense, Collective::reduce_scatter, chunk.parameter) +
            collective_time(network, experts, Collective::all_gather, chunk.expert_parameter) * 2 +
            collective_time(network, experts, Collective::reduce_scatter, chunk.expert_parameter);
  }
  return once * static_cast<std::int64_t>(micro_batches);
}

/// Gradients and parameters of a step.
Duration exposed_dp(const StageCost& stage, const StageTime& time, const Parallel& p,
                    const TrainingNetwork& network) {
  const std::uint64_t m = p.micro_batches();
  std::uint64_t layers = 0;
  for (const ChunkCost& chunk : stage.chunks) layers += chunk.layers.count();
  const std::uint64_t buckets = std::max<std::uint64_t>(1, layers);
  if (p.zero >= 3) {
    const Duration all = whole_zero3(stage, p, network, m);
    if (!p.overlap_dp) return all;
    const Duration beside = (time.compute + time.recompute) * static_cast<std::int64_t>(m);
    return exposed(all, beside, buckets * m);
  }
  const GroupRate dense = group_rate(network, dense_group(p)),
                  experts = group_rate(network, expert_copies(p));
  Duration reduce, gather;
  for (const ChunkCost& chunk : stage.chunks) {
    if (p.zero == 0) {
      reduce += collective_time(network, dense, Collective::all_reduce, chunk.gradient) +
                collective_time(network, experts, Collective::all_reduce, chunk.expert_gradient);
      continue;
    }
    reduce += collective_time(network, dense, Collective::reduce_scatter, chunk.gradient) +
              collective_time(network, experts, Collective::reduce_scatter, chunk.expert_gradient);
    gather += collective_time(network, dense, Collective::all_gather, chunk.parameter) +
              collective_time(network, experts, Collective::all_gather, chunk.expert_parameter);
  }
  if (!p.overlap_dp) return reduce + gather;
  // Under the last backward pass and the next forward pass; the last bucket has nothing beside it.
  return exposed(reduce, time.backward, buckets) + exposed(gather, time.forward, buckets);
}

StageTime stage_time(const StageCost& stage, const Parallel& p, const TrainingNetwork& network) {
  StageTime time;
  for (const ChunkCost& chunk : stage.chunks) {
    time.forward += chunk.forward;
    time.backward += chunk.backward_input + chunk.backward_weight;
    time.recompute += chunk.recompute;
  }
  time.compute = time.forward + time.backward;
  time.traffic = stage_traffic(stage, p, network);
  return time;
}

}  // namespace

StageTraffic stage_traffic(const StageCost& stage, const Parallel& p, const TrainingNetwork& network) {
  const GroupRate tp = group_rate(network, group_of(p, ParallelAxis::tp)),
                  cp = group_rate(network, group_of(p, ParallelAxis::cp)),
                  ep = group_rate(network, group_of(p, ParallelAxis::ep)),
                  pp = group_rate(network, group_of(p, ParallelAxis::pp));
  StageTraffic traffic;
  for (const ChunkCost& chunk : stage.chunks) {
    for (const auto* list :
         {&chunk.forward_collectives, &chunk.recompute_collectives, &chunk.backward_collectives}) {
      traffic.tp += listed_time(*list, ParallelAxis::tp, tp, network);
      traffic.ep += listed_time(*list, ParallelAxis::ep, ep, network);
    }
    // Attention is about a third of a layer's forward time where a ring is worth it.
    traffic.cp += ring_time(chunk.forward_ring, cp, network, part(chunk.forward, 1, 3)) +
                  ring_time(chunk.backward_ring, cp, network, part(chunk.backward_input, 1, 3));
    const Duration handed =
        hand_over_time(network, pp, chunk.send_forward) + hand_over_time(network, pp, chunk.send_backward);
    if (p.schedule == PipelineSchedule::one_f_one_b || p.schedule == PipelineSchedule::gpipe)
      traffic.pp += handed;
  }
  Duration beside;
  for (const ChunkCost& chunk : stage.chunks)
    beside += chunk.forward + chunk.recompute + chunk.backward_input + chunk.backward_weight;
  if (p.overlap_tp) traffic.tp = exposed(traffic.tp, beside, p.tp);
  if (p.overlap_ep) traffic.ep = exposed(traffic.ep, beside, 8);
  return traffic;
}

StepBreakdown estimate_step(const TrainingCost& cost, const Parallel& p, const TrainingNetwork& network) {
  StepBreakdown step;
  Duration sum, slowest;
  StageTime beat;
  for (const StageCost& stage : cost.stages) {
    const StageTime time = stage_time(stage, p, network);
    sum += time.total();
    if (time.total() > slowest) {
      slowest = time.total();
      beat = time;
    }
    step.dp = std::max(step.dp, exposed_dp(stage, time, p, network));
    step.optimiser = std::max(step.optimiser, stage.optimiser);
  }
  const auto m = static_cast<std::int64_t>(p.micro_batches());
  step.compute = beat.compute * m;
  step.recompute = beat.recompute * m;
  step.tp = beat.traffic.tp * m;
  step.cp = beat.traffic.cp * m;
  step.ep = beat.traffic.ep * m;
  step.pp = beat.traffic.pp * m;
  const Idle idle = idle_of(p);
  step.bubble = part(sum - slowest, idle.numerator, idle.denominator);
  step.overhead = cost.step_overhead;
  return step;
}

}  // namespace tahoma
