#include "collectives/importers/msccl_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "collectives/importers/msccl_memory.h"
#include "collectives/importers/msccl_outcome.h"
#include "core/errors.h"

namespace tahoma {

namespace {

using Kind = RankProgram::Kind;

struct NamedCollective {
  std::string_view name;
  Collective collective;
};
constexpr std::array named_collectives = {
    NamedCollective{"allreduce", Collective::all_reduce},
    NamedCollective{"allgather", Collective::all_gather},
    NamedCollective{"reducescatter", Collective::reduce_scatter},
    NamedCollective{"alltoall", Collective::all_to_all},
    NamedCollective{"broadcast", Collective::broadcast},
};

class MscclBuilder {
 public:
  MscclBuilder(const Msccl& algorithm, const MscclMemory& memory, std::uint64_t chunk, std::uint32_t loops)
      : algorithm_(algorithm), memory_(memory), chunk_(chunk), loops_(loops) {
    out_.program.ranks = static_cast<std::uint32_t>(algorithm.gpus.size());
    out_.program.lane_word = "threadblock";
  }

  MovingProgram build() {
    for (std::uint32_t rank = 0; rank < out_.program.ranks; ++rank) add_gpu(rank);
    try {
      match_messages(out_.program);
    } catch (const ScenarioError& error) {
      throw ScenarioError(algorithm_.file + ": " + error.what());
    }
    return std::move(out_);
  }

 private:
  static std::uint32_t ops_of(const Msccl::Step& step) {
    return step.what().receives && step.what().sends ? 2 : 1;
  }

  void add_gpu(std::uint32_t rank) {
    const Msccl::Gpu& gpu = algorithm_.gpus[rank];
    after_copies_ = RankProgram::none;
    for (const Msccl::Copy& copy : gpu.copies) add_copy(rank, copy);
    if (after_copies_ != RankProgram::none) ++lane_;
    // Where each block's operations begin, since steps may wait for later blocks.
    first_of_block_.clear();
    first_of_step_.clear();
    auto next = static_cast<std::uint32_t>(out_.program.ops.size());
    for (const Msccl::Block& block : gpu.blocks) {
      first_of_block_.push_back(next);
      std::vector<std::uint32_t> first{0};
      for (const Msccl::Step& step : block.steps) first.push_back(first.back() + ops_of(step));
      next += first.back() * loops_;
      first_of_step_.push_back(std::move(first));
    }
    std::map<std::tuple<bool, std::int64_t, std::uint32_t>, std::size_t> users;
    for (std::size_t b = 0; b < gpu.blocks.size(); ++b) {
      const Msccl::Block& block = gpu.blocks[b];
      for (const bool sends : {true, false}) {
        const std::int64_t peer = sends ? block.send : block.receive;
        if (peer < 0) continue;
        const auto [at, fresh] = users.try_emplace({sends, peer, block.channel}, b);
        if (!fresh) {
          refuse_line(algorithm_, block.line,
                      fmt::format("threadblocks {} and {} of gpu {} both {} {} on channel {}", at->second, b,
                                  rank, sends ? "send to" : "receive from", peer, block.channel));
        }
      }
      add_block(rank, static_cast<std::uint32_t>(b), block);
    }
  }

  void add_copy(std::uint32_t rank, const Msccl::Copy& copy) {
    const std::uint32_t from = memory_.cell(rank, 'i', copy.input, 1, copy.line);
    const std::uint32_t to = memory_.cell(rank, 'o', copy.output, 1, copy.line);
    if (from == to) return;
    DataMove move;
    move.read = from;
    move.write = to;
    move.count = 1;
    add(rank, Kind::compute, {}, after_copies_, RankProgram::none, 0, 0, copy.line, move);
    after_copies_ = static_cast<std::uint32_t>(out_.program.ops.size() - 1);
  }

  void add_block(std::uint32_t rank, std::uint32_t number, const Msccl::Block& block) {
    std::uint32_t previous = after_copies_;
    for (std::uint32_t loop = 0; loop < loops_; ++loop) {
      for (std::uint32_t s = 0; s < block.steps.size(); ++s) {
        add_step(rank, block, number, s, waited_for(rank, block.steps[s], loop), previous);
        previous = static_cast<std::uint32_t>(out_.program.ops.size() - 1);
      }
    }
    ++lane_;
  }

  // The last operation of the step that this one names.
  std::uint32_t waited_for(std::uint32_t rank, const Msccl::Step& step, std::uint32_t loop) const {
    if (step.waits_block < 0) return RankProgram::none;
    const auto& blocks = algorithm_.gpus[rank].blocks;
    const auto block = static_cast<std::size_t>(step.waits_block);
    if (block >= blocks.size()) {
      refuse_line(algorithm_, step.line,
                  fmt::format("the step waits for threadblock {} of gpu {}, which has {}", block, rank,
                              blocks.size()));
    }
    const std::size_t steps = blocks[block].steps.size();
    if (step.waits_step < 0 || static_cast<std::size_t>(step.waits_step) >= steps) {
      refuse_line(algorithm_, step.line,
                  fmt::format("the step waits for step {} of threadblock {} of gpu {}, which has {} steps",
                              step.waits_step, block, rank, steps));
    }
    const auto& first = first_of_step_[block];
    return first_of_block_[block] + loop * first.back() +
           first[static_cast<std::size_t>(step.waits_step) + 1] - 1;
  }

