// MSCCL++ plan -> program: what its thread blocks do, op by op.
//
// * A put by the block itself occupies it until the last byte has left; one by a proxy does not, and the
//   puts and signals of a port follow each other.
// * A read sends an empty request and waits for the data; reads of one op go side by side, and are added in
//   the order of its list.
// * A signal is an empty message. Unless it is relaxed, the wait that takes it also waits for all that its
//   block has written to that rank before, and what blocks that it met at barriers and semaphores have.
// * An op that reads packets waits for those that wrote them; each chunk of scratch is written once.
//
// An op that adds and sends on does one after the other, a whole chunk at a time, as MSCCL's do here.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "collectives/importers/msccl_program.h"
#include "collectives/importers/mscclpp.h"
#include "collectives/importers/mscclpp_graph.h"
#include "core/errors.h"

namespace tahoma {

namespace {

using Kind = RankProgram::Kind;
using Shape = MscclppOpType::Shape;
using PlanBlock = MscclppGraph::Block;
using PlanWritten = MscclppGraph::Written;

struct SemaphoreState {
  std::vector<std::pair<std::uint32_t, PlanWritten>> releases;
  std::uint32_t acquired = 0, releaser = MscclppGraph::none;
};

// One gpu's blocks, each as far as it can go, until all are through.
class MscclppWalk {
 public:
  MscclppWalk(const MscclppPlan& plan, std::uint32_t rank, MscclppGraph& graph)
      : plan_(plan), rank_(rank), gpu_(plan.gpus[rank]), graph_(graph) {
    at_.assign(gpu_.blocks.size(), 0);
    semaphores_.resize(gpu_.semaphores.size());
    for (std::uint32_t b = 0; b < gpu_.blocks.size(); ++b) {
      blocks_.emplace_back();
      blocks_.back().rank = rank;
      blocks_.back().number = b;
    }
  }

  void walk() {
    for (bool again = true; again;) {
      again = false;
      for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
        while (!is_through(b) && can_pass(op_at(b))) {
          stand_at(b);
          const MscclppOp& op = op_at(b);
          ++at_[b];
          add_op(blocks_[b], op);
          again = true;
        }
      }
      if (!again) again = meet_at_barriers();
    }
    for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
      if (is_through(b)) continue;
      const MscclppOp& op = op_at(b);
      refuse_line(plan_.head, op.line,
                  fmt::format("threadblock {} of gpu {} waits for ever: {}", b, rank_,
                              op.type->shape == Shape::barrier
                                  ? fmt::format("{} blocks never meet at barrier {}", op.blocks, op.barrier)
                                  : "nothing releases its semaphore so often"));
    }
  }

 private:
  bool is_through(std::uint32_t b) const { return at_[b] == gpu_.blocks[b].ops.size(); }
  const MscclppOp& op_at(std::uint32_t b) const { return gpu_.blocks[b].ops[at_[b]]; }
  void stand_at(std::uint32_t b) { graph_.stand_at({b, static_cast<std::uint32_t>(at_[b]), op_at(b).line}); }

  bool can_pass(const MscclppOp& op) const {
    if (op.type->shape == Shape::barrier) return false;
    if (op.type->shape != Shape::acquire) return true;
    return std::all_of(op.semaphores.begin(), op.semaphores.end(), [&](std::uint32_t s) {
      return semaphores_[s].acquired < gpu_.semaphores[s] + semaphores_[s].releases.size();
    });
  }

