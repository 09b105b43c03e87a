// Structure, sizes, order, data, result: each phase must be well formed, cut the buffer as the one before
// left it, run to its end, keep its goal in every group and part; together they must be the collective.
#include "collectives/verify.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "collectives/between_sites.h"
#include "collectives/replay/exchange.h"
#include "collectives/replay/group.h"
#include "collectives/replay/relay.h"

namespace tahoma {
namespace {

std::uint64_t sum_of(const std::vector<std::uint64_t>& bytes) {
  std::uint64_t sum = 0;
  for (const std::uint64_t b : bytes) sum += b;
  return sum;
}

std::string check_send(const Phase& phase, const Send& send) {
  if (send.reps == 0) return "a send that never happens";
  if (send.tag >= phase.tags) return fmt::format("messages under tag {}, which nobody counts", send.tag);
  if (send.part >= phase.parts || part_of(send, send.reps - 1) >= phase.parts)
    return fmt::format("part {} of {}", send.part, phase.parts);
  if (!send.piece.empty() && send.piece.size() != phase.axes.size()) return "not one piece range per axis";
  if (!send.piece.empty() && pieces_per_part(phase) != phase.positions)
    return "piece ranges by axis, but not pieces";
  if (send.peer.axis != flat_axis && send.peer.axis >= phase.axes.size())
    return "a peer along an axis it lacks";
  if (send.peer.also_axis != flat_axis &&
      (send.peer.also_axis >= phase.axes.size() || send.peer.axis == flat_axis ||
       send.peer.axis == send.peer.also_axis))
    return "a peer along two axes that are not two of its own";
  if (send.peer.kind == Peer::Kind::table && phase.table.size() != phase.positions)
    return "a table with holes";
  const auto unknown = [&](std::uint8_t order) { return order != no_order && order >= phase.orders.size(); };
  if (unknown(send.peer.order) || unknown(send.flat.order) ||
      std::any_of(send.piece.begin(), send.piece.end(),
                  [&](const PieceRange& range) { return unknown(range.order); }))
    return "an order that is not there";
  for (const Wait& wait : send.waits)
    if (wait.tag >= phase.tags) return fmt::format("waits for tag {}, under which nobody sends", wait.tag);
  return {};
}

/// Positions have one role at most, roles one lane per channel.
std::string check_roles(const Phase& phase) {
  std::vector<bool> taken(phase.positions + 1, false);
  for (const Role& role : phase.roles) {
    for (std::uint32_t i = 0; i < role.count; ++i) {
      const std::uint64_t position = role.first + std::uint64_t{i} * role.stride;
      const bool is_switch = phase.has_switch && position == phase.positions;
      if (position >= phase.positions && !is_switch) return fmt::format("a role for position {}", position);
      if (taken[position]) return fmt::format("two roles for position {}", position);
      taken[position] = true;
    }
    std::set<std::uint16_t> channels;
    for (const Lane& lane : role.lanes) {
      if (!channels.insert(lane.channel).second) return fmt::format("two lanes on channel {}", lane.channel);
      for (const Send& send : lane.sends)
        if (std::string fault = check_send(phase, send); !fault.empty()) return fault;
    }
  }
  return {};
}

std::string check_structure(const Schedule& schedule, const Phase& phase) {
  std::uint64_t positions = 1;
  for (const std::uint8_t axis : phase.axes) {
    if (axis >= schedule.axes.size()) return fmt::format("axis {} of {}", axis, schedule.axes.size());
    if (std::count(phase.axes.begin(), phase.axes.end(), axis) != 1)
      return fmt::format("axis {} twice", axis);
    positions *= schedule.axes[axis].size;
  }
  if (positions != phase.positions)
    return fmt::format("{} positions on axes of {} ranks", phase.positions, positions);
  if (phase.piece_bytes.size() != phase.parts)
    return fmt::format("{} parts with {} piece sizes", phase.parts, phase.piece_bytes.size());
  return check_roles(phase);
}

/// The buffers must fit together: nothing of the buffer is left out, and a gather cuts as its scatter did.
class Sizes {
 public:
  explicit Sizes(const Schedule& schedule) : schedule_(schedule) {
    const std::uint64_t elements = ceil_div64(schedule.size.count, schedule.element_bytes);
    const std::uint64_t of_a_channel = ceil_div64(elements, schedule.channels);
    buffer_ = ceil_div64(of_a_channel, schedule.pipeline) * schedule.element_bytes;
  }

