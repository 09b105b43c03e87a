#include "collectives/solve/engine.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "collectives/solve/engine_state.h"
#include "core/errors.h"

namespace tahoma {

namespace engine {

EngineResult Engine::run() {
  for (std::uint32_t p = 0; p < in_.programs.size(); ++p) {
    if (in_.programs[p].after == Program::at_start) {
      queue_.push(in_.programs[p].start, {Happening::program_starts, p});
    }
  }
  for (std::uint32_t f = 0; f < in_.flows.size(); ++f) {
    queue_.push(in_.flows[f].start, {Happening::flow_enters, f});
  }
  flows_left_ = static_cast<std::uint32_t>(in_.flows.size());
  Time now{};
  for (;;) {
    const Time next = std::min(network_.next_finish(), queue_.next());
    if (next == Time::never()) break;
    TAHOMA_ASSERT(next >= now, "time went back");
    now = next;
    for (bool again = true; again;) {
      again = false;
      std::uint32_t owner;
      while (network_.pop_finished(now, owner)) {
        again = true;
        ++result_.events;
        if (in_.queues != 0 && in_.paths[trip_of(owner).path].hops != 0) {
          hop_crossed(owner, now);
        } else if ((owner & plain_flow) != 0) {
          const std::uint32_t flow = owner & ~plain_flow;
          const std::uint32_t path = in_.flows[flow].path;
          result_.flow_finish[flow] = now + in_.latency[path];
          --flows_left_;
        } else {
          way_drained(owner >> 1, owner & 1, now);
        }
      }
      while (queue_.next() == now) {
        again = true;
        ++result_.events;
        happen(queue_.pop().payload, now);
      }
      serve_arrivals(now);
    }
    serve_hops(now);
    network_.settle(now);
  }
  for (std::uint32_t p = 0; p < in_.programs.size(); ++p) {
    if (nodes_left_[p] != 0 || result_.program_finish[p] == Time::never()) deadlock();
  }
  TAHOMA_ASSERT(flows_left_ == 0, "a flow never finished");
  account_links();
  check_physics();
  result_.solves = network_.solves();
  return std::move(result_);
}

void Engine::happen(const Occurrence& occurrence, Time now) {
  cause_ = {};
  switch (occurrence.what) {
    case Happening::program_starts:
      start_program(occurrence.subject, now);
      break;
    case Happening::node_released:
      release_node(occurrence.subject, now);
      break;
    case Happening::message_enters: {
      const std::uint32_t lane = messages_[occurrence.subject].lane;
      cause_ = {messages_[occurrence.subject].order, false};
      enter(occurrence.subject, now);
      try_lane(lane, now);  // an eager lane is free again
      break;
    }
    case Happening::delivered:
      deliver(occurrence.subject, now);
      break;
    case Happening::reduced:
      received(occurrence.subject, now);
      break;
    case Happening::flow_enters:
      set_out(occurrence.subject | plain_flow, now);
      break;
    case Happening::hop_reached:
      reach_hop(occurrence.subject, now);
      break;
  }
}

void Engine::start_program(std::uint32_t program, Time now) {
  const Instance::ProgramRow& row = in_.programs[program];
  result_.program_start[program] = now;
  nodes_left_[program] = row.nodes;
  for (std::uint32_t node = row.first_node; node < row.first_node + row.nodes; ++node) {
    const Duration delay = delay_of(node);
    // Every stage is counted before the first one can be done.
    const Instance::Node& n = in_.nodes[node];
    stages_left_[node] = n.stages;
    for (std::uint32_t k = 0; k < n.stages; ++k) stages_[n.stage(k)].left = in_.stages[n.stage(k)].expected;
    if (delay.ps > 0) {
      held_[node] = 1;
      queue_.push(now + delay, {Happening::node_released, node});
    }
  }
  for (std::uint32_t node = row.first_node; node < row.first_node + row.nodes; ++node) {
    start_node(node, now);
  }
}

void Engine::start_node(std::uint32_t node, Time now) {
  const Instance::Node& n = in_.nodes[node];
  for (std::uint32_t i = 0; i < n.opens; ++i) open_stage(n.stage(i * n.phases), now);
  if (n.stages == 0) {
    result_.node_finish[node] = now;
    if (--nodes_left_[n.program] == 0) result_.program_finish[n.program] = now;
  }
}

// A straggler's delay holds its sends back, not what it receives.
void Engine::release_node(std::uint32_t node, Time now) {
  held_[node] = 0;
  const Instance::Node& n = in_.nodes[node];
  for (std::uint32_t k = 0; k < n.stages; ++k) {
    if (!stages_[n.stage(k)].open) continue;
    const Instance::Stage& s = in_.stages[n.stage(k)];
    for (std::uint32_t lane = s.first_lane; lane < s.first_lane + s.lanes; ++lane) try_lane(lane, now);
  }
}

void Engine::open_stage(std::uint32_t stage, Time now) {
  stages_[stage].open = true;
  const Instance::Stage& s = in_.stages[stage];
  if (stages_[stage].left == 0) {
    stage_done(stage, now);
    return;
  }
  for (std::uint32_t lane = s.first_lane; lane < s.first_lane + s.lanes; ++lane) try_lane(lane, now);
}

// A stage with nothing left is done only once it is open; receives may come earlier.
void Engine::count_down(std::uint32_t stage, Time now) {
  TAHOMA_ASSERT(stages_[stage].left > 0, "a message too many");
  if (--stages_[stage].left == 0 && stages_[stage].open) stage_done(stage, now);
}

void Engine::stage_done(std::uint32_t stage, Time now) {
  const Instance::Stage& s = in_.stages[stage];
  if (--stages_left_[s.node] == 0) {
    result_.node_finish[s.node] = now;
    if (trace_ != nullptr) trace_->node_cause[s.node] = cause_;
    const std::uint32_t program = in_.nodes[s.node].program;
    if (--nodes_left_[program] == 0) {
      result_.program_finish[program] = now;
      for (std::uint32_t p = 0; p < in_.programs.size(); ++p) {
        const Instance::ProgramRow& next = in_.programs[p];
        if (next.after == program) queue_.push(now + next.pause, {Happening::program_starts, p});
      }
    }
  }
  if (s.next != Instance::no_stage) open_stage(s.next, now);
}

bool Engine::waits_hold(const Instance::SendShape& shape, std::uint32_t lane) {
  LaneState& state = lanes_[lane];
  for (std::uint32_t w = 0; w < shape.waits; ++w) {
    const Instance::WaitRow& wait = in_.wait(shape, w);
    const std::uint32_t needed = wait.count + wait.per_rep * state.rep;
    Counter& counter = counters_[wait.counter + state.node];
    if (counter.count >= needed) continue;
    counter.threshold = std::min(counter.threshold, needed);
    state.next_watcher = counter.watcher;
    state.watching = true;
    counter.watcher = lane;
    return false;
  }
  return true;
}

void Engine::try_lane(std::uint32_t lane, Time now) {
  LaneState& state = lanes_[lane];
  if (held_[state.node] != 0) return;
  while (!state.busy && !state.watching && state.send != none) {
    const Instance::SendShape& shape = in_.shape(in_.sends[state.send]);
    if (!stages_[shape.stage + state.node].open || !waits_hold(shape, lane)) return;
    start_message(lane, shape, now);
  }
}

void Engine::start_message(std::uint32_t lane, const Instance::SendShape& shape, Time now) {
  LaneState& state = lanes_[lane];
  std::uint32_t id;
  if (free_messages_.empty()) {
    id = static_cast<std::uint32_t>(messages_.size());
    messages_.emplace_back();
  } else {
    id = free_messages_.back();
    free_messages_.pop_back();
  }
  messages_[id] = {lane, state.send, state.rep, 0, 0, 0, now};
  if (trace_ != nullptr) {
    messages_[id].order = static_cast<std::uint32_t>(trace_->messages.size());
    trace_->messages.push_back({lane, state.send, cause_, now, now, Time::never()});
  }
  if (++state.rep == shape.reps) {
    state.rep = 0;
    state.send = shape.last ? none : state.send + shape.stride;
  }
  state.busy = true;
  ++result_.messages;
  const Duration overhead = in_.overhead_of(in_.lanes[lane].node);
  if (overhead.ps > 0) {
    queue_.push(now + overhead, {Happening::message_enters, id});
  } else {
    enter(id, now);
  }
}

// Two ways share the bytes, ceil and floor; a way without bytes does not exist.
void Engine::enter(std::uint32_t id, Time now) {
  Message& message = messages_[id];
  const Instance::SendRow& row = in_.sends[message.send];
  const Instance::SendShape& shape = in_.shape(row);
  message.delivery = now;
  const std::uint64_t second = shape.ways == 2 ? shape.bytes / 2 : 0;
  const std::uint64_t share[2] = {shape.bytes - second, second};
  for (std::uint32_t way = 0; way < 2; ++way) {
    if (share[way] == 0) continue;
    ++message.ways;
    ++message.arriving;
    set_out(id * 2 + way, now);
  }
  if (shape.bytes == 0) {
    message.delivery = now + in_.latency[row.path];
    message_drained(id, now);
  } else if (lanes_[message.lane].eager) {
    lanes_[message.lane].busy = false;
  }
}

void Engine::way_drained(std::uint32_t id, std::uint32_t way, Time now) {
  Message& message = messages_[id];
  const Time arrives = now + in_.latency[in_.sends[message.send].path + way];
  message.delivery = std::max(message.delivery, arrives);
  const bool left = --message.ways == 0, there = --message.arriving == 0;
  if (left && there) return message_drained(id, now);
  if (left) message_left(Message{message}, now);
}

void Engine::message_drained(std::uint32_t id, Time now) {
  const Message message = messages_[id];
  message_arrives(id, now);
  message_left(message, now);
}

void Engine::message_arrives(std::uint32_t id, Time now) {
  const EngineTrace::Cause outer_cause = std::exchange(cause_, {messages_[id].order, false});
  if (messages_[id].delivery > now) {
    queue_.push(messages_[id].delivery, {Happening::delivered, id});
  } else {
    deliver(id, now);
  }
  cause_ = outer_cause;
}

void Engine::message_left(const Message& message, Time now) {
  const Instance::SendShape& shape = in_.shape(in_.sends[message.send]);
  const EngineTrace::Cause outer_cause = std::exchange(cause_, {message.order, false});
  if (trace_ != nullptr) trace_->messages[message.order].left = now;
  LaneState& state = lanes_[message.lane];
  count_down(shape.stage + state.node, now);
  if (!state.eager || shape.bytes == 0) {
    state.busy = false;
    try_lane(message.lane, now);
  }
  cause_ = outer_cause;
}

void Engine::deliver(std::uint32_t id, Time now) {
  const Instance::SendRow& row = in_.sends[messages_[id].send];
  if (in_.shape(row).reduce && in_.reduction_rate_of(row.target).q20 != 0) {
    arrivals_.push_back(id);
  } else {
    received(id, now);
  }
}

// All arrivals of the instant are known: none of them depends on a reduction that ends now, since a reduction
// takes time. Their order is the contract's, not the order in which they were found.
void Engine::serve_arrivals(Time now) {
  if (arrivals_.empty()) return;
  const auto key = [&](std::uint32_t id) {
    const Message& m = messages_[id];
    const Instance::Lane& lane = in_.lanes[m.lane];
    return std::tuple(in_.programs[in_.nodes[lane.node].program].job, in_.sends[m.send].relative_source,
                      lane.channel, (m.send - lane.first_send) / lane.stride);
  };
  std::stable_sort(arrivals_.begin(), arrivals_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  for (const std::uint32_t arrival : arrivals_) {
    const Instance::SendRow& row = in_.sends[messages_[arrival].send];
    Time& free = reducer_free_[in_.nodes[row.target].chip_class];
    const Duration lasts =
        time_to_move(work_of(Bytes{in_.shape(row).bytes}),
                     Rate{static_cast<std::uint64_t>(in_.reduction_rate_of(row.target).q20)});
    free = std::max(free, now) + lasts;
    queue_.push(free, {Happening::reduced, arrival});
  }
  arrivals_.clear();
}

void Engine::received(std::uint32_t id, Time now) {
  const Message message = messages_[id];
  free_messages_.push_back(id);
  const Instance::SendRow& row = in_.sends[message.send];
  const Instance::SendShape& shape = in_.shape(row);
  cause_ = {message.order, true};
  if (trace_ != nullptr) trace_->messages[message.order].end = now;
  Counter& counter = counters_[shape.counter + row.target];
  ++counter.count;
  if (counter.count >= counter.threshold) wake(shape.counter + row.target, now);
  count_down(shape.stage + row.target, now);
}

void Engine::wake(std::uint32_t index, Time now) {
  Counter& counter = counters_[index];
  std::uint32_t lane = counter.watcher;
  counter.watcher = none;
  counter.threshold = none;
  while (lane != none) {
    LaneState& state = lanes_[lane];
    const std::uint32_t next = state.next_watcher;
    state.watching = false;
    try_lane(lane, now);
    lane = next;
  }
}

}  // namespace engine

EngineResult run_engine(const Instance& instance, const Topology& topology, std::span<const Duration> delays,
                        EngineTrace* trace) {
  return engine::Engine(instance, topology, delays, trace).run();
}

}  // namespace tahoma
