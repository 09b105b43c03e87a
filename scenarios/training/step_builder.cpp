#include "scenarios/training/step_builder.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/errors.h"

namespace tahoma {

namespace {

bool goes_forward(Pass::Kind kind) {
  return kind == Pass::Kind::forward;
}
bool makes_gradient(Pass::Kind kind) {
  return kind == Pass::Kind::backward || kind == Pass::Kind::weight_gradient;
}

[[noreturn]] void refuse_size(std::uint64_t operations) {
  throw InfeasibleError(
      fmt::format("the step is more than {} operations, though like ranks are run once; what can be answered "
                  "is a split whose "
                  "groups follow the network's dimensions, fewer micro-batches, or fewer ranks",
                  operations));
}

// Once per step and chunk with zero 1 and 2; with zero 3 before every pass.
bool gathers_once(const TrainingStep& step) {
  return step.parallel->zero == 1 || step.parallel->zero == 2;
}

}  // namespace

StepBuilder::StepBuilder(const TrainingStep& step, DigitMask folded, const StepBlocks* blocks)
    : step_(step),
      order_(*step.order),
      placement_(*step.placement),
      folded_(folded),
      blocks_(blocks),
      bare_(without_delays(*step.problem)),
      paths_(bare_, folded, out_.network.instance) {
  TAHOMA_ASSERT(order_.stages == placement_.stages(), "an order for other stages");
  Instance& instance = out_.network.instance;
  instance.classes = chip_classes(*step.problem->topology, folded);
  out_.orbit = instance.classes.orbit;
  out_.program.ranks = out_.program.servers = instance.classes.count;
  out_.program.lane_word = "stage";
  paths_.begin_program(out_.program.ranks);
  stages_.resize(order_.stages);
  place_of_rank_.assign(out_.program.ranks, RankProgram::none);
  for (std::uint32_t rank = 0; rank < out_.program.ranks; ++rank) {
    const ChipId chip = instance.classes.chip(rank);
    out_.chips.push_back(chip);
    if (chip >= placement_.ranks()) continue;
    Stage& stage = stages_[placement_.stage_of(chip)];
    place_of_rank_[rank] = static_cast<std::uint32_t>(stage.ranks.size());
    stage.ranks.push_back(rank);
  }
}

// Stages take turns: each goes on until a pass needs what another stage has not listed yet.
StepProgram StepBuilder::build() {
  for (std::uint32_t stage = 0; stage < order_.stages; ++stage) begin_stage(stage);
  for (bool again = true; again;) {
    again = false;
    for (std::uint32_t stage = 0; stage < order_.stages; ++stage) {
      Stage& s = stages_[stage];
      const std::vector<Pass>& passes = order_.passes[stage];
      for (; s.next_pass < passes.size() && has_input(stage, passes[s.next_pass]); ++s.next_pass) {
        add_pass(stage, passes[s.next_pass]);
        again = true;
      }
    }
  }
  for (std::uint32_t stage = 0; stage < order_.stages; ++stage) {
    TAHOMA_ASSERT(stages_[stage].next_pass == order_.passes[stage].size(), "a pipeline waits for itself");
    end_stage(stage);
  }
  out_.network.of_op.resize(out_.program.ops.size());
  return std::move(out_);
}

void StepBuilder::begin_stage(std::uint32_t stage) {
  Stage& s = stages_[stage];
  origin_ = {stage, 0, 0};
  for (const std::uint32_t rank : s.ranks) {
    RankProgram::Op op;
    for (const ChipDelay& delay : step_.problem->delays) {
      if (delay.chip == out_.chips[rank]) op.amount = static_cast<std::uint64_t>(delay.delay.ps);
    }
    s.done.push_back(add(op, rank, {}));
  }
  s.lane = s.entered = s.done;
  for (Ops& sent : s.sent) sent.assign(s.ranks.size(), RankProgram::none);
  s.gathered.resize(order_.chunks);
  s.last_gradient.assign(order_.chunks, 0);
  const std::vector<Pass>& passes = order_.passes[stage];
  for (std::size_t i = 0; i < passes.size(); ++i) {
    if (makes_gradient(passes[i].kind)) s.last_gradient[passes[i].chunk] = i;
  }
  if (!gathers_once(step_) || !step_.parallel->overlap_dp) return;
  const Ops start = s.done;
  for (std::uint32_t chunk = 0; chunk < order_.chunks; ++chunk) {
    for (const GradientTalk& talk : gradients_of(step_, cost_at(step_, {stage, chunk}))) {
      if (!talk.gather) continue;
      add_lane_talk(stage, *talk.gather, start);
      s.gathered[chunk] = s.lane;
    }
  }
}

bool StepBuilder::has_input(std::uint32_t stage, const Pass& pass) const {
  if (pass.kind == Pass::Kind::weight_gradient) return true;
  const PipelinePlace here{stage, pass.chunk};
  const bool forward = goes_forward(pass.kind);
  const auto from = forward ? order_.before(here) : order_.after(here);
  if (!from || from->stage == stage) return true;  // from an earlier pass of the same list
  const Pass::Kind kind = forward ? Pass::Kind::forward : Pass::Kind::backward;
  return inputs_.count({kind, here, pass.micro_batch}) != 0;
}

// All that the pass waits for: those before it, what comes from other stages, and its parameters.
StepBuilder::Ops StepBuilder::entry_of(std::uint32_t stage, const Pass& pass, const Ops& base) {
  Stage& s = stages_[stage];
  if (pass.kind == Pass::Kind::weight_gradient) return base;
  const PipelinePlace here{stage, pass.chunk};
  if (step_.parallel->zero == 3) {
    const Ops ahead = step_.parallel->overlap_dp ? s.entered : base;
    for (const GradientTalk& talk : gradients_of(step_, cost_at(step_, here))) {
      if (talk.gather) add_lane_talk(stage, *talk.gather, ahead);
      s.gathered[pass.chunk] = s.lane;
    }
  }
  const Pass::Kind kind = goes_forward(pass.kind) ? Pass::Kind::forward : Pass::Kind::backward;
  const auto input = inputs_.find({kind, here, pass.micro_batch});
  const Ops& gathered = s.gathered[pass.chunk];
  Ops entry = join(stage, {&base, input == inputs_.end() ? nullptr : &input->second,
                           gathered.empty() ? nullptr : &gathered});
  s.gathered[pass.chunk].clear();
  return entry;
}

void StepBuilder::add_pass(std::uint32_t stage, const Pass& pass) {
  Stage& s = stages_[stage];
  const ChunkCost& cost = cost_at(step_, {stage, pass.chunk});
  origin_ = {stage, static_cast<std::uint32_t>(s.next_pass), 0};
  const bool is_second = s.open, shared = is_second || pass.with_next;
  const Ops base = is_second ? s.base : s.done;
  Ops at = entry_of(stage, pass, base);
  const Ops entered = at;
  std::vector<StepStretch> stretches = stretches_of(pass.kind, cost, *step_.parallel);
  const bool gradient = completes_gradient(stage, pass) && step_.parallel->overlap_dp;
  if (gradient) stretches = cut_further(std::move(stretches), most_buckets);
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    at = add_stretch(stage, stretches[i], at, shared);
    if (gradient) reduce_gradients(stage, cost, i, stretches.size(), at);
  }
  send_on(stage, pass, at);
  s.entered = entered;
  if (is_second) at = join(stage, {&at, &s.done});
  s.done = at;
  s.open = pass.with_next;
  if (pass.with_next) s.base = base;
  if (step_.parallel->zero >= 2 && !step_.parallel->overlap_dp && completes_gradient(stage, pass)) {
    reduce_gradients(stage, cost, 0, 1, s.done);
    s.done = join(stage, {&s.done, &s.lane});
  }
}