  void add_step(std::uint32_t rank, const Msccl::Block& block, std::uint32_t number, std::uint32_t s,
                std::uint32_t waits, std::uint32_t previous) {
    const Msccl::Step& step = block.steps[s];
    const Msccl::StepType& what = step.what();
    const auto source = [&] {
      return memory_.cell(rank, step.source, step.source_chunk, step.count, step.line);
    };
    const auto target = [&] {
      return memory_.cell(rank, step.target, step.target_chunk, step.count, step.line);
    };
    DataMove move;
    move.count = step.count;
    RankProgram::Op op;
    op.channel = block.channel;
    op.amount = step.count * chunk_;
    if (what.receives) {
      op.peer = static_cast<std::uint32_t>(block.receive);
      op.adds = what.adds;
      if (what.adds) move.read = source();
      if (what.stores) move.write = target();
      add(rank, Kind::receive, op, previous, waits, number, s, step.line, move);
      if (!what.sends) return;
      previous = static_cast<std::uint32_t>(out_.program.ops.size() - 1);
      waits = RankProgram::none;
      move = {};
      move.count = step.count;
      move.passes_on = true;
      op.adds = false;
    } else if (what.sends) {
      move.read = source();
    }
    if (what.sends) {
      op.peer = static_cast<std::uint32_t>(block.send);
      return add(rank, Kind::send, op, previous, waits, number, s, step.line, move);
    }
    if (step.type == Msccl::Type::nop) {
      move = {};
    } else {
      move.read = source();
      move.write = target();
    }
    if (step.type != Msccl::Type::reduce) op.amount = 0;
    add(rank, step.type == Msccl::Type::reduce ? Kind::reduce : Kind::compute, op, previous, waits, number, s,
        step.line, move);
  }

  void add(std::uint32_t rank, Kind kind, RankProgram::Op op, std::uint32_t previous, std::uint32_t waits,
           std::uint32_t number, std::uint32_t step, std::uint32_t line, const DataMove& move) {
    op.rank = rank;
    op.kind = kind;
    std::array<std::uint32_t, 2> needs;
    std::size_t count = 0;
    if (previous != RankProgram::none) needs[count++] = previous;
    if (waits != RankProgram::none && waits != previous) needs[count++] = waits;
    out_.program.add(op, {number, step, line}, std::span(needs).first(count));
    out_.moves.push_back(move);
    out_.lanes.push_back(lane_);
  }

  const Msccl& algorithm_;
  const MscclMemory& memory_;
  const std::uint64_t chunk_;
  const std::uint32_t loops_;
  std::uint32_t lane_ = 0, after_copies_ = RankProgram::none;
  std::vector<std::uint32_t> first_of_block_;              // of this rank, by block
  std::vector<std::vector<std::uint32_t>> first_of_step_;  // in its block
  MovingProgram out_;
};

std::string prove_placement(const Msccl& algorithm, bool in_place) {
  const MscclMemory memory(algorithm, in_place);
  return prove_outcome(algorithm, memory, MscclBuilder(algorithm, memory, 1, 1).build());
}

}  // namespace

std::optional<Collective> collective_of(const Msccl& algorithm) {
  for (const NamedCollective& row : named_collectives) {
    if (row.name == algorithm.collective) return row.collective;
  }
  return std::nullopt;
}

std::uint64_t chunk_bytes(const Msccl& algorithm, std::uint64_t elements, std::uint64_t element_bytes,
                          std::uint32_t loops) {
  return ceil_div64(elements, std::uint64_t{algorithm.chunks} * loops) * element_bytes;
}

RankProgram program_of(const Msccl& algorithm, std::uint64_t chunk, std::uint32_t loops) {
  const MscclMemory memory(algorithm, algorithm.in_place);
  RankProgram program = MscclBuilder(algorithm, memory, chunk, loops).build().program;
  try {
    order_of(program);
  } catch (const ScenarioError& error) {
    throw ScenarioError(algorithm.file + ": " + error.what());
  }
  return program;
}

std::string prove(const Msccl& algorithm) {
  std::string left;
  for (const bool in_place : {true, false}) {
    if (in_place ? algorithm.in_place : algorithm.out_of_place) left = prove_placement(algorithm, in_place);
  }
  if (!collective_of(algorithm)) left = "it claims no collective, so what it computes is not checked";
  return left;
}

}  // namespace tahoma
