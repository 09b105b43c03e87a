// A floor of a schedule's time from its axes alone: no contention, every message at the best rate and the
// least latency that it could get; phases follow one another. Used to leave out candidates that cannot win,
// so it must never be above the true time.
//
// Where all ranks do the same, one stands for all: what it sends at t, it receives at t. Its lanes are played
// with their waits, which counts the latency of every step. Otherwise, and where that would take too many
// messages, it is the longest lane's bytes and one latency, or all that a rank sends over all its links.
#include <algorithm>
#include <limits>
#include <optional>
#include <queue>
#include <tuple>

#include "collectives/algorithms.h"

namespace tahoma {
namespace {

using Axes = std::span<const Axis>;

constexpr std::uint64_t most_messages = 20'000;  // of one rank, played

bool goes_along(const Peer& peer, std::size_t axis) {
  return peer.axis == flat_axis || peer.axis == axis || peer.also_axis == axis;
}

/// Of one message: its axis' rate, or that of the fastest axis; twice that where a route may be a tie and go
/// both ways round.
u128 best_rate(Axes axes, const Phase& phase, const Peer& peer) {
  u128 rate = 0;
  const bool shifts = peer.kind == Peer::Kind::shift || peer.kind == Peer::Kind::alternate;
  bool tie = !shifts || (peer.value != 1 && peer.value != -1);
  for (std::size_t a = 0; a < phase.axes.size(); ++a) {
    if (!goes_along(peer, a)) continue;
    const Axis& axis = axes[phase.axes[a]];
    if (axis.kind == Axis::Kind::list) return 0;
    rate = std::max(rate, axis.rate.q20);
    tie |= axis.size == 2;
  }
  return tie ? 2 * rate : rate;
}

std::int64_t least_latency(Axes axes, const Phase& phase, const Peer& peer) {
  std::int64_t latency = std::numeric_limits<std::int64_t>::max();
  for (std::size_t a = 0; a < phase.axes.size(); ++a) {
    if (!goes_along(peer, a)) continue;
    const Axis& axis = axes[phase.axes[a]];
    latency = std::min(latency, axis.kind == Axis::Kind::list ? 0 : axis.latency.ps);
  }
  return latency;
}

u128 message_time(Axes axes, const Phase& phase, const Send& send) {
  const u128 rate = best_rate(axes, phase, send.peer);
  return rate == 0 ? 0 : work_of(Bytes{send.bytes}).units / rate;
}

/// What is found for pairwise where it is listed: to the rank 1, 2, .. n - 1 places on, and the second time
/// round only when all of the first is there; which is seen where the messages are few enough to be played.
u128 unlisted_lane(Axes axes, const Phase& phase) {
  Send next, further;
  next.bytes = further.bytes = phase.piece_bytes[0];
  next.peer.value = 1;
  further.peer.value = 2;
  const u128 turns = phase.unlisted / (phase.positions - 1);
  const u128 time =
      message_time(axes, phase, next) + u128{phase.positions - 2} * message_time(axes, phase, further);
  const u128 arrivals = phase.unlisted <= most_messages ? turns : 1;
  return turns * time + arrivals * static_cast<u128>(least_latency(axes, phase, next.peer));
}

u128 longest_lane(Axes axes, const Phase& phase) {
  if (goes_on_unlisted(phase)) return unlisted_lane(axes, phase);
  u128 longest = 0;
  for (const Role& role : phase.roles)
    for (const Lane& lane : role.lanes) {
      u128 time = 0;
      std::int64_t latency = std::numeric_limits<std::int64_t>::max();
      for (const Send& send : lane.sends) {
        time += message_time(axes, phase, send) * send.reps;
        latency = std::min(latency, least_latency(axes, phase, send.peer));
      }
      if (!lane.sends.empty()) longest = std::max(longest, time + static_cast<u128>(latency));
    }
  return longest;
}

/// What a rank can send along the phase's axes, all its links together; 0: not known.
u128 injection_of(Axes axes, const Phase& phase) {
  u128 sum = 0;
  for (const std::uint8_t a : phase.axes) {
    const Axis& axis = axes[a];
    if (axis.size < 2) continue;
    // A fabric's rate is that of one way through it; several ways may give a NIC more.
    if (axis.kind == Axis::Kind::list || axis.kind == Axis::Kind::fabric) return 0;
    const bool one_port = axis.kind == Axis::Kind::switched;
    sum += axis.rate.q20 * (one_port ? 1u : axis.kind == Axis::Kind::full ? axis.size - 1 : 2u);
  }
  return sum;
}

/// All that the busiest rank sends, over all its links.
u128 busiest_rank(Axes axes, const Phase& phase) {
  const u128 rate = injection_of(axes, phase);
  u128 most = goes_on_unlisted(phase) ? work_of(Bytes{phase.piece_bytes[0]}).units * phase.unlisted : 0;
  for (const Role& role : phase.roles) {
    if (role.first == phase.positions) continue;  // the switch
    u128 units = 0;
    for (const Lane& lane : role.lanes)
      for (const Send& send : lane.sends) units += work_of(Bytes{send.bytes}).units * send.reps;
    most = std::max(most, units);
  }
  return rate == 0 ? 0 : most / rate;
}

/// One rank of a phase in which all do the same, its lanes and counters.
class OneForAll {
 public:
  OneForAll(Axes axes, const Phase& phase) : axes_(axes), phase_(phase), received_(phase.tags, 0) {
    for (const Lane& lane : phase.roles.front().lanes) lanes_.push_back({&lane, 0, 0, 0});
  }

