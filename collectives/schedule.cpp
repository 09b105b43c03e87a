// The rules of a send template, read for one position: who receives it and which pieces it carries.
#include "collectives/schedule.h"

#include "core/errors.h"

namespace tahoma {
namespace {

struct Place {
  std::uint32_t size = 1, stride = 1;
};

Place digit_of(const Phase& phase, std::span<const Axis> axes, std::uint8_t axis) {
  if (axis == flat_axis) return {phase.positions, 1};
  TAHOMA_ASSERT(axis < phase.axes.size(), "a peer names an axis that its phase has");
  Place digit;
  for (std::uint8_t a = 0; a < axis; ++a) digit.stride *= axes[phase.axes[a]].size;
  digit.size = axes[phase.axes[axis]].size;
  return digit;
}

std::uint32_t wrapped(std::int64_t value, std::uint32_t size) {
  const std::int64_t rest = value % std::int64_t{size};
  return static_cast<std::uint32_t>(rest < 0 ? rest + std::int64_t{size} : rest);
}

/// First coordinate of a range and how many follow; `size` wraps it.
std::uint32_t first_of(const PieceRange& range, std::uint32_t own, std::uint32_t peer, std::uint32_t rep,
                       std::uint32_t size) {
  std::int64_t start = std::int64_t{range.offset} + std::int64_t{range.per_rep} * rep;
  if (range.anchor == PieceRange::Anchor::own) start += own;
  if (range.anchor == PieceRange::Anchor::peer) start += peer;
  std::uint32_t first = wrapped(start, size);
  if (range.aligned) first -= first % range.length;
  return first;
}

std::vector<std::uint32_t> with_bit(std::int32_t bit, std::uint32_t size) {
  std::vector<std::uint32_t> result;
  for (std::uint32_t c = 0; c < size; ++c)
    if ((c >> bit & 1) != 0) result.push_back(c);
  return result;
}

std::vector<std::uint32_t> places(const PieceRange& range, std::uint32_t own, std::uint32_t peer,
                                  std::uint32_t rep, std::uint32_t size) {
  if (range.anchor == PieceRange::Anchor::bit) return with_bit(range.offset, size);
  const bool all = range.anchor == PieceRange::Anchor::all;
  const std::uint32_t first = all ? 0 : first_of(range, own, peer, rep, size);
  const std::uint32_t length = all ? size : range.length;
  std::vector<std::uint32_t> result(length);
  // A range longer than its axis must not wrap silently onto itself: the excess keeps an invalid index.
  for (std::uint32_t i = 0; i < length; ++i) result[i] = length <= size ? (first + i) % size : first + i;
  return result;
}

std::vector<std::uint32_t> coordinates(const Phase& phase, const PieceRange& range, std::uint32_t own,
                                       std::uint32_t peer, std::uint32_t rep, std::uint32_t size) {
  if (range.order == no_order) return places(range, own, peer, rep, size);
  const Order& order = phase.orders.at(range.order);
  std::vector<std::uint32_t> result = places(range, order.place.at(own), order.place.at(peer), rep, size);
  for (std::uint32_t& place : result)
    if (place < size) place = order.at.at(place);
  return result;
}

}  // namespace

std::string_view name_of(PhaseGoal goal) {
  constexpr std::string_view names[] = {"reduce_scatter", "all_gather", "all_reduce", "all_to_all",
                                        "broadcast",      "permute",    "gather",     "scatter",
                                        "reduce",         "barrier"};
  return names[static_cast<std::size_t>(goal)];
}

std::span<const Axis> axes_of(const Schedule& schedule, const Phase& phase) {
  return phase.part == whole_group ? schedule.axes : schedule.parts.at(phase.part).axes;
}

bool is_rooted(PhaseGoal goal) {
  return goal == PhaseGoal::broadcast || goal == PhaseGoal::gather || goal == PhaseGoal::scatter ||
         goal == PhaseGoal::reduce;
}

Order order_of(std::vector<std::uint32_t> at) {
  Order order{std::move(at), {}};
  order.place.resize(order.at.size());
  for (std::uint32_t place = 0; place < order.at.size(); ++place) order.place.at(order.at[place]) = place;
  return order;
}

std::uint32_t peer_position(const Phase& phase, std::span<const Axis> axes, const Peer& peer,
                            std::uint32_t position) {
  if (peer.kind == Peer::Kind::table) {
    TAHOMA_ASSERT(position < phase.table.size(), "a table has an entry for each position");
    return phase.table[position];
  }
  const bool to_or_from_switch =
      phase.has_switch && (position == phase.positions || (peer.kind == Peer::Kind::absolute &&
                                                           peer.value == std::int64_t{phase.positions}));
  if (to_or_from_switch) return static_cast<std::uint32_t>(peer.value);
  const Place digit = digit_of(phase, axes, peer.axis);
  const std::uint32_t own = (position / digit.stride) % digit.size;
  std::uint32_t other = own;
  switch (peer.kind) {
    case Peer::Kind::shift: {
      const Order* order = peer.order == no_order ? nullptr : &phase.orders.at(peer.order);
      other = wrapped(std::int64_t{order ? order->place.at(own) : own} + peer.value, digit.size);
      if (order) other = order->at.at(other);
      break;
    }
    case Peer::Kind::alternate:
      other = wrapped(std::int64_t{own} + (own % 2 == 0 ? peer.value : -peer.value), digit.size);
      break;
    case Peer::Kind::exclusive_or:
      other = own ^ static_cast<std::uint32_t>(peer.value);
      break;
    case Peer::Kind::absolute:
      other = static_cast<std::uint32_t>(peer.value);
      break;
    case Peer::Kind::table:
      break;
  }
  const std::uint32_t moved = position - own * digit.stride + other * digit.stride;
  if (peer.also_axis == flat_axis) return moved;
  const Place also = digit_of(phase, axes, peer.also_axis);
  const std::uint32_t before = (moved / also.stride) % also.size;
  return moved - before * also.stride + wrapped(std::int64_t{before} + peer.also, also.size) * also.stride;
}

std::vector<std::uint32_t> pieces_carried(const Phase& phase, std::span<const Axis> axes, const Send& send,
                                          std::uint32_t position, std::uint32_t rep) {
  const std::uint32_t peer = peer_position(phase, axes, send.peer, position);
  if (send.piece.empty()) return coordinates(phase, send.flat, position, peer, rep, pieces_per_part(phase));

  TAHOMA_ASSERT(send.piece.size() == phase.axes.size(), "a piece has one range per axis of its phase");
  std::vector<std::uint32_t> carried{0};
  std::uint32_t stride = 1;
  for (std::size_t a = 0; a < phase.axes.size(); ++a) {
    const std::uint32_t size = axes[phase.axes[a]].size;
    const auto along =
        coordinates(phase, send.piece[a], (position / stride) % size, (peer / stride) % size, rep, size);
    std::vector<std::uint32_t> wider;
    wider.reserve(carried.size() * along.size());
    for (const std::uint32_t coordinate : along)
      for (const std::uint32_t inner : carried) wider.push_back(inner + coordinate * stride);
    carried = std::move(wider);
    stride *= size;
  }
  return carried;
}

}  // namespace tahoma
