#include "collectives/replay/order.h"

#include <algorithm>
#include <deque>

#include <fmt/format.h>

namespace tahoma {
namespace {

struct RunningLane {
  RunningLane(std::uint32_t at, const Lane& what) : position(at), lane(&what) {}
  std::uint32_t position;
  const Lane* lane;
  std::uint32_t send = 0, rep = 0;
  bool queued = true;
  bool done() const { return send == lane->sends.size(); }
};

std::uint32_t demanded(const Wait& wait, std::uint32_t rep) {
  return wait.count + wait.per_rep * rep;
}

/// Messages of one lane under one tag of one receiver: they arrive in order.
struct Stream {
  std::uint32_t lane = 0;
  std::vector<std::uint32_t> messages;
};

class Replay {
 public:
  Replay(const Phase& phase, std::span<const Axis> axes) : phase_(phase), axes_(axes) {
    received_.assign(std::size_t{places_of(phase)} * phase.tags, 0);
    lanes_at_.resize(places_of(phase));
    for (const Role& role : phase.roles)
      for (std::uint32_t i = 0; i < role.count; ++i)
        for (const Lane& lane : role.lanes) start_lane(role.first + i * role.stride, lane);
  }

  ReplayOrder run() {
    std::deque<std::uint32_t> ready;
    for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) ready.push_back(lane);
    while (!ready.empty() && order_.fault.empty()) {
      const std::uint32_t lane = ready.front();
      ready.pop_front();
      lanes_[lane].queued = false;
      while (!lanes_[lane].done() && holds(lanes_[lane]) && order_.fault.empty())
        for (const std::uint32_t woken : lanes_at_[send_next(lane)]) wake(woken, ready);
    }
    if (order_.fault.empty()) name_the_stuck();
    if (order_.fault.empty()) list_what_is_seen();
    return std::move(order_);
  }

 private:
  void start_lane(std::uint32_t position, const Lane& lane) {
    lanes_at_[position].push_back(static_cast<std::uint32_t>(lanes_.size()));
    lanes_.emplace_back(position, lane);
  }

  void wake(std::uint32_t lane, std::deque<std::uint32_t>& ready) {
    RunningLane& woken = lanes_[lane];
    if (woken.queued || woken.done() || !holds(woken)) return;
    woken.queued = true;
    ready.push_back(lane);
  }

  std::uint32_t& received(std::uint32_t position, std::uint16_t tag) {
    return received_[std::size_t{position} * phase_.tags + tag];
  }

  bool holds(const RunningLane& lane) {
    const auto& waits = lane.lane->sends[lane.send].waits;
    return std::all_of(waits.begin(), waits.end(), [&](const Wait& wait) {
      return received(lane.position, wait.tag) >= demanded(wait, lane.rep);
    });
  }

  /// Sends the lane's next message; returns the receiver.
  std::uint32_t send_next(std::uint32_t number) {
    RunningLane& lane = lanes_[number];
    const Send& send = lane.lane->sends[lane.send];
    Message message;
    message.send = &send;
    message.from = lane.position;
    message.lane = number;
    message.channel = lane.lane->channel;
    message.send_index = lane.send;
    message.rep = lane.rep;
    message.to = peer_position(phase_, axes_, send.peer, lane.position);
    message.pieces = pieces_carried(phase_, axes_, send, lane.position, lane.rep);
    if (++lane.rep == send.reps) ++lane.send, lane.rep = 0;
    order_.fault = check(message);
    order_.fault_at = message.from;
    if (!order_.fault.empty()) return lane.position;
    ++received(message.to, send.tag);
    const std::uint32_t to = message.to;
    order_.messages.push_back(std::move(message));
    return to;
  }

  std::string check(const Message& m) const {
    const auto fault = [&](const std::string& what) { return fmt::format("{}: {}", to_string(m), what); };
    if (m.to >= places_of(phase_)) return fault(fmt::format("there is no position {}", m.to));
    if (m.to == m.from) return fault("sends to itself");
    if (m.pieces.empty()) return fault("carries nothing");
    for (const std::uint32_t piece : m.pieces)
      if (piece >= pieces_per_part(phase_)) return fault(fmt::format("there is no piece {}", piece));
    const std::uint64_t bytes = phase_.piece_bytes[part_of(*m.send, m.rep)] * m.pieces.size();
    if (m.send->bytes != bytes)
      return fault(fmt::format("part {}, piece {}: says {} bytes, its {} pieces are {}",
                               part_of(*m.send, m.rep), m.pieces.front(), m.send->bytes, m.pieces.size(),
                               bytes));
    return {};
  }

