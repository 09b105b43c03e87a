// What a pass says between its stretches of computing.
#include <algorithm>

#include "collectives/program/add_schedule.h"
#include "core/errors.h"
#include "scenarios/training/step_builder.h"

namespace tahoma {

namespace {

constexpr std::uint32_t ring_channel = 2;  // 0 and 1 are the pipeline's, forward and backward

StepShare share_of(StepGroup group) {
  switch (group) {
    case StepGroup::tp:
      return StepShare::tp;
    case StepGroup::cp:
      return StepShare::cp;
    case StepGroup::ep:
      return StepShare::ep;
    default:
      return StepShare::dp;
  }
}

}  // namespace

StepBuilder::Ops StepBuilder::add_stretch(std::uint32_t stage, const StepStretch& stretch, const Ops& from,
                                          bool shared) {
  const StepShare share = stretch.again ? StepShare::recompute : StepShare::compute;
  if (stretch.ring_steps > 0) return add_ring(stage, stretch, from, shared);
  if (!stretch.talk || placement_.size_of(stretch.talk->group) == 1)
    return compute(stage, stretch.computes, from, share, shared);
  const Ops heard = add_talk(stage, *stretch.talk, from, share_of(stretch.talk->group));
  if (!stretch.overlapped) return compute(stage, stretch.computes, heard, share, shared);
  const Ops computed = compute(stage, stretch.computes, from, share, shared);
  return join(stage, {&heard, &computed});
}

// Part k is computed while what part k + 1 needs is passed on.
StepBuilder::Ops StepBuilder::add_ring(std::uint32_t stage, const StepStretch& stretch, const Ops& from,
                                       bool shared) {
  const Stage& s = stages_[stage];
  const std::int64_t parts = stretch.ring_steps + 1, whole = stretch.computes.ps;
  Ops at = from, heard = from;
  for (std::int64_t part = 0; part < parts; ++part) {
    Ops sent, received(s.ranks.size(), RankProgram::none);
    const bool last = part + 1 == parts;
    for (std::size_t i = 0; i < s.ranks.size() && !last; ++i) {
      const std::uint32_t rank = s.ranks[i];
      const ChipId next = placement_.along(StepGroup::cp, out_.chips[rank], 1);
      const std::uint32_t needs[] = {heard[i]};
      const std::uint32_t send = message(rank, next, stretch.ring_bytes, ring_channel, needs);
      sent.push_back(send);
      received[place_of_rank_[out_.program.ops[send].peer]] = send + 1;
    }
    const Duration lasts{whole * (part + 1) / parts - whole * part / parts};
    Ops computed = compute(stage, lasts, at, StepShare::compute, shared);
    if (last) return computed;
    for (std::size_t i = 0; i < s.ranks.size(); ++i) {
      out_.talks.push_back({StepShare::cp, s.ranks[i], heard[i], received[i]});
      out_.talks.push_back({StepShare::cp, s.ranks[i], heard[i], sent[i]});
    }
    heard = join(stage, {&received, &sent});
    at = join(stage, {&computed, &heard});
  }
  return at;
}

StepBuilder::Ops StepBuilder::add_talk(std::uint32_t stage, const StepTalk& talk, const Ops& from,
                                       StepShare share) {
  const Stage& s = stages_[stage];
  const Known& known = instance_of(stage, talk);
  if (known.block_kind && blocks_->listed.count({stage, origin_.step}) == 0)
    return add_block(stage, known, from, share);
  Ops entry;
  for (const std::uint32_t rank : known.ranks) {
    RankProgram::Op launch;
    launch.amount = static_cast<std::uint64_t>(step_.launch.ps);
    const std::uint32_t needs[] = {from[place_of_rank_[rank]]};
    entry.push_back(step_.launch.ps > 0 ? add(launch, rank, needs) : needs[0]);
  }
  const AdoptedPaths paths{out_.network.of_op, known.first_path};
  const Ops exits = add_schedule(out_.program, known.instance, known.ranks, entry, origin_, &paths);
  Ops done(s.ranks.size(), RankProgram::none);
  for (std::size_t node = 0; node < exits.size(); ++node) {
    done[place_of_rank_[known.ranks[node]]] = exits[node];
    out_.talks.push_back({share, known.ranks[node], from[place_of_rank_[known.ranks[node]]], exits[node]});
  }
  TAHOMA_ASSERT(std::find(done.begin(), done.end(), RankProgram::none) == done.end(),
                "a rank that does not talk");
  return done;
}

StepBuilder::Ops StepBuilder::add_block(std::uint32_t stage, const Known& known, const Ops& from,
                                        StepShare share) {
  const StepProgram::BlockKind& kind = out_.block_kinds[*known.block_kind];
  Ops done(stages_[stage].ranks.size(), RankProgram::none);
  for (std::uint32_t member = 0; member < known.ranks.size(); ++member) {
    const std::uint32_t rank = known.ranks[member], place = place_of_rank_[rank];
    RankProgram::Op op;
    op.amount = static_cast<std::uint64_t>(kind.lasts[member].ps);
    const std::uint32_t needs[] = {from[place]};
    done[place] = add(op, rank, needs);
    out_.talks.push_back({share, rank, from[place], done[place]});
    out_.blocks.push_back({done[place], *known.block_kind, member, stage, origin_.step});
  }
  return done;
}

void StepBuilder::add_lane_talk(std::uint32_t stage, const StepTalk& talk, const Ops& ready) {
  Stage& s = stages_[stage];
  const Ops entry = join(stage, {&ready, &s.lane});
  s.lane = add_talk(stage, talk, entry, StepShare::dp);
}

const StepBuilder::Known& StepBuilder::instance_of(std::uint32_t stage, const StepTalk& talk) {
  const auto [at, fresh] = instances_.try_emplace({stage, talk});
  Known& known = at->second;
  if (!fresh) return known;
  const RankGroups groups = placement_.groups(talk.group, stage);
  Problem alone = bare_;
  Program program;
  program.schedule = &step_.schedules->of(talk).schedule;
  program.groups = &groups;
  alone.programs = {program};
  known.instance = expand(alone, folded_);
  for (const Instance::Node& node : known.instance.nodes) known.ranks.push_back(node.chip_class);
  known.first_path = paths_.adopt(known.instance);
  if (blocks_ == nullptr) return known;
  auto kind = block_kind_of(known.instance, bare_, out_.network.instance, known.first_path, step_.launch);
  if (kind) {
    known.block_kind = static_cast<std::uint32_t>(out_.block_kinds.size());
    out_.block_kinds.push_back(std::move(*kind));
  }
  return known;
}

}  // namespace tahoma
