#include "scenarios/training/step_blocks.h"

#include <algorithm>
#include <map>

#include "collectives/program/add_schedule.h"
#include "core/errors.h"

namespace tahoma {

namespace {

// How long after all have entered each member is done.
std::vector<Duration> lasts_alone(const Instance& instance, const Problem& problem) {
  RankProgram program;
  ProgramNetwork network;
  program.ranks = static_cast<std::uint32_t>(instance.nodes.size());
  std::vector<std::uint32_t> ranks, entry;
  std::vector<ChipId> chips;
  for (std::uint32_t rank = 0; rank < program.ranks; ++rank) {
    RankProgram::Op op;
    op.rank = rank;
    ranks.push_back(rank);
    entry.push_back(program.add(op, {}, {}));
    chips.push_back(instance.classes.chip(instance.nodes[rank].chip_class));
  }
  network.instance = instance;
  const AdoptedPaths paths{network.of_op, 0};
  const std::vector<std::uint32_t> exits = add_schedule(program, instance, ranks, entry, {}, &paths);
  network.of_op.resize(program.ops.size());
  const ProgramRun run = run_program(program, problem, chips, {}, network);
  std::vector<Duration> lasts;
  for (const std::uint32_t exit : exits) lasts.push_back(run.done[exit] - Time{});
  return lasts;
}

}  // namespace

std::optional<StepProgram::BlockKind> block_kind_of(const Instance& instance, const Problem& problem,
                                                    const Instance& paths, std::uint32_t first_path,
                                                    Duration launch) {
  StepProgram::BlockKind kind;
  kind.launch = launch;
  kind.links.resize(instance.nodes.size());
  std::map<std::uint32_t, std::uint64_t> carried;
  std::map<std::uint32_t, std::uint32_t> member_on;  // by binding link
  for (const Instance::Lane& lane : instance.lanes) {
    for (std::uint32_t k = 0; k < lane.sends; ++k) {
      const Instance::SendRow& row = instance.sends[lane.send(k)];
      const Instance::SendShape& shape = instance.shape(row);
      if (row.target != lane.node) return std::nullopt;
      for (std::uint32_t way = 0; way < shape.ways; ++way) {
        const std::uint64_t half = shape.bytes / 2;
        const std::uint64_t bytes = shape.reps * (shape.ways == 1 ? shape.bytes
                                                  : way == 0      ? shape.bytes - half
                                                                  : half);
        const Instance::Path& path = paths.paths[first_path + row.path + way];
        for (std::uint32_t i = path.first; i < path.first + path.count; ++i) {
          const std::uint32_t link = paths.path_links[i], binding = paths.links[link].binding;
          carried[link] += bytes * paths.path_multiplicity[i];
          if (binding == Instance::no_link) continue;
          if (member_on.try_emplace(binding, lane.node).first->second != lane.node) return std::nullopt;
        }
      }
    }
  }
  for (const auto& [link, member] : member_on) kind.links[member].push_back(link);
  kind.carried.assign(carried.begin(), carried.end());
  for (const Duration alone : lasts_alone(instance, problem)) kind.lasts.push_back(launch + alone);
  return kind;
}

namespace {

constexpr std::uint32_t no_block = ~0u;

struct OnLink {
  std::uint32_t link;
  Time from, until;
  std::uint32_t block;  // or a message
};

std::vector<OnLink> times_on_links(const StepProgram& step, const ProgramRun& run) {
  std::vector<OnLink> all;
  std::vector<bool> looked_at(step.network.instance.binding_capacity.size(), false);
  for (std::uint32_t b = 0; b < step.blocks.size(); ++b) {
    const StepProgram::Block& block = step.blocks[b];
    const StepProgram::BlockKind& kind = step.block_kinds[block.kind];
    for (const std::uint32_t link : kind.links[block.member]) {
      all.push_back({link, run.begun[block.op] + kind.launch, run.done[block.op], b});
      looked_at[link] = true;
    }
  }
  const Instance& in = step.network.instance;
  for (std::uint32_t op = 0; op < step.program.ops.size(); ++op) {
    const ProgramNetwork::Way way = step.network.of_op[op];
    for (std::uint32_t w = 0; w < way.ways; ++w) {
      const Instance::Path& path = in.paths[way.path + w];
      for (std::uint32_t c = path.first_crossing; c < path.first_crossing + path.crossings; ++c) {
        if (looked_at[in.crossing[c].link])
          all.push_back({in.crossing[c].link, run.begun[op], run.done[op], no_block});
      }
    }
  }
  std::sort(all.begin(), all.end(), [](const OnLink& a, const OnLink& b) {
    return a.link != b.link ? a.link < b.link : a.from < b.from;
  });
  return all;
}

}  // namespace

StepBlocks blocks_that_meet(const StepProgram& step, const ProgramRun& run) {
  StepBlocks met;
  const auto meets = [&](std::uint32_t block) {
    met.listed.insert({step.blocks[block].stage, step.blocks[block].pass});
  };
  std::vector<OnLink> under_way;  // pieces
  std::uint32_t link = ~0u;
  Time messages_until{};
  for (const OnLink& one : times_on_links(step, run)) {
    if (one.from == one.until) continue;
    if (one.link != link) {
      link = one.link;
      under_way.clear();
      messages_until = Time{};
    }
    std::erase_if(under_way, [&](const OnLink& piece) { return piece.until <= one.from; });
    for (const OnLink& piece : under_way) meets(piece.block);
    if (one.block == no_block) {
      messages_until = std::max(messages_until, one.until);
      continue;
    }
    if (!under_way.empty() || messages_until > one.from) meets(one.block);
    under_way.push_back(one);
  }
  return met;
}

void add_carried(const StepProgram& step, ProgramRun& run) {
  std::vector<std::uint64_t> times(step.block_kinds.size(), 0);
  for (const StepProgram::Block& block : step.blocks) times[block.kind] += block.member == 0 ? 1 : 0;
  std::map<LinkId, std::uint64_t> more;
  for (std::size_t k = 0; k < times.size(); ++k) {
    for (const auto& [link, bytes] : step.block_kinds[k].carried)
      more[step.network.instance.links[link].id] += bytes * times[k];
  }
  for (LinkUse& use : run.links) {
    const auto at = more.find(use.link);
    if (at != more.end()) use.bytes += at->second;
  }
}

}  // namespace tahoma