  void name_the_stuck() {
    for (const RunningLane& lane : lanes_) {
      if (lane.done()) continue;
      const Send& send = lane.lane->sends[lane.send];
      const auto pieces = pieces_carried(phase_, axes_, send, lane.position, lane.rep);
      for (const Wait& wait : send.waits) {
        const std::uint32_t have = received(lane.position, wait.tag);
        if (have >= demanded(wait, lane.rep)) continue;
        order_.fault_at = lane.position;
        order_.fault = fmt::format(
            "channel {}, send {}, repetition {} (part {}, piece {}) waits for {} messages under tag {} and "
            "gets {}; "
            "{}",
            lane.lane->channel, lane.send, lane.rep, part_of(send, lane.rep), pieces.front(),
            demanded(wait, lane.rep), wait.tag, have, who_owes(lane.position, wait.tag));
        return;
      }
    }
  }

  std::string who_owes(std::uint32_t position, std::uint16_t tag) const {
    for (const RunningLane& lane : lanes_)
      for (std::uint32_t s = lane.send; s < lane.lane->sends.size(); ++s)
        if (const Send& send = lane.lane->sends[s];
            send.tag == tag && peer_position(phase_, axes_, send.peer, lane.position) == position)
          return fmt::format("the next one would come from position {}, which is stuck too", lane.position);
    return "nobody sends more";
  }

  void list_what_is_seen() {
    order_.by_part.resize(phase_.parts);
    sort_into_streams();
    demanded_.assign(lanes_.size() * phase_.tags, 0);
    for (std::uint32_t m = 0; m < order_.messages.size(); ++m) {
      const Message& message = order_.messages[m];
      order_.by_part[part_of(*message.send, message.rep)].push_back(m);
      for (const Wait& wait : message.send->waits) see(m, wait.tag, demanded(wait, message.rep));
    }
    for (Message& message : order_.messages)
      std::sort(message.seen.begin(), message.seen.end(),
                [](const Message::Seen& a, const Message::Seen& b) { return a.lane < b.lane; });
  }

  void sort_into_streams() {
    inbox_.resize(received_.size());
    for (std::uint32_t m = 0; m < order_.messages.size(); ++m) {
      const Message& message = order_.messages[m];
      auto& streams = inbox_[std::size_t{message.to} * phase_.tags + message.send->tag];
      auto stream = std::find_if(streams.begin(), streams.end(),
                                 [&](const Stream& s) { return s.lane == message.lane; });
      if (stream == streams.end()) stream = streams.insert(streams.end(), Stream{message.lane, {}});
      stream->messages.push_back(m);
    }
  }

  /// Message m is sent after `count` messages under `tag`: what its lane is sure of from now on.
  void see(std::uint32_t m, std::uint16_t tag, std::uint32_t count) {
    const std::uint32_t lane = order_.messages[m].lane;
    std::uint32_t& before = demanded_[std::size_t{lane} * phase_.tags + tag];
    if (count <= before) return;
    const std::uint32_t position = order_.messages[m].from, total = received(position, tag);
    for (const Stream& stream : inbox_[std::size_t{position} * phase_.tags + tag]) {
      const std::uint32_t others = total - static_cast<std::uint32_t>(stream.messages.size());
      for (std::uint32_t i = before > others ? before - others : 0; i + others < count; ++i)
        order_.messages[stream.messages[i]].seen.push_back({lane, m});
    }
    before = count;
  }

  const Phase& phase_;
  std::span<const Axis> axes_;
  std::vector<RunningLane> lanes_;
  std::vector<std::vector<std::uint32_t>> lanes_at_;  // by position
  std::vector<std::uint32_t> received_;               // by position and tag
  std::vector<std::vector<Stream>> inbox_;            // likewise
  std::vector<std::uint32_t> demanded_;               // by lane and tag
  ReplayOrder order_;
};

}  // namespace

ReplayOrder replay_order(const Phase& phase, std::span<const Axis> axes) {
  return Replay(phase, axes).run();
}

bool is_sure(const ReplayOrder& order, std::uint32_t later, std::uint32_t earlier) {
  const auto& seen = order.messages[earlier].seen;
  const std::uint32_t lane = order.messages[later].lane;
  const auto at = std::lower_bound(seen.begin(), seen.end(), lane,
                                   [](const Message::Seen& s, std::uint32_t l) { return s.lane < l; });
  return at != seen.end() && at->lane == lane && at->from_message <= later;
}

std::string to_string(const Message& message) {
  return fmt::format("channel {}, send {}, repetition {}", message.channel, message.send_index, message.rep);
}

}  // namespace tahoma
