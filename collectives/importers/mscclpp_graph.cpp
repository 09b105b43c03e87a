#include "collectives/importers/mscclpp_graph.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/errors.h"

namespace tahoma {

namespace {

using Kind = RankProgram::Kind;

}  // namespace

std::uint32_t MscclppGraph::lane(LaneKind kind, std::uint32_t rank, std::uint32_t block, std::uint32_t more) {
  return lanes_.try_emplace({kind, rank, block, more}, static_cast<std::uint32_t>(lanes_.size()))
      .first->second;
}

std::uint32_t MscclppGraph::add(RankProgram::Kind kind, std::uint32_t rank, std::uint32_t lane,
                                std::vector<std::uint32_t> needs, const DataMove& move) {
  Pending one;
  one.op.kind = kind;
  one.op.rank = rank;
  one.origin = here_;
  std::erase(needs, none);
  const auto [last, fresh] = last_of_lane_.try_emplace(lane, 0);
  if (!fresh) needs.push_back(last->second);
  one.needs = std::move(needs);
  one.move = move;
  one.lane = lane;
  ops_.push_back(std::move(one));
  if (ops_.size() > most_operations)
    refuse_line(plan_.head, here_.line, fmt::format("the plan is more than {} operations", most_operations));
  return last->second = static_cast<std::uint32_t>(ops_.size() - 1);
}

std::uint32_t MscclppGraph::cell(const MscclppRange& range) const {
  return memory_.cell(range.rank, range.buffer, range.first, range.count, here_.line);
}

DataMove MscclppGraph::move_of(const MscclppRange* from, const MscclppRange* to) const {
  DataMove move;
  move.count = (from != nullptr ? from : to)->count;
  if (from != nullptr) move.read = cell(*from);
  if (to != nullptr) move.write = cell(*to);
  return move;
}

// ---- signals

void MscclppGraph::keep_to_one(std::uint32_t& user, const Block& block, std::string_view deed) const {
  if (user != none && user != block.number) {
    refuse_line(plan_.head, here_.line,
                fmt::format("threadblocks {} and {} of gpu {} {} on one channel: which is first is not said",
                            user, block.number, block.rank, deed));
  }
  user = block.number;
}

void MscclppGraph::signal(Block& block, std::uint32_t number, bool relaxed) {
  const MscclppPlan::Channel& channel = plan_.gpus[block.rank].channels[number];
  Ends& ends = ends_[{block.rank, channel.is_port, channel.peer, channel.of_pair}];
  keep_to_one(ends.signaller, block, "signal");
  std::vector<std::uint32_t> covers;
  for (const auto& [key, arrival] : block.written) {
    if (!relaxed && key.first == channel.peer) covers.push_back(arrival);
  }
  const std::uint32_t along = channel.is_port ? lane(of_port, block.rank, block.number, number) : lane(block);
  const std::uint32_t sent = add(Kind::send, block.rank, along, {block.tail});
  ops_[sent].op.peer = channel.peer;
  ops_[sent].op.channel = block.number;
  (channel.is_port ? block.port_drained : block.tail) = sent;
  ends.signals.push_back({sent, std::move(covers)});
}

void MscclppGraph::wait(Block& block, std::uint32_t number) {
  const MscclppPlan::Channel& channel = plan_.gpus[block.rank].channels[number];
  Ends& ends = ends_[{channel.peer, channel.is_port, block.rank, channel.of_pair}];
  keep_to_one(ends.waiter, block, "wait");
  block.tail = add(Kind::receive, block.rank, lane(block), {block.tail});
  ops_[block.tail].op.peer = channel.peer;
  ops_[block.tail].op.channel = block.number;
  ends.waits.push_back(block.tail);
}

// The k-th wait takes the k-th signal. A signal that nobody waits for costs nothing.
void MscclppGraph::join_signals() {
  for (auto& [port, ends] : ends_) {
    for (std::size_t k = 0; k < ends.waits.size(); ++k) {
      Pending& wait = ops_[ends.waits[k]];
      if (k >= ends.signals.size()) {
        refuse_line(
            plan_.head, wait.origin.line,
            fmt::format("gpu {} waits {} times for a signal of gpu {}, which sends {}", std::get<2>(port),
                        ends.waits.size(), std::get<0>(port), ends.signals.size()));
      }
      const Signal& signal = ends.signals[k];
      wait.op.partner = signal.op;
      wait.op.channel = ops_[signal.op].op.channel;
      ops_[signal.op].op.partner = ends.waits[k];
      wait.needs.insert(wait.needs.end(), signal.covers.begin(), signal.covers.end());
    }
    for (std::size_t k = ends.waits.size(); k < ends.signals.size(); ++k)
      ops_[ends.signals[k].op].op.kind = Kind::compute;
  }
}

// ---- data

void MscclppGraph::join(std::uint32_t sent, std::uint32_t arrived, std::uint32_t channel,
                        std::uint64_t amount) {
  RankProgram::Op &send = ops_[sent].op, &receive = ops_[arrived].op;
  send.partner = arrived;
  receive.partner = sent;
  send.peer = receive.rank;
  receive.peer = send.rank;
  send.channel = receive.channel = channel;
  send.amount = receive.amount = amount;
}

std::uint32_t MscclppGraph::write_remote(Block& block, const MscclppOp& op, const MscclppRange& from,
                                         const MscclppRange& to, std::uint32_t after, std::size_t slot) {
  const auto number = static_cast<std::uint32_t>(slot);
  const std::uint32_t channel = slot < op.channels.size() ? op.channels[slot] : number;
  const std::uint32_t along = op.by_port ? lane(of_port, block.rank, block.number, channel)
                                         : lane(of_sends, block.rank, block.number, number);
  const std::uint32_t sent = add(Kind::send, block.rank, along, {after}, move_of(&from, nullptr));
  const std::uint32_t arrivals = lane(of_arrivals, to.rank, along);
  const std::uint32_t arrived = add(Kind::receive, to.rank, arrivals, {}, move_of(nullptr, &to));
  join(sent, arrived, block.number, bytes(to));
  block.written[{to.rank, arrivals}] = arrived;
  if (op.type->writes_packets) write_packets(to, arrived);
  return sent;
}

std::uint32_t MscclppGraph::read_remote(Block& block, const MscclppRange& from, const MscclppRange* base,
                                        const MscclppRange& to, std::uint32_t after, std::uint32_t chain,
                                        std::size_t slot) {
  const std::uint32_t requests =
      lane(of_requests, block.rank, block.number, static_cast<std::uint32_t>(slot));
  const std::uint32_t replies = lane(of_replies, from.rank, requests);
  const std::uint32_t asks = add(Kind::send, block.rank, requests, {after});
  const std::uint32_t asked = add(Kind::receive, from.rank, replies, {});
  join(asks, asked, block.number, 0);
  const std::uint32_t sent = add(Kind::send, from.rank, replies, {asked}, move_of(&from, nullptr));
  const std::uint32_t arrived =
      add(Kind::receive, block.rank, lane(block), {chain, asks}, move_of(base, &to));
  join(sent, arrived, block.number, bytes(from));
  ops_[arrived].move.count = to.count;
  ops_[arrived].op.adds = base != nullptr;
  return arrived;
}

std::uint32_t MscclppGraph::copy_local(Block& block, const MscclppRange& from, const MscclppRange& to,
                                       std::uint32_t after) {
  return add(Kind::compute, block.rank, lane(block), {after}, move_of(&from, &to));
}

std::uint32_t MscclppGraph::add_local(Block& block, const MscclppRange& from, const MscclppRange& to,
                                      std::uint32_t after) {
  const std::uint32_t added = add(Kind::reduce, block.rank, lane(block), {after}, move_of(&from, &to));
  ops_[added].op.amount = bytes(to);
  ops_[added].move.adds_target = true;
  return added;
}

void MscclppGraph::write_packets(const MscclppRange& to, std::uint32_t op) {
  for (std::uint32_t i = 0; i < to.count; ++i) {
    if (writer_of_.emplace(cell(to) + i, op).second) continue;
    refuse_line(
        plan_.head, here_.line,
        fmt::format(
            "packets are written a second time into chunk {} of buffer 's' of gpu {}: which of them a "
            "reader sees is not said",
            (to.first + i) / plan_.slices, to.rank));
  }
}

void MscclppGraph::join_packets() {
  for (const auto& [op, from, line] : packet_reads_) {
    here_.line = line;
    for (std::uint32_t i = 0; i < from.count; ++i) {
      const auto writer = writer_of_.find(cell(from) + i);
      if (writer == writer_of_.end()) {
        refuse_line(
            plan_.head, line,
            fmt::format("chunk {} of buffer 's' of gpu {} is read as packets, and nothing writes them there",
                        (from.first + i) / plan_.slices, from.rank));
      }
      ops_[op].needs.push_back(writer->second);
    }
  }
}

MovingProgram MscclppGraph::finish() {
  join_signals();
  join_packets();
  MovingProgram out;
  out.program.ranks = static_cast<std::uint32_t>(plan_.gpus.size());
  out.program.lane_word = "threadblock";
  for (Pending& one : ops_) {
    std::sort(one.needs.begin(), one.needs.end());
    one.needs.erase(std::unique(one.needs.begin(), one.needs.end()), one.needs.end());
    out.program.add(one.op, one.origin, one.needs);
    out.moves.push_back(one.move);
    out.lanes.push_back(one.lane);
  }
  match_messages(out.program);
  return out;
}

}  // namespace tahoma
