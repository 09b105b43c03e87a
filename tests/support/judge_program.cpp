#include "tests/support/judge_program.h"

#include <algorithm>
#include <tuple>

namespace tahoma::judge {

namespace {

std::uint64_t modulo(std::int64_t value, std::uint64_t size) {
  const auto n = static_cast<std::int64_t>(size);
  return static_cast<std::uint64_t>(((value % n) + n) % n);
}

// How a phase sees a position of the group: the coordinates along the phase's own axes are its place in the
// phase; the others say which of the phase's independent groups it is in.
class PhaseView {
 public:
  PhaseView(const Schedule& schedule, const Phase& phase) : phase_(phase) {
    std::uint64_t stride = 1;
    for (const Axis& axis : schedule.axes) {
      strides_.push_back(stride);
      sizes_.push_back(axis.size);
      stride *= axis.size;
    }
  }

  std::uint64_t place_of(std::uint64_t position) const {
    std::uint64_t place = 0, radix = 1;
    for (const std::uint8_t axis : phase_.axes) {
      place += position / strides_[axis] % sizes_[axis] * radix;
      radix *= sizes_[axis];
    }
    return place;
  }

  /// The position that plays the switch: the one at place 0 among the same group of the phase.
  std::uint64_t switch_host(std::uint64_t position) const { return at_place(position, 0); }
  std::uint64_t beside(std::uint64_t position) const {
    return at_place(position, (place_of(position) + 1) % phase_.positions);
  }
  bool is_to_switch(const Peer& peer) const {
    return phase_.has_switch && peer.value == static_cast<std::int64_t>(phase_.positions);
  }

  std::uint64_t peer_of(std::uint64_t position, const Peer& peer) const {
    if (is_to_switch(peer)) return switch_host(position);
    if (peer.axis == flat_axis) {
      return at_place(position, target(peer, place_of(position), phase_.positions));
    }
    const std::uint8_t axis = phase_.axes.at(peer.axis);
    const std::uint64_t digit = position / strides_[axis] % sizes_[axis];
    const std::uint64_t there = position + (target(peer, digit, sizes_[axis]) - digit) * strides_[axis];
    return peer.also_axis == flat_axis ? there
                                       : moved_along(phase_.axes.at(peer.also_axis), there, peer.also);
  }

 private:
  std::uint64_t moved_along(std::uint8_t axis, std::uint64_t position, std::int64_t by) const {
    const std::uint64_t digit = position / strides_[axis] % sizes_[axis];
    return position + (modulo(static_cast<std::int64_t>(digit) + by, sizes_[axis]) - digit) * strides_[axis];
  }

  std::uint64_t target(const Peer& peer, std::uint64_t own, std::uint64_t size) const {
    std::uint64_t result = 0;
    switch (peer.kind) {
      case Peer::Kind::shift:
        if (peer.order == no_order) {
          result = modulo(static_cast<std::int64_t>(own) + peer.value, size);
        } else {
          const std::vector<std::uint32_t>& at = phase_.orders.at(peer.order).at;
          const auto place = std::find(at.begin(), at.end(), own) - at.begin();
          result = at.at(modulo(place + peer.value, size));
        }
        break;
      case Peer::Kind::alternate:
        result = modulo(static_cast<std::int64_t>(own) + (own % 2 == 0 ? 1 : -1) * peer.value, size);
        break;
      case Peer::Kind::exclusive_or:
        result = own ^ static_cast<std::uint64_t>(peer.value);
        break;
      case Peer::Kind::absolute:
        result = static_cast<std::uint64_t>(peer.value);
        break;
      case Peer::Kind::table:
        result = phase_.table.at(own);
        break;
    }
    if (result >= size) throw std::out_of_range("a send of phase " + phase_.name + " leaves its group");
    return result;
  }

  std::uint64_t at_place(std::uint64_t position, std::uint64_t place) const {
    for (const std::uint8_t axis : phase_.axes) {
      position -= position / strides_[axis] % sizes_[axis] * strides_[axis];
      position += place % sizes_[axis] * strides_[axis];
      place /= sizes_[axis];
    }
    return position;
  }

  const Phase& phase_;
  std::vector<std::uint64_t> strides_, sizes_;
};

// Source minus receiver, axis by axis, the innermost axis counting least: the same for all ranks under every
// renumbering of an axis by a shift, which a difference of whole positions would not be.
std::uint64_t relative_source(const Schedule& schedule, std::uint64_t source, std::uint64_t receiver) {
  std::uint64_t result = 0, stride = 1;
  for (const Axis& axis : schedule.axes) {
    const std::uint64_t size = axis.size;
    result += (source / stride % size + size - receiver / stride % size) % size * stride;
    stride *= size;
  }
  return result;
}

// Numbers of the sets of channels follow each other.
std::uint32_t route_lane_of(const Phase& phase, std::uint64_t set, std::uint16_t channel) {
  std::uint32_t channels = 0;
  for (const Role& role : phase.roles) {
    for (const Lane& lane : role.lanes) channels = std::max(channels, lane.channel + 1u);
  }
  return static_cast<std::uint32_t>(set) * channels + channel;
}

bool plays(const Role& role, std::uint64_t place) {
  for (std::uint64_t i = 0; i < role.count; ++i) {
    if (role.first + i * role.stride == place) return true;
  }
  return false;
}

std::vector<Need> needs_of(const Send& send, std::uint64_t rep) {
  std::vector<Need> needs;
  for (const Wait& wait : send.waits) needs.push_back({wait.tag, wait.count + wait.per_rep * rep});
  return needs;
}

class Lister {
 public:
  explicit Lister(const std::vector<Job>& jobs) : jobs_(jobs) {}

