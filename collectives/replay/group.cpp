#include "collectives/replay/group.h"

#include <algorithm>

#include <fmt/format.h>

namespace tahoma {
namespace {

std::string refuse_reduce(const Contributions& arrived, const Contributions& mine) {
  if (is_empty(mine)) return "reduces into what it does not hold";
  const std::uint32_t twice = first_common(arrived, mine);
  return twice == no_rank ? "" : fmt::format("contribution of rank {} counted twice", twice);
}

/// A copy may only replace a part of itself: otherwise something is lost, or it is a second delivery.
std::string refuse_copy(const Contributions& arrived, const Contributions& mine) {
  const std::uint32_t lost = first_missing(mine, arrived);
  if (lost != no_rank) return fmt::format("a copy loses the contribution of rank {}", lost);
  return arrived == mine ? "delivered twice" : "";
}

std::string difference(const Contributions& got, const Contributions& wanted) {
  if (const std::uint32_t rank = first_missing(wanted, got); rank != no_rank)
    return fmt::format("the contribution of rank {} is missing", rank);
  if (const std::uint32_t rank = first_missing(got, wanted); rank != no_rank)
    return fmt::format("has a contribution of rank {} that does not belong there", rank);
  return {};
}

}  // namespace

GroupReplay::GroupReplay(Holdings& holdings, const Phase& phase, std::uint32_t base)
    : holdings_(holdings),
      phase_(phase),
      at_(offsets_along(holdings.axes, phase.axes)),
      one_per_position_(pieces_per_part(phase) == phase.positions && phase.goal != PhaseGoal::broadcast) {
  for (std::uint32_t& rank : at_) rank += base;
  list_atoms(base);
}

void GroupReplay::list_atoms(std::uint32_t base) {
  std::uint32_t fixed = 0, stride = 1;
  std::vector<std::uint8_t> beside_phase, unscattered;
  for (std::uint8_t a = 0; a < holdings_.axes.size(); ++a) {
    const std::uint32_t size = holdings_.axes[a].size;
    const bool of_phase = std::find(phase_.axes.begin(), phase_.axes.end(), a) != phase_.axes.end();
    if (!of_phase && holdings_.scattered[a]) fixed += (base / stride) % size * stride;
    if (!of_phase && !holdings_.scattered[a]) beside_phase.push_back(a);
    if (!holdings_.scattered[a]) unscattered.push_back(a);
    stride *= size;
  }
  piece_start_ = offsets_along(holdings_.axes, phase_.axes);
  inside_piece_ = offsets_along(holdings_.axes, beside_phase);
  region_ = offsets_along(holdings_.axes, unscattered);
  for (std::uint32_t& atom : piece_start_) atom += fixed;
  for (std::uint32_t& atom : region_) atom += fixed;
}

std::string GroupReplay::play(const ReplayOrder& order, std::uint16_t part, bool late) {
  load();
  in_flight_.assign(order.messages.size(), {});
  std::string fault;
  const auto happen = [&](Event::Kind kind, std::uint32_t index) {
    const Message& message = order.messages[index];
    if (!fault.empty() || message.send->part != part) return;
    fault = kind == Event::Kind::sent ? send(message, index) : receive(message, index);
  };
  if (late) {
    for (const Event& event : order.late) happen(event.kind, event.message);
  } else {
    for (std::uint32_t m = 0; m < order.messages.size(); ++m) {
      happen(Event::Kind::sent, m);
      happen(Event::Kind::visible, m);
    }
  }
  return fault.empty() ? check(part) : fault;
}

void GroupReplay::load() {
  content_.clear();
  for (std::uint32_t p = 0; p < phase_.positions; ++p)
    for (std::uint32_t piece = 0; piece < pieces_per_part(phase_); ++piece)
      for (std::uint32_t a = 0; a < atoms_per_piece(); ++a) content_.push_back(before(p, piece, a));
}

std::string GroupReplay::fault(const Message& message, std::uint32_t position, std::uint32_t piece,
                               const std::string& what) const {
  return fmt::format("rank {}, part {}, piece {}: {} (message of rank {}, {}, phase '{}')", at_[position],
                     message.send->part, piece, what, at_[message.from], to_string(message), phase_.name);
}

std::string GroupReplay::send(const Message& message, std::uint32_t index) {
  for (const std::uint32_t piece : message.pieces)
    for (std::uint32_t a = 0; a < atoms_per_piece(); ++a) {
      const Contributions& sent = content(message.from, piece, a);
      if (is_empty(sent)) return fault(message, message.from, piece, "sends what it does not hold");
      in_flight_[index].push_back(sent);
    }
  return {};
}

std::string GroupReplay::receive(const Message& message, std::uint32_t index) {
  std::size_t next = 0;
  for (const std::uint32_t piece : message.pieces)
    for (std::uint32_t a = 0; a < atoms_per_piece(); ++a) {
      const Contributions& arrived = in_flight_[index][next++];
      Contributions& mine = content(message.to, piece, a);
      const bool reduces = message.send->op == Op::reduce;
      const std::string what = reduces ? refuse_reduce(arrived, mine) : refuse_copy(arrived, mine);
      if (!what.empty()) return fault(message, message.to, piece, what);
      add(mine, arrived);
    }
  in_flight_[index].clear();
  return {};
}

/// What the goal promises of an atom of a piece, to every position that must have it at the end.
Contributions GroupReplay::promised(std::uint32_t position, std::uint32_t piece, std::uint32_t a) const {
  if (phase_.goal == PhaseGoal::all_gather) return before(piece, piece, a);
  Contributions sum = before(position, piece, a);
  for (std::uint32_t member = 0; member < phase_.positions; ++member) add(sum, before(member, piece, a));
  return sum;
}

std::string GroupReplay::check(std::uint16_t part) {
  if (phase_.goal == PhaseGoal::broadcast) return check_broadcast(part);
  for (std::uint32_t piece = 0; piece < pieces_per_part(phase_); ++piece)
    for (std::uint32_t a = 0; a < atoms_per_piece(); ++a) {
      const Contributions wanted = promised(0, piece, a);
      for (std::uint32_t p = 0; p < phase_.positions; ++p) {
        if (phase_.goal == PhaseGoal::reduce_scatter && piece != p) continue;
        if (const std::string what = difference(content(p, piece, a), wanted); !what.empty())
          return fmt::format("rank {}, part {}, piece {}: {} (after phase '{}')", at_[p], part, piece, what,
                             phase_.name);
      }
    }
  return {};
}

/// A broadcast phase promises nothing by itself (an outer level reaches few ranks), but all parts and pieces
/// must have come equally far.
std::string GroupReplay::check_broadcast(std::uint16_t part) {
  for (std::uint32_t p = 0; p < phase_.positions; ++p) {
    if (part == 0) first_part_.push_back(content(p, 0, 0));
    for (std::uint32_t piece = 0; piece < pieces_per_part(phase_); ++piece)
      if (content(p, piece, 0) != first_part_[p])
        return fmt::format("rank {}, part {}, piece {}: did not come where part 0 came (after phase '{}')",
                           at_[p], part, piece, phase_.name);
  }
  return {};
}

void GroupReplay::store() {
  for (std::uint32_t p = 0; p < phase_.positions; ++p) {
    if (!one_per_position_)
      for (const std::uint32_t atom : region_) holdings_.at(at_[p], atom) = content(p, 0, 0);
    if (!one_per_position_) continue;
    for (std::uint32_t piece = 0; piece < phase_.positions; ++piece) {
      const bool dropped = phase_.goal == PhaseGoal::reduce_scatter && piece != p;
      for (std::uint32_t a = 0; a < atoms_per_piece(); ++a) {
        Contributions& held = holdings_.at(at_[p], atom(piece, a));
        held = dropped ? no_contributions(holdings_.ranks) : content(p, piece, a);
      }
    }
  }
}

}  // namespace tahoma
