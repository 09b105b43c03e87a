#include "collectives/replay/group.h"

#include <algorithm>

#include <fmt/format.h>

namespace tahoma {
namespace {

constexpr std::uint32_t everything = ~0u;  // later than any message

std::string refuse_reduce(Contributions arrived, Contributions mine) {
  if (is_empty(mine)) return "reduces into what it does not hold";
  const std::uint32_t twice = first_common(arrived, mine);
  return twice == no_rank ? "" : fmt::format("contribution of rank {} counted twice", twice);
}

/// A copy may only replace a part of itself: otherwise something is lost, or it is a second delivery.
std::string refuse_copy(Contributions arrived, Contributions mine) {
  const std::uint32_t lost = first_missing(mine, arrived);
  if (lost != no_rank) return fmt::format("a copy loses the contribution of rank {}", lost);
  return same(arrived, mine) ? "delivered twice" : "";
}

bool is_by_position(const Phase& phase) {
  switch (phase.goal) {
    case PhaseGoal::gather:
    case PhaseGoal::scatter:
      return true;
    case PhaseGoal::broadcast:
    case PhaseGoal::reduce:
    case PhaseGoal::barrier:
      return false;
    default:
      return pieces_per_part(phase) == phase.positions;
  }
}

std::string difference(Contributions got, Contributions wanted) {
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
      one_per_position_(is_by_position(phase)),
      words_(words_of(holdings.ranks)),
      nothing_(words_, 0) {
  for (std::uint32_t& rank : at_) rank += base;
  if (phase.has_switch) at_.push_back(no_rank);
  list_atoms(base);
}

void GroupReplay::list_atoms(std::uint32_t base) {
  std::uint32_t fixed = 0, stride = 1;
  const auto own = own_axes(phase_, holdings_.axes);
  std::vector<std::uint8_t> beside_phase, unscattered;
  for (std::size_t axis = 0; axis < holdings_.axes.size(); ++axis) {
    const auto a = static_cast<std::uint8_t>(axis);
    const std::uint32_t size = holdings_.axes[a].size;
    const bool of_phase = std::find(own.begin(), own.end(), a) != own.end();
    if (!of_phase && holdings_.scattered[a]) fixed += (base / stride) % size * stride;
    if (!of_phase && !holdings_.scattered[a]) beside_phase.push_back(a);
    if (!holdings_.scattered[a]) unscattered.push_back(a);
    stride *= size;
  }
  piece_start_ = offsets_along(holdings_.axes, own);
  inside_piece_ = offsets_along(holdings_.axes, beside_phase);
  region_ = offsets_along(holdings_.axes, unscattered);
  for (std::uint32_t& atom : piece_start_) atom += fixed;
  for (std::uint32_t& atom : region_) atom += fixed;
}

std::string GroupReplay::play(const ReplayOrder& order, std::uint32_t part, bool late) {
  late_ = late;
  received_.assign(at_.size() * pieces_per_part(phase_), {});
  contents_.resize(order.messages.size());
  for (const std::uint32_t m : order.by_part[part])
    if (std::string fault = send(order, m); !fault.empty()) return fault;

  content_.resize(received_.size() * atoms_per_piece() * words_);
  for (std::uint32_t p = 0; p < phase_.positions; ++p)
    for (std::uint32_t piece = 0; piece < pieces_per_part(phase_); ++piece)
      for (std::uint32_t a = 0; a < atoms_per_piece(); ++a)
        if (std::string fault = look(order, p, piece, a, everything, content(p, piece, a)); !fault.empty())
          return fault;
  for (const std::uint32_t m : order.by_part[part]) contents_[m].clear();
  return check(part);
}

std::string GroupReplay::send(const ReplayOrder& order, std::uint32_t index) {
  const Message& message = order.messages[index];
  auto& contents = contents_[index];
  contents.assign(message.pieces.size() * atoms_per_piece() * words_, 0);
  for (std::uint32_t place = 0; place < message.pieces.size(); ++place)
    for (std::uint32_t a = 0; a < atoms_per_piece(); ++a) {
      const std::uint32_t piece = message.pieces[place];
      const MutableContributions sent{contents.data() + (place * atoms_per_piece() + a) * words_, words_};
      if (std::string bad = look(order, message.from, piece, a, index, sent); !bad.empty()) return bad;
      if (is_empty(sent)) return fault(message, message.from, piece, "sends what it does not hold");
    }
  for (std::uint32_t place = 0; place < message.pieces.size(); ++place)
    received_[std::size_t{message.to} * pieces_per_part(phase_) + message.pieces[place]].push_back(
        {index, place});
  return {};
}

std::string GroupReplay::look(const ReplayOrder& order, std::uint32_t position, std::uint32_t piece,
                              std::uint32_t a, std::uint32_t later, MutableContributions result) const {
  assign(result, before(position, piece, a));
  if (phase_.sends_own && later != everything) return {};
  for (const Received& r : received_[std::size_t{position} * pieces_per_part(phase_) + piece]) {
    if (late_ && later != everything && !is_sure(order, later, r.message)) continue;
    const Message& message = order.messages[r.message];
    const Contributions arrived{contents_[r.message].data() + (r.place * atoms_per_piece() + a) * words_,
                                words_};
    const bool reduces = message.send->op == Op::reduce;
    const bool only_tells = phase_.goal == PhaseGoal::barrier;
    const bool first_there = is_empty(result) && position == phase_.positions;
    const std::string what = only_tells || first_there ? ""
                             : reduces                 ? refuse_reduce(arrived, result)
                                                       : refuse_copy(arrived, result);
    if (!what.empty()) return fault(message, position, piece, what);
    add(result, arrived);
  }
  return {};
}

std::string GroupReplay::fault(const Message& message, std::uint32_t position, std::uint32_t piece,
                               const std::string& what) const {
  return fmt::format("rank {}, part {}, piece {}: {} (message of rank {}, {}, phase '{}')", at_[position],
                     part_of(*message.send, message.rep), piece, what, at_[message.from], to_string(message),
                     phase_.name);
}

/// What the goal promises of an atom of a piece, to every position that must have it at the end.
std::vector<std::uint64_t> GroupReplay::promised(std::uint32_t piece, std::uint32_t a) const {
  std::vector<std::uint64_t> sum(words_, 0);
  if (phase_.goal == PhaseGoal::all_gather) {
    add(sum, before(piece, piece, a));
  } else {
    for (std::uint32_t member = 0; member < phase_.positions; ++member) add(sum, before(member, piece, a));
  }
  return sum;
}

std::string GroupReplay::check(std::uint32_t part) {
  if (phase_.goal == PhaseGoal::broadcast || phase_.goal == PhaseGoal::reduce)
    return check_whole_buffers(part);
  if (is_rooted(phase_.goal)) return check_rooted(part);
  for (std::uint32_t piece = 0; piece < pieces_per_part(phase_); ++piece)
    for (std::uint32_t a = 0; a < atoms_per_piece(); ++a) {
      const auto wanted = promised(piece, a);
      for (std::uint32_t p = 0; p < phase_.positions; ++p) {
        if (phase_.goal == PhaseGoal::reduce_scatter && piece != p) continue;
        if (const std::string what = difference(content(p, piece, a), wanted); !what.empty())
          return fmt::format("rank {}, part {}, piece {}: {} (after phase '{}')", at_[p], part, piece, what,
                             phase_.name);
      }
    }
  return {};
}

/// Gather: the root has what each piece's owner had. Scatter: each owner has what the root had.
std::string GroupReplay::check_rooted(std::uint32_t part) {
  const bool gathers = phase_.goal == PhaseGoal::gather;
  for (std::uint32_t piece = 0; piece < pieces_per_part(phase_); ++piece)
    for (std::uint32_t a = 0; a < atoms_per_piece(); ++a) {
      const std::uint32_t from = gathers ? owner(piece) : phase_.root;
      const std::uint32_t to = gathers ? phase_.root : owner(piece);
      if (const std::string what = difference(content(to, piece, a), before(from, piece, a)); !what.empty())
        return fmt::format("rank {}, part {}, piece {}: {} (after phase '{}')", at_[to], part, piece, what,
                           phase_.name);
    }
  return {};
}

/// A broadcast phase promises nothing by itself (an outer level reaches few ranks), but all parts and pieces
/// must have come equally far; of a reduce only the root's.
std::string GroupReplay::check_whole_buffers(std::uint32_t part) {
  if (part == 0) first_part_.assign(phase_.positions * words_, 0);
  for (std::uint32_t p = 0; p < phase_.positions; ++p) {
    if (phase_.goal == PhaseGoal::reduce && p != phase_.root) continue;
    const Contributions own = content(p, 0, 0);
    if (part == 0) assign({first_part_.data() + p * words_, words_}, own);
    const Contributions first{first_part_.data() + p * words_, words_};
    for (std::uint32_t piece = 0; piece < pieces_per_part(phase_); ++piece)
      if (!same(content(p, piece, 0), first))
        return fmt::format("rank {}, part {}, piece {}: did not come where part 0 came (after phase '{}')",
                           at_[p], part, piece, phase_.name);
  }
  return {};
}

/// What a position need not have at the end counts as not held.
bool GroupReplay::is_dropped(std::uint32_t position, std::uint32_t piece) const {
  switch (phase_.goal) {
    case PhaseGoal::reduce_scatter:
      return piece != position;
    case PhaseGoal::gather:
      return position != phase_.root;
    case PhaseGoal::scatter:
      return position != owner(piece);
    default:
      return false;
  }
}

void GroupReplay::store() {
  for (std::uint32_t p = 0; p < phase_.positions; ++p) {
    if (!one_per_position_) {
      for (const std::uint32_t atom : region_) assign(holdings_.at(at_[p], atom), content(p, 0, 0));
      continue;
    }
    for (std::uint32_t piece = 0; piece < pieces_per_part(phase_); ++piece)
      for (std::uint32_t a = 0; a < atoms_per_piece(); ++a) {
        const MutableContributions held = holdings_.at(at_[p], atom(piece, a));
        const bool dropped = is_dropped(p, piece);
        if (dropped) std::fill(held.begin(), held.end(), 0);
        if (!dropped) assign(held, content(p, piece, a));
      }
  }
}

}  // namespace tahoma
