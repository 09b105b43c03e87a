#include "collectives/importers/trace_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <queue>
#include <unordered_map>

#include "core/errors.h"

namespace tahoma {

namespace {

using Kind = RankProgram::Kind;
using Type = ChakraNode::Type;
constexpr std::uint32_t no_trace_op = RankProgram::none;
constexpr std::uint64_t ps_per_micro = 1'000'000;

/// By the format's number; it also has REDUCE_SCATTER_BLOCK (8), which is the same on equal blocks.
constexpr std::array collectives = {
    Collective::all_reduce,     Collective::reduce,    Collective::all_gather, Collective::gather,
    Collective::scatter,        Collective::broadcast, Collective::all_to_all, Collective::reduce_scatter,
    Collective::reduce_scatter, Collective::barrier,
};

[[noreturn]] void refuse_node(const ChakraTrace& trace, const ChakraNode& node, const std::string& what) {
  throw ScenarioError(
      fmt::format("{}: node {} ('{}') {}", trace.file, node.id, node.name.substr(0, 80), what));
}

// Indices of the nodes in an order in which they can be done, the lowest id first.
std::vector<std::uint32_t> node_order(const ChakraTrace& trace,
                                      const std::unordered_map<std::uint64_t, std::uint32_t>& index) {
  std::vector<std::uint32_t> left(trace.nodes.size(), 0);
  std::vector<std::vector<std::uint32_t>> after(trace.nodes.size());
  using Next = std::pair<std::uint64_t, std::uint32_t>;  // id, index
  std::priority_queue<Next, std::vector<Next>, std::greater<>> ready;
  for (std::uint32_t i = 0; i < trace.nodes.size(); ++i) {
    const ChakraNode& node = trace.nodes[i];
    left[i] = static_cast<std::uint32_t>(node.needs.size());
    for (const std::uint64_t need : node.needs) after[index.at(need)].push_back(i);
    if (left[i] == 0) ready.push({node.id, i});
  }
  std::vector<std::uint32_t> order;
  while (!ready.empty()) {
    const std::uint32_t i = ready.top().second;
    ready.pop();
    order.push_back(i);
    for (const std::uint32_t next : after[i]) {
      if (--left[next] == 0) ready.push({trace.nodes[next].id, next});
    }
  }
  if (order.size() < trace.nodes.size()) {
    const auto stuck = std::find_if(left.begin(), left.end(), [](std::uint32_t count) { return count > 0; });
    refuse_node(trace, trace.nodes[static_cast<std::size_t>(stuck - left.begin())],
                "waits for itself through its dependencies");
  }
  return order;
}

class TraceBuilder {
 public:
  TraceBuilder(std::span<const ChakraTrace> traces, std::uint32_t ranks, const AddCollective& add_collective)
      : traces_(traces), add_collective_(add_collective) {
    out_.program.ranks = ranks;
    for (const ChakraTrace& trace : traces) {
      for (const ChakraNode& node : trace.nodes) processors_ = std::max(processors_, 2 + node.cpu);
    }
    out_.program.servers = processors_ * ranks;
    out_.program.lane_word = "trace";
    for (const ChakraTrace& trace : traces) {
      std::unordered_map<std::uint64_t, std::uint32_t> index;
      for (std::uint32_t i = 0; i < trace.nodes.size(); ++i) index.emplace(trace.nodes[i].id, i);
      orders_.push_back(node_order(trace, index));
      indices_.push_back(std::move(index));
      out_.absent_needs += trace.absent_needs;
    }
    ranks_.resize(ranks);
    for (std::uint32_t r = 0; r < ranks; ++r)
      ranks_[r].op_of_node.assign(trace_of(r).nodes.size(), no_trace_op);
  }

  // Each rank goes on to its next collective; when all are there, it is added.
  TraceProgram build() {
    for (;;) {
      std::uint32_t waiting = 0;
      for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
        advance(rank);
        if (ranks_[rank].at < order_of_rank(rank).size()) ++waiting;
      }
      if (waiting == 0) break;
      for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
        if (ranks_[rank].at == order_of_rank(rank).size()) {
          throw ScenarioError(
              fmt::format("{}: the trace of rank {} has fewer collectives than others: they wait for it",
                          trace_of(rank).file, rank));
        }
      }
      add_collective();
    }
    match_messages(out_.program);
    order_of(out_.program);
    return std::move(out_);
  }

