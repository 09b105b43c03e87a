// Pipeline schedules on a network that costs nothing, with equal stages: the bubble is arithmetic.
//
// p stages, m micro-batches, and per stage a forward of F, an input gradient of B and a weight gradient of W.
// A stage's work is m (F + B + W). What it waits beside that:
//
//   gpipe, 1F1B      (p - 1) (F + B + W)           the whole pipeline fills and drains once
//   interleaved      (p - 1) (F + B + W) / v       of chunks that are v times shorter
//   zb_1p            (p - 1) (F + B - W)           with F = B = W a third of 1F1B's
//   zb_2p, zb_v      0                             from a stage's first pass to its last, with F = B = W
//   dualpipe         (p/2 - 1) (F + B - W)         with F = B = W; the published bound, which lets no forward
//                                                  begin before the backward it overlaps with is done, is
//                                                  (p/2 - 1) (F&B + B' - 3 W), with B' = B + W
#include <catch2/catch.hpp>
#include <set>

#include "collectives/program/run_program.h"
#include "core/errors.h"
#include "scenarios/training/step_program.h"
#include "scenarios/training/step_times.h"
#include "tests/support/hand_network.h"

using namespace tahoma;
using namespace tahoma::literals;

namespace {

constexpr Duration pass_forward = 1_us;

struct PassTimes {
  Duration forward = pass_forward, input = pass_forward, weight = pass_forward;
};

// Equal parts; a stage's `chunks` share its time.
TrainingCost equal_cost(std::uint32_t stages, std::uint32_t parts, const PassTimes& times) {
  TrainingCost cost;
  const std::int64_t share = parts / stages;
  cost.stages.resize(stages);
  for (std::uint32_t part = 0; part < parts; ++part) {
    ChunkCost chunk;
    chunk.chunk = part;
    chunk.layers = {part, part + 1};
    chunk.forward = {times.forward.ps / share};
    chunk.backward_input = {times.input.ps / share};
    chunk.backward_weight = {times.weight.ps / share};
    cost.stages[part % stages].chunks.push_back(chunk);
  }
  return cost;
}

struct FreeRun {
  std::vector<Duration> spans;  // by stage, from its first pass to its last
  std::vector<StepBreakdown> breakdowns;
  Duration work, step;
};

FreeRun run_free(PipelineSchedule schedule, std::uint32_t p, std::uint32_t v, std::uint32_t m,
                 const PassTimes& times = {}) {
  judge::HandNetwork network(p);
  const LinkId link = network.add_link(1_GBps);
  for (std::uint32_t a = 0; a < p; ++a) {
    for (std::uint32_t b = 0; b < p; ++b) {
      if (a != b) network.add_route(a, b, {link});
    }
  }
  Parallel parallel;
  parallel.pp = p;
  parallel.vp = v;
  parallel.schedule = schedule;
  parallel.global_batch = m;
  const PipelineOrder order = pipeline_order(schedule, p, v, m);
  const TrainingCost cost = equal_cost(p, order.parts(), times);
  const StepPlacement placement(network, parallel);
  StepSchedules schedules(placement, always("ring"));
  Problem problem;
  problem.topology = &network;
  const StepProgram step = step_program({&parallel, &cost, &order, &placement, &schedules, &problem}, 0);
  const ProgramRun run = run_program(step.program, problem, step.chips, {}, step.network);
  FreeRun result;
  result.breakdowns = breakdowns_of(step, run);
  for (std::uint32_t stage = 0; stage < p; ++stage) {
    Time first = Time::never(), last{};
    for (const StepProgram::Work& work : step.works) {
      if (step.program.ops[work.op].rank != stage) continue;
      first = std::min(first, run.begun[work.op]);
      last = std::max(last, run.done[work.op]);
    }
    result.spans.push_back(last - first);
    result.step = std::max(result.step, last - Time{});
  }
  result.work = (times.forward + times.input + times.weight) * m;
  return result;
}

std::string told(PipelineSchedule schedule, std::uint32_t p, std::uint32_t v, std::uint64_t m) {
  try {
    pipeline_order(schedule, p, v, m);
  } catch (const InfeasibleError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("the bubble of a pipeline on a free network is that of its published formula") {
  const PassTimes times{3_us, 4_us, 2_us};
  const Duration all = 9_us;
  for (const std::uint32_t p : {4u, 8u}) {
    for (const std::uint32_t m : {8u, 32u}) {
      CAPTURE(p, m);
      const std::int64_t fill = p - 1;
      for (const PipelineSchedule schedule : {PipelineSchedule::gpipe, PipelineSchedule::one_f_one_b}) {
        const FreeRun run = run_free(schedule, p, 1, m, times);
        CHECK(run.step - run.work == all * fill);
        // On every stage alike: the rest of its time is the bubble.
        for (const StepBreakdown& part : run.breakdowns) CHECK(part.bubble == all * fill);
      }
      for (const std::uint32_t v : {2u, 4u}) {
        const PassTimes long_times{8_us, 12_us, 4_us};
        const FreeRun run = run_free(PipelineSchedule::interleaved, p, v, m, long_times);
        CHECK(run.step - run.work == Duration{(24_us).ps / v} * fill);
      }
      // Equal thirds, and unequal ones.
      CHECK(run_free(PipelineSchedule::zb_1p, p, 1, m).step == 3_us * m + 1_us * fill);
      const FreeRun zero_bubble = run_free(PipelineSchedule::zb_1p, p, 1, m, times);
      CHECK(zero_bubble.step - zero_bubble.work == (3_us + 4_us - 2_us) * fill);
    }
  }
}

TEST_CASE("zero bubble pipelines of twice the activations or two chunks never wait once they have begun") {
  for (const std::uint32_t p : {2u, 4u, 8u}) {
    for (const std::uint32_t m : {2 * p, 32u}) {
      CAPTURE(p, m);
      for (const Duration span : run_free(PipelineSchedule::zb_2p, p, 1, m).spans) CHECK(span == 3_us * m);
      const PassTimes even{2_us, 2_us, 2_us};  // 1 us per chunk
      for (const Duration span : run_free(PipelineSchedule::zb_v, p, 2, m, even).spans)
        CHECK(span == 6_us * m);
    }
  }
}

TEST_CASE("dualpipe fills from both ends and waits for half of the stages") {
  for (const std::uint32_t p : {2u, 4u, 8u}) {
    for (const std::uint32_t m : {2 * p, 32u}) {
      CAPTURE(p, m);
      const FreeRun run = run_free(PipelineSchedule::dualpipe, p, 1, m);
      // (p/2 - 1) (1 + 1 - 1) us; the published bound is (p/2 - 1) (3 + 2 - 3) us.
      CHECK(run.step - run.work == 1_us * (p / 2 - 1));
      for (const StepBreakdown& part : run.breakdowns) CHECK(part.compute == 3_us * m);
    }
  }
}

TEST_CASE("every stage does every pass of every micro-batch once") {
  struct Case {
    PipelineSchedule schedule;
    std::uint32_t v;
  };
  for (const Case& c : {Case{PipelineSchedule::gpipe, 1}, Case{PipelineSchedule::one_f_one_b, 1},
                        Case{PipelineSchedule::interleaved, 3}, Case{PipelineSchedule::zb_1p, 1},
                        Case{PipelineSchedule::zb_2p, 1}, Case{PipelineSchedule::zb_v, 2},
                        Case{PipelineSchedule::dualpipe, 1}}) {
    for (const std::uint32_t p : {2u, 4u, 6u}) {
      const std::uint32_t m = 2 * p;
      const PipelineOrder order = pipeline_order(c.schedule, p, c.v, m);
      CAPTURE(static_cast<int>(c.schedule), p);
      for (const std::vector<Pass>& passes : order.passes) {
        std::set<std::pair<std::uint32_t, std::uint32_t>> forward, backward, input, weight;
        for (const Pass& pass : passes) {
          auto& seen = pass.kind == Pass::Kind::forward          ? forward
                       : pass.kind == Pass::Kind::backward       ? backward
                       : pass.kind == Pass::Kind::input_gradient ? input
                                                                 : weight;
          CHECK(seen.insert({pass.chunk, pass.micro_batch}).second);
        }
        const std::size_t each =
            std::size_t{m} * (c.schedule == PipelineSchedule::dualpipe ? 1 : order.chunks);
        CHECK(forward.size() == each);
        CHECK(backward.size() + input.size() == each);
        CHECK(input == weight);
      }
    }
  }
}

TEST_CASE("a schedule that cannot be made is refused with its arithmetic and the nearest choice") {
  const std::string uneven = told(PipelineSchedule::interleaved, 4, 2, 10);
  CHECK(uneven.find("10 mod 4 = 2") != std::string::npos);
  CHECK(uneven.find("nearest: 8 or 12") != std::string::npos);
  CHECK(told(PipelineSchedule::interleaved, 4, 1, 8).find("nearest: vp 2") != std::string::npos);
  CHECK(told(PipelineSchedule::one_f_one_b, 4, 2, 8).find("nearest: vp 1, or interleaved") !=
        std::string::npos);
  CHECK(told(PipelineSchedule::zb_v, 4, 2, 6).find("2 x 4 = 8") != std::string::npos);
  CHECK(told(PipelineSchedule::dualpipe, 3, 1, 12).find("nearest: 2 or 4") != std::string::npos);
  CHECK(told(PipelineSchedule::dualpipe, 4, 1, 9).find("nearest: 10") != std::string::npos);
  CHECK(told(PipelineSchedule::v_half, 4, 2, 8).find("not built yet") != std::string::npos);
  CHECK(told(PipelineSchedule::one_f_one_b, 4, 1, 0).find("accepted: 1 to") != std::string::npos);
}