  Program list() {
    for (std::size_t job = 0; job < jobs_.size(); ++job) {
      program_.member_of.emplace_back();
      for (std::size_t group = 0; group < jobs_[job].groups.size(); ++group) {
        enlist(job, group);
        for (std::uint64_t set = 0; set < jobs_[job].schedule.channels; ++set) list_set(job, group, set);
      }
    }
    return std::move(program_);
  }

 private:
  void enlist(std::size_t job, std::size_t group) {
    const std::vector<ChipId>& chips = jobs_[job].groups[group];
    if (chips.size() != jobs_[job].schedule.ranks) throw std::invalid_argument("a group of another size");
    auto& members = program_.member_of[job].emplace_back();
    for (std::size_t position = 0; position < chips.size(); ++position) {
      members.push_back(program_.members.size());
      program_.members.push_back({job, group, position, chips[position]});
    }
  }

  // One of the sets of channels that run side by side: chunk after chunk, each through all phases.
  void list_set(std::size_t job, std::size_t group, std::uint64_t set) {
    const Schedule& schedule = jobs_[job].schedule;
    lanes_.clear();
    for (std::uint64_t chunk = 0; chunk < schedule.pipeline; ++chunk) {
      const std::size_t first_stage = add_stages(job, group);
      for (std::size_t phase = 0; phase < schedule.phases.size(); ++phase) {
        list_phase({job, group, set, chunk, phase, first_stage + phase * schedule.ranks});
      }
    }
  }

  std::size_t add_stages(std::size_t job, std::size_t group) {
    const Schedule& schedule = jobs_[job].schedule;
    const std::size_t first = program_.stages.size();
    for (std::size_t phase = 0; phase < schedule.phases.size(); ++phase) {
      for (std::size_t position = 0; position < schedule.ranks; ++position) {
        Stage stage;
        stage.member = program_.member_of[job][group][position];
        if (phase == 0) program_.first_stages.push_back(program_.stages.size());
        if (phase + 1 < schedule.phases.size()) stage.next = program_.stages.size() + schedule.ranks;
        program_.stages.push_back(stage);
      }
    }
    return first;
  }

  struct Where {
    std::size_t job, group;
    std::uint64_t set, chunk;
    std::size_t phase, first_stage;  // the stage of position 0
  };

  void list_phase(const Where& where) {
    const Schedule& schedule = jobs_[where.job].schedule;
    const Phase& phase = schedule.phases[where.phase];
    const PhaseView view(schedule, phase);
    for (std::uint64_t position = 0; position < schedule.ranks; ++position) {
      for (const Role& role : phase.roles) {
        const bool as_switch =
            phase.has_switch && view.place_of(position) == 0 && plays(role, phase.positions);
        if (!as_switch && !plays(role, view.place_of(position))) continue;
        for (const Lane& lane : role.lanes) {
          for (const Send& send : lane.sends) {
            const std::uint64_t peer = view.peer_of(position, send.peer);
            const Leg leg = view.is_to_switch(send.peer) ? Leg::up : as_switch ? Leg::down : Leg::whole;
            for (std::uint64_t rep = 0; rep < send.reps && (peer != position || phase.has_switch); ++rep) {
              Message& message = add_message(where, lane, send, rep, position, peer);
              message.leg = leg;
              message.paired_ranks = phase.paired_ranks;
              const auto& chips = jobs_[where.job].groups[where.group];
              message.route_from = chips[leg == Leg::down ? view.beside(peer) : position];
              message.route_to = chips[leg == Leg::up ? view.beside(position) : peer];
              if (leg == Leg::up) message.op = Op::copy;  // the switch adds for nothing
            }
          }
        }
      }
    }
  }

  Message& add_message(const Where& where, const Lane& lane, const Send& send, std::uint64_t rep,
                       std::uint64_t position, std::uint64_t peer) {
    const Schedule& schedule = jobs_[where.job].schedule;
    const auto& members = program_.member_of[where.job][where.group];
    LaneQueue& queue = lane_at(where.phase, position, lane.channel);
    Message message;
    message.from = members[position];
    message.to = members[peer];
    message.from_stage = where.first_stage + position;
    message.to_stage = where.first_stage + peer;
    message.route_lane = route_lane_of(schedule.phases[where.phase], where.set, lane.channel);
    message.bytes = send.bytes;
    message.op = send.op;
    message.tag = send.tag;
    message.needs = needs_of(send, rep);
    message.precedence = {where.job,          relative_source(schedule, position, peer),
                          message.route_lane, where.chunk,
                          where.phase,        queue.messages.size()};
    queue.messages.push_back(program_.messages.size());
    ++program_.stages[message.from_stage].outstanding;
    ++program_.stages[message.to_stage].outstanding;
    program_.messages.push_back(std::move(message));
    return program_.messages.back();
  }

  LaneQueue& lane_at(std::size_t phase, std::uint64_t position, std::uint16_t channel) {
    const auto [entry, is_new] = lanes_.try_emplace({phase, position, channel}, program_.lanes.size());
    if (is_new) program_.lanes.emplace_back();
    return program_.lanes[entry->second];
  }

  const std::vector<Job>& jobs_;
  Program program_;
  // Of the set of channels being listed; chunks share them.
  std::map<std::tuple<std::size_t, std::uint64_t, std::uint16_t>, std::size_t> lanes_;
};

}  // namespace

Program list_messages(const std::vector<Job>& jobs) {
  return Lister(jobs).list();
}

std::string name_of(const Member& member) {
  return "job " + std::to_string(member.job) + ", group " + std::to_string(member.group) + ", rank " +
         std::to_string(member.position);
}

}  // namespace tahoma::judge