  /// Nothing if the lanes wait for what never comes.
  std::optional<u128> play() {
    u128 now = 0, end = 0;
    for (;;) {
      bool went_on = false;
      for (RunningLane& lane : lanes_)
        if (!lane.done() && lane.free <= now && holds(lane)) {
          end = std::max(end, start(lane, now));
          went_on = true;
        }
      if (went_on) continue;
      const std::optional<u128> next = next_time(now);
      if (!next) break;
      now = *next;
      for (; !arrivals_.empty() && arrivals_.top().at <= now; arrivals_.pop())
        ++received_[arrivals_.top().tag];
    }
    const bool all_done =
        std::all_of(lanes_.begin(), lanes_.end(), [](const RunningLane& l) { return l.done(); });
    return all_done ? std::optional(end) : std::nullopt;
  }

 private:
  struct RunningLane {
    const Lane* lane;
    std::size_t send;
    std::uint32_t rep;
    u128 free;
    bool done() const { return send == lane->sends.size(); }
  };
  struct Arrival {
    u128 at;
    std::uint16_t tag;
    bool operator<(const Arrival& other) const { return std::tie(at, tag) > std::tie(other.at, other.tag); }
  };

  bool holds(const RunningLane& lane) const {
    const auto& waits = lane.lane->sends[lane.send].waits;
    return std::all_of(waits.begin(), waits.end(), [&](const Wait& wait) {
      return received_[wait.tag] >= wait.count + wait.per_rep * lane.rep;
    });
  }

  /// When the message has arrived.
  u128 start(RunningLane& lane, u128 now) {
    const Send& send = lane.lane->sends[lane.send];
    if (++lane.rep == send.reps) ++lane.send, lane.rep = 0;
    lane.free = now + message_time(axes_, phase_, send);
    const u128 arrives = lane.free + static_cast<u128>(least_latency(axes_, phase_, send.peer));
    arrivals_.push({arrives, send.tag});
    return arrives;
  }

  std::optional<u128> next_time(u128 now) const {
    std::optional<u128> next;
    if (!arrivals_.empty()) next = arrivals_.top().at;
    for (const RunningLane& lane : lanes_)
      if (!lane.done() && lane.free > now && (!next || lane.free < *next)) next = lane.free;
    return next;
  }

  const Axes axes_;
  const Phase& phase_;
  std::vector<std::uint32_t> received_;  // by tag
  std::vector<RunningLane> lanes_;
  std::priority_queue<Arrival> arrivals_;
};

/// Shifts, alternate ones too, and exclusive ors have the same number of messages in as out; tables and fixed
/// peers need not.
bool all_do_the_same(const Phase& phase) {
  if (phase.roles.size() != 1 || phase.roles.front().count != phase.positions) return false;
  std::uint64_t messages = 0;
  for (const Lane& lane : phase.roles.front().lanes)
    for (const Send& send : lane.sends) {
      if (send.peer.kind == Peer::Kind::absolute || send.peer.kind == Peer::Kind::table) return false;
      messages += send.reps;
    }
  return messages <= most_messages;
}

}  // namespace

u128 floor_of(std::span<const Axis> axes, const Phase& phase) {
  const u128 longest = std::max(longest_lane(axes, phase), busiest_rank(axes, phase));
  if (!all_do_the_same(phase)) return longest;
  return std::max(longest, OneForAll(axes, phase).play().value_or(0));
}

Duration sum_of_floors(u128 total) {
  constexpr u128 most = static_cast<u128>(std::numeric_limits<std::int64_t>::max());
  return {static_cast<std::int64_t>(std::min(total, most))};
}

Duration estimate(const Schedule& schedule) {
  u128 total = 0;
  for (const Phase& phase : schedule.phases) total += floor_of(schedule.axes, phase);
  return sum_of_floors(total);
}

}  // namespace tahoma