 private:
  struct RankState {
    std::size_t at = 0;  // in the order of its trace
    std::uint32_t last_collective = no_trace_op;
    std::vector<std::uint32_t> op_of_node;
  };

  std::size_t number_of_trace(std::uint32_t rank) const { return traces_.size() == 1 ? 0 : rank; }
  const ChakraTrace& trace_of(std::uint32_t rank) const { return traces_[number_of_trace(rank)]; }
  const std::vector<std::uint32_t>& order_of_rank(std::uint32_t rank) const {
    return orders_[number_of_trace(rank)];
  }

  static bool is_networked(const ChakraNode& node) {
    return node.type == Type::collective && node.comm_type && (node.comm_size || *node.comm_type == 9);
  }

  std::vector<std::uint32_t> needs_of(std::uint32_t rank, const ChakraNode& node) const {
    std::vector<std::uint32_t> needs;
    for (const std::uint64_t id : node.needs)
      needs.push_back(ranks_[rank].op_of_node[indices_[number_of_trace(rank)].at(id)]);
    std::sort(needs.begin(), needs.end());
    needs.erase(std::unique(needs.begin(), needs.end()), needs.end());
    return needs;
  }

  RankProgram::Origin origin(std::uint32_t rank, const ChakraNode& node) const {
    return {static_cast<std::uint32_t>(number_of_trace(rank)), static_cast<std::uint32_t>(node.id), 0};
  }

  std::uint32_t add(std::uint32_t rank, const ChakraNode& node, RankProgram::Op op,
                    const std::vector<std::uint32_t>& needs) {
    op.rank = rank;
    return out_.program.add(op, origin(rank, node), needs);
  }

  void advance(std::uint32_t rank) {
    RankState& state = ranks_[rank];
    const auto& order = order_of_rank(rank);
    for (; state.at < order.size(); ++state.at) {
      const ChakraNode& node = trace_of(rank).nodes[order[state.at]];
      if (is_networked(node)) return;
      state.op_of_node[order[state.at]] = add_node(rank, node);
      ++out_.nodes;
    }
  }

  std::uint32_t add_node(std::uint32_t rank, const ChakraNode& node) {
    const ChakraTrace& trace = trace_of(rank);
    RankProgram::Op op;
    switch (node.type) {
      case Type::send:
      case Type::receive:
        return add_message(rank, node);
      case Type::collective:
        // A call on the host, or a trace without sizes: as long as it was recorded.
        if (node.on_host) break;
        if (!node.has_duration)
          refuse_node(trace, node, "is a collective without comm_type, comm_size or duration");
        return add_recorded_collective(rank, node);
      case Type::metadata:
        return add(rank, node, op, needs_of(rank, node));
      default:
        break;
    }
    const bool has_work = node.operations.value_or(0) > 0 || node.tensor_bytes.value_or(0) > 0;
    if (node.micros == 0 && node.picos == 0 && has_work)
      refuse_node(trace, node, "says how much it computes or moves and not how long it takes: no duration");
    op.amount = node.micros * ps_per_micro + node.picos;
    if (op.amount > 0) op.server = processors_ * rank + (node.on_host ? 0 : 1 + node.cpu);
    const std::uint32_t number = add(rank, node, op, needs_of(rank, node));
    if (op.amount > 0 && !node.on_host) out_.on_device.push_back(number);
    return number;
  }

  std::uint32_t add_recorded_collective(std::uint32_t rank, const ChakraNode& node) {
    std::vector<std::uint32_t> needs = needs_of(rank, node);
    RankState& state = ranks_[rank];
    if (state.last_collective != no_trace_op) needs.push_back(state.last_collective);
    RankProgram::Op op;
    op.amount = node.micros * ps_per_micro;
    state.last_collective = add(rank, node, op, needs);
    out_.talks.push_back({rank, state.last_collective, state.last_collective});
    return state.last_collective;
  }