  std::string check() {
    const auto& phases = schedule_.phases;
    std::string fault;
    // A lone gather ends with the whole buffer: read it backwards.
    if (schedule_.collective == Collective::all_gather || schedule_.collective == Collective::gather) {
      for (auto phase = phases.rbegin(); phase != phases.rend() && fault.empty(); ++phase)
        fault = covers(*phase, sum_of(phase->piece_bytes));
    } else {
      for (auto phase = phases.begin(); phase != phases.end() && fault.empty(); ++phase) fault = next(*phase);
    }
    return fault;
  }

 private:
  std::string next(const Phase& phase) {
    if (phase.goal == PhaseGoal::reduce_scatter) {
      scatters_.push_back(&phase);
      return covers(phase, sum_of(phase.piece_bytes));
    }
    if (phase.goal == PhaseGoal::scatter) return covers(phase, sum_of(phase.piece_bytes));
    if (phase.goal != PhaseGoal::all_gather) return covers(phase, buffer_);
    if (scatters_.empty()) return fmt::format("phase '{}' gathers what was not scattered", phase.name);
    const Phase& scatter = *scatters_.back();
    scatters_.pop_back();
    if (scatter.axes != phase.axes || scatter.piece_bytes != phase.piece_bytes)
      return fmt::format("phase '{}' does not cut the buffer as phase '{}', which it undoes", phase.name,
                         scatter.name);
    return {};
  }

  std::string covers(const Phase& phase, std::uint64_t afterwards) {
    const std::uint64_t bytes = sum_of(phase.piece_bytes) * pieces_per_part(phase);
    if (bytes < buffer_)
      return fmt::format("phase '{}' moves pieces of {} bytes in all, the buffer has {}", phase.name, bytes,
                         buffer_);
    buffer_ = afterwards;
    return {};
  }