bool StepBuilder::completes_gradient(std::uint32_t stage, const Pass& pass) const {
  const Stage& s = stages_[stage];
  return makes_gradient(pass.kind) &&
         (step_.parallel->zero >= 2 || s.last_gradient[pass.chunk] == s.next_pass);
}

// The buckets whose layers are done after this stretch of so many.
void StepBuilder::reduce_gradients(std::uint32_t stage, const ChunkCost& cost, std::size_t stretch,
                                   std::size_t stretches, const Ops& ready) {
  for (const GradientTalk& talk : gradients_of(step_, cost)) {
    for (std::size_t b = 0; b < talk.buckets; ++b) {
      if ((stretches * (b + 1) + talk.buckets - 1) / talk.buckets == stretch + 1)
        add_lane_talk(stage, talk.reduce, ready);
    }
  }
}

void StepBuilder::end_stage(std::uint32_t stage) {
  Stage& s = stages_[stage];
  const auto each_chunk = [&](auto&& act) {
    for (std::uint32_t chunk = 0; chunk < order_.chunks; ++chunk) act(cost_at(step_, {stage, chunk}));
  };
  if (!step_.parallel->overlap_dp && step_.parallel->zero < 2)
    each_chunk([&](const ChunkCost& cost) { reduce_gradients(stage, cost, 0, 1, s.done); });
  Ops at = join(stage, {&s.done, &s.lane});
  at = compute(stage, step_.cost->stages[stage].optimiser, at, StepShare::optimiser, false);
  if (!step_.parallel->overlap_dp && gathers_once(step_)) {
    each_chunk([&](const ChunkCost& cost) {
      for (const GradientTalk& talk : gradients_of(step_, cost)) {
        if (talk.gather) add_lane_talk(stage, *talk.gather, at);
      }
    });
    at = join(stage, {&at, &s.lane});
  }
  compute(stage, step_.cost->step_overhead, at, StepShare::host, false);
}

