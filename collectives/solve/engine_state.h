// The engine's state while it runs; private to engine.cpp and engine_end.cpp.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "collectives/solve/engine.h"
#include "core/event_queue.h"
#include "core/flow_network.h"

namespace tahoma::engine {

inline constexpr std::uint32_t none = ~0u;

enum class Happening : std::uint32_t {
  program_starts,
  node_released,
  message_enters,
  delivered,
  reduced,
  flow_enters,
  hop_reached
};

struct Occurrence {
  Happening what;
  std::uint32_t subject;  // program, node, message, flow; owner of a flow in the network
};

struct Counter {
  std::uint32_t count = 0;
  std::uint32_t threshold = none;  // least count any watcher needs
  std::uint32_t watcher = none;    // first lane that waits for this counter
};

// All that a lane's turn needs, apart from its next row: one line of memory.
struct LaneState {
  std::uint32_t send;  // row of its next message; none after the last
  std::uint32_t node;
  std::uint32_t rep = 0;
  std::uint32_t next_watcher = none;
  bool busy = false;
  bool watching = false;
  bool eager = false;
};

struct StageState {
  std::uint32_t left = 0;  // receives and drains to come
  bool open = false;
};

struct Message {
  std::uint32_t lane, send;  // send: row
  std::uint32_t rep;         // of the row
  std::uint32_t ways;        // that have not left the sender
  std::uint32_t arriving;    // that have not left the last hop of their way
  std::uint32_t order;       // in the trace
  Time delivery;             // of the ways that have drained
};

// Messages at a link that stores, each named by its owner in the network.
struct HopQueue {
  std::vector<std::uint32_t> arrivals;  // of this instant
  std::deque<std::uint32_t> waiting;
  bool busy = false;
  bool touched = false;
};

class Engine {
 public:
  Engine(const Instance& instance, const Topology& topology, std::span<const Duration> delays,
         EngineTrace* trace)
      : in_(instance),
        topology_(topology),
        delays_(delays),
        trace_(trace),
        network_(in_.binding_capacity, in_.crossing, in_.paths.size()) {
    for (const Instance::Path& path : in_.paths) {
      network_.add_path(path.first_crossing, path.crossings, path.cap);
    }
    counters_.resize(in_.counters);
    lanes_.reserve(in_.lanes.size());
    for (const Instance::Lane& lane : in_.lanes) {
      const bool eager = in_.programs[in_.nodes[lane.node].program].rule == LaneRule::eager;
      lanes_.push_back({lane.sends == 0 ? none : lane.first_send, lane.node, 0, none, false, false, eager});
    }
    stages_.resize(in_.stages.size());
    stages_left_.resize(in_.nodes.size());
    held_.assign(in_.nodes.size(), 0);
    reducer_free_.assign(in_.reduction_rate.q20 != 0 ? in_.chips : 0, Time{});
    nodes_left_.resize(in_.programs.size());
    hop_queues_.resize(in_.queues);
    flow_hops_.assign(in_.queues != 0 ? in_.flows.size() : 0, 0);
    result_.node_finish.assign(in_.nodes.size(), Time::never());
    result_.program_start.assign(in_.programs.size(), Time::never());
    result_.program_finish.assign(in_.programs.size(), Time::never());
    result_.flow_finish.assign(in_.flows.size(), Time::never());
    if (trace_ != nullptr) *trace_ = {{}, std::vector<EngineTrace::Cause>(in_.nodes.size())};
  }

  EngineResult run();

 private:
  Duration delay_of(std::uint32_t node) const {
    return delays_.empty() ? in_.nodes[node].delay : delays_[node];
  }
  void start_program(std::uint32_t program, Time now);
  void start_node(std::uint32_t node, Time now);
  void release_node(std::uint32_t node, Time now);
  void open_stage(std::uint32_t stage, Time now);
  void stage_done(std::uint32_t stage, Time now);
  void count_down(std::uint32_t stage, Time now);
  void try_lane(std::uint32_t lane, Time now);
  bool waits_hold(const Instance::SendShape& shape, std::uint32_t lane);
  void start_message(std::uint32_t lane, const Instance::SendShape& shape, Time now);
  void enter(std::uint32_t message, Time now);
  void way_drained(std::uint32_t message, std::uint32_t way, Time now);
  void message_drained(std::uint32_t message, Time now);
  void message_left(const Message& message, Time now);
  void message_arrives(std::uint32_t message, Time now);
  void deliver(std::uint32_t message, Time now);
  void received(std::uint32_t message, Time now);
  void serve_arrivals(Time now);
  void wake(std::uint32_t counter, Time now);
  // Paths that are crossed hop by hop (engine_hops.cpp).
  struct Trip {
    std::uint32_t path;
    Bytes bytes;
  };
  Trip trip_of(std::uint32_t owner) const;
  std::uint32_t& hop_of(std::uint32_t owner);
  void set_out(std::uint32_t owner, Time now);
  void reach_hop(std::uint32_t owner, Time now);
  void hop_crossed(std::uint32_t owner, Time now);
  bool comes_before(std::uint32_t owner, std::uint32_t other) const;
  void touch(std::uint32_t queue);
  void serve_hops(Time now);
  void happen(const Occurrence& occurrence, Time now);
  [[noreturn]] void deadlock() const;
  void check_physics() const;
  void account_links();

  static constexpr std::uint32_t plain_flow = 1u << 31;  // owner bit: a flow that is no message

  const Instance& in_;
  const Topology& topology_;
  std::span<const Duration> delays_;
  EngineTrace* const trace_;
  FlowNetwork network_;
  EventQueue<Occurrence> queue_;
  EngineResult result_;
  std::vector<Counter> counters_;
  std::vector<LaneState> lanes_;
  std::vector<StageState> stages_;
  std::vector<std::uint32_t> stages_left_;  // per node
  std::vector<std::uint8_t> held_;          // per node: a straggler before its first send
  std::vector<std::uint32_t> nodes_left_;   // per program
  std::vector<Message> messages_;
  std::vector<std::uint32_t> free_messages_;
  std::vector<std::uint32_t> arrivals_;  // messages of this instant, to the reducers
  std::vector<Time> reducer_free_;
  std::vector<HopQueue> hop_queues_;
  std::vector<std::uint32_t> touched_queues_;
  std::vector<std::uint32_t> way_hops_, flow_hops_;  // the hop that a way of a message, a flow, is at
  std::uint32_t flows_left_ = 0;
  EngineTrace::Cause cause_;  // the end that is being dealt with
};

}  // namespace tahoma::engine
