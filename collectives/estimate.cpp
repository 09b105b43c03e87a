// A floor of a schedule's time from its axes alone: no contention, no waiting but for what a lane must send.
//
// Per phase the longest lane (its bytes at the best rate that a message of it could get) and one latency; phases
// follow one another. Used to leave out candidates that cannot win, so it must never be above the true time.
#include <algorithm>

#include "collectives/algorithms.h"

namespace tahoma {

namespace {

// The best rate of one message: its axis', or that of the fastest axis; twice that where a route may be a tie
// and go both ways round.
u128 best_rate(const Schedule& schedule, const Phase& phase, const Peer& peer) {
  u128 rate = 0;
  bool tie = peer.kind != Peer::Kind::shift || (peer.value != 1 && peer.value != -1);
  for (std::size_t a = 0; a < phase.axes.size(); ++a) {
    if (peer.axis != flat_axis && peer.axis != a) continue;
    const Axis& axis = schedule.axes[phase.axes[a]];
    rate = std::max(rate, axis.rate.q20);
    tie |= axis.size == 2;
  }
  return tie ? 2 * rate : rate;
}

u128 lane_time(const Schedule& schedule, const Phase& phase, const Lane& lane) {
  u128 time = 0;
  for (const Send& send : lane.sends) {
    const u128 rate = best_rate(schedule, phase, send.peer);
    if (rate > 0) time += work_of(Bytes{send.bytes}).units / rate * send.reps;
  }
  return time;
}

}  // namespace

Duration estimate(const Schedule& schedule) {
  u128 total = 0;
  for (const Phase& phase : schedule.phases) {
    u128 longest = 0;
    std::int64_t latency = std::numeric_limits<std::int64_t>::max();
    for (const Role& role : phase.roles) {
      for (const Lane& lane : role.lanes) longest = std::max(longest, lane_time(schedule, phase, lane));
    }
    for (const std::uint8_t axis : phase.axes) latency = std::min(latency, schedule.axes[axis].latency.ps);
    if (longest > 0) total += longest + static_cast<u128>(latency);
  }
  constexpr u128 most = static_cast<u128>(std::numeric_limits<std::int64_t>::max());
  return {static_cast<std::int64_t>(std::min(total, most))};
}

}  // namespace tahoma
