// Links that store and forward: a message is a flow per hop, one after another.
//
// Problem: fluid sharing is of flows that hold their whole path at once. Where every link passes a message on
// only when all of it has arrived, it holds one link at a time, and others wait behind it.
//
// Idea: a queue per such link, first come, first served, one message at a time; who is served has the link
// for itself. All arrivals of an instant are known before any of them is served, so their order is the
// contract's (job, source relative to the link's chip, channel, place in the program), not that of finding.
#include <algorithm>
#include <tuple>

#include "collectives/solve/engine_state.h"

namespace tahoma::engine {

Engine::Trip Engine::trip_of(std::uint32_t owner) const {
  if ((owner & plain_flow) != 0) {
    const Instance::FlowRow& flow = in_.flows[owner & ~plain_flow];
    return {flow.path, flow.bytes};
  }
  const std::uint32_t way = owner & 1;
  const Instance::SendRow& row = in_.sends[messages_[owner >> 1].send];
  const Instance::SendShape& shape = in_.shape(row);
  const std::uint64_t second = shape.ways == 2 ? shape.bytes / 2 : 0;
  return {row.path + way, Bytes{way == 1 ? second : shape.bytes - second}};
}

std::uint32_t& Engine::hop_of(std::uint32_t owner) {
  if ((owner & plain_flow) != 0) return flow_hops_[owner & ~plain_flow];
  if (way_hops_.size() < 2 * messages_.size()) way_hops_.resize(2 * messages_.size());
  return way_hops_[owner];
}

void Engine::set_out(std::uint32_t owner, Time now) {
  const Trip trip = trip_of(owner);
  if (in_.paths[trip.path].hops == 0) {
    network_.start(trip.path, trip.bytes, owner, now);
    return;
  }
  hop_of(owner) = 0;
  reach_hop(owner, now);
}

void Engine::reach_hop(std::uint32_t owner, Time now) {
  const Trip trip = trip_of(owner);
  const Instance::Hop& hop = in_.hops[in_.paths[trip.path].first_hop + hop_of(owner)];
  if (hop.queue == Instance::no_link) {
    network_.start(hop.path, trip.bytes, owner, now);
    return;
  }
  hop_queues_[hop.queue].arrivals.push_back(owner);
  touch(hop.queue);
}

// A lane is free when the first hop is behind all ways of its message; that is there when the last one is.
void Engine::hop_crossed(std::uint32_t owner, Time now) {
  const Instance::Path& path = in_.paths[trip_of(owner).path];
  const std::uint32_t at = hop_of(owner);
  const Instance::Hop& hop = in_.hops[path.first_hop + at];
  if (hop.queue != Instance::no_link) {
    hop_queues_[hop.queue].busy = false;
    touch(hop.queue);
  }
  const Time there = now + in_.latency[hop.path];
  const bool last = at + 1 == path.hops;
  if (!last) {
    ++hop_of(owner);
    queue_.push(there, {Happening::hop_reached, owner});
  }
  if ((owner & plain_flow) != 0) {
    if (!last) return;
    result_.flow_finish[owner & ~plain_flow] = there;
    --flows_left_;
    return;
  }
  const std::uint32_t id = owner >> 1;
  if (at == 0 && --messages_[id].ways == 0) message_left(Message{messages_[id]}, now);
  if (!last) return;
  Message& message = messages_[id];
  message.delivery = std::max(message.delivery, there);
  if (--message.arriving == 0) message_arrives(id, now);
}

// Flows that belong to no collective come last.
bool Engine::comes_before(std::uint32_t owner, std::uint32_t other) const {
  const auto key = [&](std::uint32_t one) {
    if ((one & plain_flow) != 0) return std::tuple(1u, one, 0u, 0u, 0u, 0u, 0u, 0u);
    const Message& m = messages_[one >> 1];
    const Instance::Lane& lane = in_.lanes[m.lane];
    const Instance::SendRow& row = in_.sends[m.send];
    const Instance::Hop& hop = in_.hops[in_.paths[row.path + (one & 1)].first_hop + way_hops_[one]];
    const Instance::Node& node = in_.nodes[lane.node];
    const std::uint32_t stage = (in_.shape(row).stage + lane.node - node.first_stage) / node.stride;
    return std::tuple(0u, in_.programs[node.program].job, hop.relative_source, std::uint32_t{lane.channel},
                      stage, (m.send - lane.first_send) / lane.stride, m.rep, one & 1);
  };
  return key(owner) < key(other);
}

void Engine::touch(std::uint32_t queue) {
  if (hop_queues_[queue].touched) return;
  hop_queues_[queue].touched = true;
  touched_queues_.push_back(queue);
}

void Engine::serve_hops(Time now) {
  for (const std::uint32_t number : touched_queues_) {
    HopQueue& queue = hop_queues_[number];
    queue.touched = false;
    std::sort(queue.arrivals.begin(), queue.arrivals.end(),
              [&](std::uint32_t a, std::uint32_t b) { return comes_before(a, b); });
    queue.waiting.insert(queue.waiting.end(), queue.arrivals.begin(), queue.arrivals.end());
    queue.arrivals.clear();
    if (queue.busy || queue.waiting.empty()) continue;
    const std::uint32_t owner = queue.waiting.front();
    queue.waiting.pop_front();
    queue.busy = true;
    const Trip trip = trip_of(owner);
    network_.start(in_.hops[in_.paths[trip.path].first_hop + hop_of(owner)].path, trip.bytes, owner, now);
  }
  touched_queues_.clear();
}

}  // namespace tahoma::engine