  bool meet_at_barriers() {
    std::map<std::uint32_t, std::vector<std::uint32_t>> waiting;
    for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
      if (!is_through(b) && op_at(b).type->shape == Shape::barrier) waiting[op_at(b).barrier].push_back(b);
    }
    bool any = false;
    for (const auto& [barrier, who] : waiting) {
      if (who.size() != op_at(who.front()).blocks) continue;
      stand_at(who.front());
      std::vector<std::uint32_t> tails;
      PlanWritten all;
      for (const std::uint32_t b : who) {
        tails.push_back(blocks_[b].tail);
        merge(all, blocks_[b].written);
      }
      const std::uint32_t met =
          graph_.add(Kind::compute, rank_, graph_.lane(MscclppGraph::of_barrier, rank_, barrier), tails);
      for (const std::uint32_t b : who) {
        blocks_[b].tail = met;
        blocks_[b].written = all;
        ++at_[b];
      }
      any = true;
    }
    return any;
  }

  static void merge(PlanWritten& into, const PlanWritten& more) {
    for (const auto& [key, op] : more) {
      std::uint32_t& last = into.try_emplace(key, op).first->second;
      last = std::max(last, op);
    }
  }

  std::uint32_t meet(PlanBlock& block, std::vector<std::uint32_t> needs) {
    return graph_.add(Kind::compute, rank_, graph_.lane(block), std::move(needs));
  }

  void add_op(PlanBlock& block, const MscclppOp& op) {
    switch (op.type->shape) {
      case Shape::nothing:
      case Shape::barrier:
        return;
      case Shape::signal:
        for (const std::uint32_t channel : op.channels) graph_.signal(block, channel, op.type->relaxed);
        return;
      case Shape::wait:
        for (const std::uint32_t channel : op.channels) graph_.wait(block, channel);
        return;
      case Shape::flush:
        block.tail = meet(block, {block.tail, block.port_drained});
        return;
      case Shape::acquire:
        for (const std::uint32_t s : op.semaphores) acquire(block, s);
        return;
      case Shape::release:
        for (const std::uint32_t s : op.semaphores) release(block, s, op.line);
        return;
      case Shape::moves:
        return moves(block, op);
      case Shape::folds:
        return folds(block, op);
    }
  }

  void release(PlanBlock& block, std::uint32_t number, std::uint32_t line) {
    SemaphoreState& semaphore = semaphores_[number];
    if (semaphore.releaser != MscclppGraph::none && semaphore.releaser != block.number) {
      refuse_line(plan_.head, line,
                  fmt::format("two threadblocks of gpu {} release semaphore {}: which is first is not said",
                              rank_, number));
    }
    semaphore.releaser = block.number;
    semaphore.releases.emplace_back(block.tail, block.written);
  }

  void acquire(PlanBlock& block, std::uint32_t number) {
    SemaphoreState& semaphore = semaphores_[number];
    const std::uint32_t turn = semaphore.acquired++;
    if (turn < gpu_.semaphores[number]) return;
    const auto& [tail, written] = semaphore.releases[turn - gpu_.semaphores[number]];
    block.tail = meet(block, {block.tail, tail});
    merge(block.written, written);
  }

  void moves(PlanBlock& block, const MscclppOp& op) {
    const MscclppOpType& type = *op.type;
    std::uint32_t start = block.tail;
    if (type.reads_packets && type.writes_remote) {
      start = meet(block, {start});
      graph_.read_packets(op.sources.front(), start);
    }
    std::vector<std::uint32_t> ends{start};
    std::uint32_t last = start;
    for (std::size_t i = 0; i < op.targets.size(); ++i) {
      const MscclppRange& from = op.sources[std::min(i, op.sources.size() - 1)];
      const MscclppRange& to = op.targets[i];
      if (type.reads_remote) {
        last = graph_.read_remote(block, from, nullptr, to, start, last, i);
      } else if (!type.writes_remote) {
        last = graph_.copy_local(block, from, to, last);
        if (type.reads_packets) graph_.read_packets(from, last);
        if (type.writes_packets) graph_.write_packets(to, last);
      } else if (op.by_port) {
        block.port_drained = graph_.write_remote(block, op, from, to, start, i);
        if (type.signals) graph_.signal(block, op.channels[i], false);
      } else {
        ends.push_back(graph_.write_remote(block, op, from, to, start, i));
      }
    }
    block.tail = last;
    if (ends.size() > 1) block.tail = meet(block, ends);
    if (type.name == "pwsf") block.tail = meet(block, {block.tail, block.port_drained});
  }

  void folds(PlanBlock& block, const MscclppOp& op) {
    const MscclppOpType& type = *op.type;
    const MscclppRange& sum = op.targets.front();
    const MscclppRange* base = &op.sources.front();
    const std::uint32_t start = block.tail;
    std::uint32_t last = start;
    const bool apart = graph_.cell(*base) != graph_.cell(sum);
    if (apart && (!type.reads_remote || op.sources.size() == 1))
      last = graph_.copy_local(block, *base, sum, last);
    for (std::size_t i = 1; i < op.sources.size(); ++i) {
      if (type.reads_remote) {
        last = graph_.read_remote(block, op.sources[i], base, sum, start, last, i - 1);
        base = &sum;
      } else {
        last = graph_.add_local(block, op.sources[i], sum, last);
        if (type.reads_packets) graph_.read_packets(op.sources[i], last);
      }
    }
    std::size_t next = 1;
    if (type.copies_packets) {
      last = graph_.copy_local(block, sum, op.targets[next], last);
      graph_.write_packets(op.targets[next++], last);
    }
    std::vector<std::uint32_t> ends{last};
    for (std::size_t i = next; type.writes_remote && i < op.targets.size(); ++i)
      ends.push_back(graph_.write_remote(block, op, sum, op.targets[i], last, i - next));
    block.tail = ends.size() == 1 ? last : meet(block, ends);
  }

  const MscclppPlan& plan_;
  const std::uint32_t rank_;
  const MscclppPlan::Gpu& gpu_;
  MscclppGraph& graph_;
  std::vector<std::size_t> at_;  // by block: in its ops
  std::vector<PlanBlock> blocks_;
  std::vector<SemaphoreState> semaphores_;
};

MovingProgram build(const MscclppPlan& plan, const MscclMemory& memory, std::uint64_t slice_bytes) {
  try {
    MscclppGraph graph(plan, memory, slice_bytes);
    for (std::uint32_t rank = 0; rank < plan.gpus.size(); ++rank) MscclppWalk(plan, rank, graph).walk();
    MovingProgram built = graph.finish();
    order_of(built.program);
    return built;
  } catch (const ScenarioError& error) {
    const std::string what = error.what();
    throw ScenarioError(what.starts_with(plan.head.file) ? what : plan.head.file + ": " + what);
  }
}

}  // namespace

ListedSchedule listed_of(MscclppPlan read) {
  const auto plan = std::make_shared<const MscclppPlan>(std::move(read));
  const Msccl& head = plan->head;
  ListedSchedule listed;
  listed.name = head.name;
  listed.format = "MSCCL++ plan";
  listed.collective = collective_of(head).value_or(Collective::custom);
  listed.ranks = static_cast<std::uint32_t>(plan->gpus.size());
  listed.least_bytes = head.least_bytes;
  listed.most_bytes = head.most_bytes;
  listed.protocol = head.protocol;
  listed.notes = plan->notes;
  const MscclMemory memory(head, head.in_place);
  listed.not_proven = prove_outcome(head, memory, build(*plan, memory, 1));
  listed.program = [plan](std::uint64_t elements, std::uint64_t element_bytes, std::uint32_t rounds) {
    if (rounds != 1)
      throw ScenarioError(plan->head.file + ": a plan of MSCCL++ has no rounds; accepted: `pipeline: 1`");
    const MscclMemory places(plan->head, plan->head.in_place);
    return build(*plan, places, chunk_bytes(plan->head, elements, element_bytes, 1)).program;
  };
  return listed;
}

}  // namespace tahoma