  std::uint32_t add_message(std::uint32_t rank, const ChakraNode& node) {
    const ChakraTrace& trace = trace_of(rank);
    const bool sends = node.type == Type::send;
    const auto peer = sends ? node.target : node.source;
    if (traces_.size() == 1 && ranks_.size() > 1)
      refuse_node(trace, node, "names its peer, and one trace stands for all ranks: give one trace per rank");
    if (!peer || *peer >= ranks_.size() || *peer == rank)
      refuse_node(
          trace, node,
          fmt::format("has no other rank below {} as {}", ranks_.size(), sends ? "comm_dst" : "comm_src"));
    if (!node.comm_size) refuse_node(trace, node, "has no comm_size");
    if (node.tag > 0xffff'ffff) refuse_node(trace, node, "has a comm_tag past 2^32");
    RankProgram::Op op;
    op.kind = sends ? Kind::send : Kind::receive;
    op.peer = static_cast<std::uint32_t>(*peer);
    op.channel = static_cast<std::uint32_t>(node.tag);
    op.amount = *node.comm_size;
    const std::uint32_t number = add(rank, node, op, needs_of(rank, node));
    out_.talks.push_back({rank, number, number});
    if (sends) ++out_.messages;
    return number;
  }

  void add_collective() {
    const ChakraNode& first = trace_of(0).nodes[order_of_rank(0)[ranks_[0].at]];
    if (*first.comm_type >= collectives.size())
      refuse_node(trace_of(0), first,
                  fmt::format("is of comm_type {}, which is not known", *first.comm_type));
    if (!first.group.empty() && first.group != "0")
      refuse_node(
          trace_of(0), first,
          fmt::format("is one of process group '{}', whose ranks the trace does not name", first.group));
    const Collective collective = collectives[*first.comm_type];
    std::vector<std::uint32_t> entry;
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
      const ChakraNode& node = trace_of(rank).nodes[order_of_rank(rank)[ranks_[rank].at]];
      if (node.comm_type != first.comm_type || node.comm_size != first.comm_size) {
        refuse_node(trace_of(rank), node,
                    fmt::format("of rank {} meets node {} of rank 0, which is another collective "
                                "or of another size",
                                rank, first.id));
      }
      std::vector<std::uint32_t> needs = needs_of(rank, node);
      if (ranks_[rank].last_collective != no_trace_op) needs.push_back(ranks_[rank].last_collective);
      entry.push_back(add(rank, node, {}, needs));
    }
    RankProgram::Op gate;
    const std::uint32_t all_there = out_.program.add(gate, origin(0, first), entry);
    const std::vector<std::uint32_t> begin(ranks_.size(), all_there);
    const std::vector<std::uint32_t> exits =
        add_collective_(out_.program, collective, size_of(collective, first), begin, origin(0, first));
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
      RankState& state = ranks_[rank];
      state.last_collective = exits[rank];
      state.op_of_node[order_of_rank(rank)[state.at++]] = exits[rank];
      out_.talks.push_back({rank, all_there, exits[rank]});
      ++out_.nodes;
    }
    ++out_.collectives;
  }

  // `comm_size` is what a rank puts in; sizes here are those of nccl-tests.
  std::uint64_t size_of(Collective collective, const ChakraNode& node) const {
    const std::uint64_t bytes = node.comm_size.value_or(0);
    const bool grows = collective == Collective::all_gather || collective == Collective::gather;
    if (bytes > (std::uint64_t{1} << 50))
      refuse_node(trace_of(0), node, fmt::format("has a comm_size of {}, more than 2^50", bytes));
    return grows ? bytes * ranks_.size() : bytes;
  }

  std::span<const ChakraTrace> traces_;
  const AddCollective& add_collective_;
  std::vector<std::unordered_map<std::uint64_t, std::uint32_t>> indices_;  // by trace: id -> place
  std::vector<std::vector<std::uint32_t>> orders_;                         // by trace
  std::vector<RankState> ranks_;
  std::uint32_t processors_ = 2;  // of a rank: its host, and what computes beside it
  TraceProgram out_;
};

}  // namespace

TraceProgram program_of_traces(std::span<const ChakraTrace> traces, std::uint32_t ranks,
                               const AddCollective& add_collective) {
  TAHOMA_ASSERT(traces.size() == 1 || traces.size() == ranks, "traces for other ranks");
  return TraceBuilder(traces, ranks, add_collective).build();
}

}  // namespace tahoma