void StepBuilder::send_on(std::uint32_t stage, const Pass& pass, const Ops& from) {
  if (pass.kind == Pass::Kind::weight_gradient) return;
  Stage& s = stages_[stage];
  const PipelinePlace here{stage, pass.chunk};
  const bool forward = goes_forward(pass.kind);
  const auto to = forward ? order_.after(here) : order_.before(here);
  if (!to || to->stage == stage) return;
  const ChunkCost& cost = cost_at(step_, here);
  Ops& sent = s.sent[forward ? 0 : 1];
  Ops received(stages_[to->stage].ranks.size(), RankProgram::none);
  for (std::size_t i = 0; i < s.ranks.size(); ++i) {
    const ChipId next = placement_.at_stage(out_.chips[s.ranks[i]], to->stage);
    std::vector<std::uint32_t> needs{from[i]};
    if (sent[i] != RankProgram::none) needs.push_back(sent[i]);
    sent[i] =
        message(s.ranks[i], next, forward ? cost.send_forward : cost.send_backward, forward ? 0 : 1, needs);
    const std::uint32_t receive = sent[i] + 1;
    received[place_of_rank_[out_.program.ops[receive].rank]] = receive;
    out_.pipe_receives.push_back(receive);
  }
  inputs_[{forward ? Pass::Kind::forward : Pass::Kind::backward, *to, pass.micro_batch}] =
      std::move(received);
}

StepBuilder::Ops StepBuilder::compute(std::uint32_t stage, Duration lasts, const Ops& from, StepShare share,
                                      bool shared) {
  if (lasts.ps == 0) return from;
  const Stage& s = stages_[stage];
  Ops done;
  for (std::size_t i = 0; i < s.ranks.size(); ++i) {
    RankProgram::Op op;
    op.amount = static_cast<std::uint64_t>(lasts.ps);
    if (shared) op.server = s.ranks[i];
    const std::uint32_t needs[] = {from[i]};
    done.push_back(add(op, s.ranks[i], needs));
    out_.works.push_back({share, done.back()});
  }
  return done;
}

StepBuilder::Ops StepBuilder::join(std::uint32_t stage, std::initializer_list<const Ops*> all) {
  const Stage& s = stages_[stage];
  Ops joined;
  std::vector<std::uint32_t> needs;
  for (std::size_t i = 0; i < s.ranks.size(); ++i) {
    needs.clear();
    for (const Ops* ops : all) {
      if (ops != nullptr && std::find(needs.begin(), needs.end(), (*ops)[i]) == needs.end())
        needs.push_back((*ops)[i]);
    }
    joined.push_back(needs.size() == 1 ? needs[0] : add({}, s.ranks[i], needs));
  }
  return joined;
}

std::uint32_t StepBuilder::add(RankProgram::Op op, std::uint32_t rank, std::span<const std::uint32_t> needs) {
  op.rank = rank;
  if (out_.program.ops.size() >= most_step_ops) refuse_size(out_.program.ops.size());
  return out_.program.add(op, origin_, needs);
}

std::uint32_t StepBuilder::message(std::uint32_t rank, ChipId to, Bytes bytes, std::uint32_t channel,
                                   std::span<const std::uint32_t> needs) {
  RankProgram::Op op;
  op.kind = RankProgram::Kind::send;
  op.peer = out_.network.instance.classes.of(to);
  op.channel = channel;
  op.amount = bytes.count;
  op.partner = static_cast<std::uint32_t>(out_.program.ops.size()) + 1;
  const std::uint32_t send = add(op, rank, needs);
  const PathExpansion::Found way =
      paths_.path_of(rank, {out_.chips[rank], to, channel, Op::copy, Leg::whole, false});
  out_.network.of_op.resize(send + 1);
  out_.network.of_op[send] = {way.path, way.ways};
  const std::uint32_t receiver = op.peer;
  op.kind = RankProgram::Kind::receive;
  op.peer = rank;
  op.partner = send;
  add(op, receiver, {});
  return send;
}

}  // namespace tahoma