  const Schedule& schedule_;
  std::uint64_t buffer_ = 0;  // of one channel's one pipeline chunk
  std::vector<const Phase*> scatters_;
};

bool is_exchange(PhaseGoal goal) {
  return goal == PhaseGoal::all_to_all || goal == PhaseGoal::permute;
}

/// Axes scattered before and after; a fault if the goal does not apply to what is there.
std::string check_axes(const Phase& phase, const Holdings& holdings) {
  const bool rooted = phase.goal == PhaseGoal::gather || phase.goal == PhaseGoal::scatter;
  const bool needs_scattered = phase.goal == PhaseGoal::all_gather || phase.goal == PhaseGoal::gather;
  const bool by_position = needs_scattered || phase.goal == PhaseGoal::reduce_scatter || rooted;
  const auto own = own_axes(phase, holdings.axes);
  if (by_position && pieces_per_part(phase) != offsets_along(holdings.axes, own).size())
    return fmt::format("phase '{}' needs one piece per position", phase.name);
  for (const std::uint8_t axis : own)
    if (holdings.scattered[axis] != needs_scattered)
      return fmt::format("phase '{}': axis {} is {}scattered", phase.name, axis,
                         needs_scattered ? "not " : "");
  return {};
}

std::string play(const Phase& phase, const ReplayOrder& order, Holdings& holdings) {
  if (std::string fault = check_axes(phase, holdings); !fault.empty()) return fault;
  const auto members = offsets_along(holdings.axes, phase.axes);
  std::vector<bool> seen(holdings.ranks, false);
  for (std::uint32_t base = 0; base < holdings.ranks; ++base) {
    if (seen[base]) continue;
    for (const std::uint32_t member : members) seen[base + member] = true;
    for (const bool late : {true, false}) {
      GroupReplay group(holdings, phase, base);
      for (std::uint32_t part = 0; part < phase.parts; ++part)
        if (std::string fault = group.play(order, part, late); !fault.empty()) return fault;
      if (!late) group.store();
    }
  }
  for (const std::uint8_t axis : own_axes(phase, holdings.axes)) {
    if (phase.goal == PhaseGoal::reduce_scatter || phase.goal == PhaseGoal::scatter)
      holdings.scattered[axis] = true;
    if (phase.goal == PhaseGoal::all_gather || phase.goal == PhaseGoal::gather)
      holdings.scattered[axis] = false;
  }
  return {};
}

/// The collective's own promise, over all ranks.
std::string check_result(const Schedule& schedule, const Holdings& holdings) {
  const std::uint32_t n = schedule.ranks;
  const Collective what = schedule.collective;
  const bool scatters = what == Collective::reduce_scatter || what == Collective::scatter;
  const bool gathers = what == Collective::all_gather || what == Collective::gather;
  const bool from_root = what == Collective::broadcast || what == Collective::scatter;
  const bool only_root = what == Collective::gather || what == Collective::reduce;
  for (std::uint32_t rank = 0; rank < n; ++rank)
    for (std::uint32_t atom = 0; atom < n; ++atom) {
      if (scatters && atom != rank) continue;
      if (only_root && rank != schedule.root) continue;
      std::vector<std::uint64_t> wanted(words_of(n), 0);
      for (std::uint32_t of = 0; of < n; ++of) {
        if ((!gathers || of == atom) && (!from_root || of == schedule.root)) add_rank(wanted, of);
      }
      if (const std::uint32_t lacks = first_missing(wanted, holdings.at(rank, atom)); lacks != no_rank)
        return fmt::format("rank {}, piece {}: the contribution of rank {} is missing at the end", rank, atom,
                           lacks);
    }
  return {};
}

std::string find_fault(const Schedule& schedule);

// Over sites of different hardware: each site's scatter and gather as schedules of their own, and what they
// exchange in between.
std::string find_fault_of_parts(const Schedule& schedule) {
  std::size_t first = 0, count = 0;
  for (std::size_t p = 0; p < schedule.phases.size(); ++p) {
    if (schedule.phases[p].part != whole_group) continue;
    if (count == 0) first = p;
    if (p != first + count++)
      return fmt::format("phase '{}' stands apart from the others between sites", schedule.phases[p].name);
  }
  for (std::size_t part = 0; part < schedule.parts.size(); ++part) {
    for (const bool before : {true, false}) {
      Schedule half;
      half.collective = before ? Collective::reduce_scatter : Collective::all_gather;
      half.axes = schedule.parts[part].axes;
      half.ranks = schedule.parts[part].ranks;
      half.size = schedule.size;
      half.element_bytes = schedule.element_bytes;
      half.pipeline = schedule.pipeline;
      half.channels = schedule.channels;
      for (std::size_t p = before ? 0 : first + count; p < (before ? first : schedule.phases.size()); ++p) {
        if (schedule.phases[p].part == part) half.phases.push_back(schedule.phases[p]);
      }
      if (std::string fault = find_fault(half); !fault.empty())
        return fmt::format("site {}: {}", schedule.parts[part].name, fault);
    }
  }
  return fault_between(schedule, first, count);
}

std::string find_fault(const Schedule& schedule) {
  if (!schedule.parts.empty()) return find_fault_of_parts(schedule);
  std::uint64_t ranks = 1;
  for (const Axis& axis : schedule.axes) ranks *= axis.size;
  if (ranks != schedule.ranks) return fmt::format("{} ranks on axes of {}", schedule.ranks, ranks);
  for (const Phase& phase : schedule.phases)
    if (const std::string fault = check_structure(schedule, phase); !fault.empty())
      return fmt::format("phase '{}': {}", phase.name, fault);
  if (std::string fault = Sizes(schedule).check(); !fault.empty()) return fault;

  Holdings holdings(schedule);
  const bool exchange =
      schedule.collective == Collective::all_to_all || schedule.collective == Collective::permute;
  if (exchange && schedule.phases.size() != (schedule.ranks > 1 ? 1u : 0u))
    return "an exchange has one phase";
  for (const Phase& phase : schedule.phases) {
    if (is_exchange(phase.goal) != exchange || (exchange && phase.positions != schedule.ranks))
      return fmt::format("phase '{}' is no part of {}", phase.name, name_of(schedule.collective));
    const ReplayOrder order = replay_order(phase, schedule.axes);
    if (!order.fault.empty())
      return fmt::format("rank {}, {} (phase '{}')", offsets_along(schedule.axes, phase.axes)[order.fault_at],
                         order.fault, phase.name);
    std::string fault = exchange
                            ? phase.by_displacement ? check_relay(phase, order) : check_exchange(phase, order)
                            : play(phase, order, holdings);
    if (!fault.empty()) return fault;
  }
  return exchange ? "" : check_result(schedule, holdings);
}

}  // namespace

Verdict verify(const Schedule& schedule) {
  Verdict verdict;
  verdict.fault = find_fault(schedule);
  verdict.ok = verdict.fault.empty();
  return verdict;
}

}  // namespace tahoma
