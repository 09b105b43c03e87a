// Small schedules spelled out in a test, so that what is expected of them can be worked out with a pencil.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "collectives/schedule.h"

namespace tahoma::judge {

inline Send send_to(Peer peer, std::uint64_t bytes, std::vector<Wait> waits = {}, std::uint16_t tag = 0,
                    Op op = Op::copy) {
  Send send;
  send.peer = peer;
  send.bytes = bytes;
  send.waits = std::move(waits);
  send.tag = tag;
  send.op = op;
  return send;
}
inline Peer by_shift(std::int64_t steps) {
  return {Peer::Kind::shift, flat_axis, steps};
}
inline Peer by_number(std::int64_t position) {
  return {Peer::Kind::absolute, flat_axis, position};
}

inline Role role_of_all(std::uint32_t positions, std::vector<Lane> lanes) {
  return {0, positions, 1, std::move(lanes)};
}
inline Role role_of_one(std::uint32_t position, std::vector<Lane> lanes) {
  return {position, 1, 1, std::move(lanes)};
}

inline Phase phase_of(std::vector<std::uint8_t> axes, std::uint32_t positions, std::vector<Role> roles) {
  Phase phase;
  phase.name = "by hand";
  phase.axes = std::move(axes);
  phase.positions = positions;
  phase.tags = 8;
  phase.roles = std::move(roles);
  return phase;
}

inline Schedule schedule_of(const std::vector<std::uint32_t>& sizes, std::vector<Phase> phases) {
  Schedule schedule;
  for (const std::uint32_t size : sizes) {
    Axis axis;
    axis.size = size;
    schedule.axes.push_back(axis);
    schedule.ranks *= size;
  }
  schedule.phases = std::move(phases);
  return schedule;
}

/// One phase on one axis.
inline Schedule schedule_of(std::uint32_t ranks, std::vector<Role> roles) {
  return schedule_of({ranks}, {phase_of({0}, ranks, std::move(roles))});
}

/// The one-way ring all-reduce: 2(n - 1) messages of a shard on one lane, message k after k receives; the
/// first n - 1 are reduced.
inline Schedule ring_all_reduce(std::uint32_t n, std::uint64_t shard_bytes) {
  Send reduce = send_to(by_shift(1), shard_bytes, {{0, 0, 1}}, 0, Op::reduce);
  reduce.reps = n - 1;
  Send copy = send_to(by_shift(1), shard_bytes, {{0, n - 1, 1}});
  copy.reps = n - 1;
  return schedule_of(n, {role_of_all(n, {{0, {reduce, copy}}})});
}

}  // namespace tahoma::judge
