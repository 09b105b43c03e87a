#include "collectives/solve/phase_shape.h"

#include <algorithm>

#include "core/errors.h"

namespace tahoma {

namespace {

constexpr std::size_t few_roles = 16;

std::uint32_t wrapped_into(std::int64_t value, std::uint32_t size) {
  const std::int64_t rest = value % static_cast<std::int64_t>(size);
  return static_cast<std::uint32_t>(rest < 0 ? rest + size : rest);
}

/// `inner` with another coordinate along an axis of the phase: what `rule` makes of the old one.
template <typename Rule>
std::uint32_t along(const PhaseShape& shape, std::uint8_t axis, std::uint32_t inner, const Rule& rule) {
  std::uint32_t place = 1;
  for (std::size_t a = 0; a < axis; ++a) place *= shape.size[a];
  const std::uint32_t coordinate = inner / place % shape.size[axis];
  return inner - coordinate * place + rule(coordinate, shape.size[axis]) * place;
}

std::uint32_t moved(const Peer& peer, const Phase& phase, std::uint32_t from, std::uint32_t size) {
  switch (peer.kind) {
    case Peer::Kind::shift: {
      if (peer.order == no_order) return wrapped_into(std::int64_t{from} + peer.value, size);
      const Order& order = phase.orders[peer.order];
      return order.at[wrapped_into(std::int64_t{order.place[from]} + peer.value, size)];
    }
    case Peer::Kind::alternate:
      return wrapped_into(std::int64_t{from} + (from % 2 == 0 ? peer.value : -peer.value), size);
    case Peer::Kind::exclusive_or:
      return from ^ static_cast<std::uint32_t>(peer.value);
    case Peer::Kind::absolute:
      return static_cast<std::uint32_t>(peer.value);
    case Peer::Kind::table:
      return phase.table[from];
  }
  return from;
}

}  // namespace

PhaseShape shape_of(const Schedule& schedule, const Phase& phase) {
  PhaseShape shape;
  TAHOMA_ASSERT(phase.axes.size() <= most_axes, "a phase over more than 16 axes");
  const std::span<const Axis> axes = axes_of(schedule, phase);
  if (phase.part != whole_group) {
    shape.first = schedule.parts[phase.part].first;
    shape.ranks = schedule.parts[phase.part].ranks;
  }
  for (const std::uint8_t axis : phase.axes) {
    std::uint32_t stride = 1;
    for (std::uint8_t inner = 0; inner < axis; ++inner) stride *= axes[inner].size;
    shape.size[shape.axes] = axes[axis].size;
    shape.group_stride[shape.axes++] = stride;
  }
  for (const Role& role : phase.roles) {
    for (const Lane& lane : role.lanes) shape.channels = std::max(shape.channels, lane.channel + 1u);
  }
  if (phase.roles.size() <= few_roles) return shape;
  shape.role_at.assign(phase.positions + 1, nullptr);
  for (const Role& role : phase.roles) {
    for (std::uint32_t i = 0; i < role.count; ++i) shape.role_at[role.first + i * role.stride] = &role;
  }
  return shape;
}

std::uint32_t inner_position(const PhaseShape& shape, std::uint32_t position) {
  std::uint32_t result = 0, place = 1;
  position -= shape.first;
  for (std::size_t a = 0; a < shape.axes; ++a) {
    result += position / shape.group_stride[a] % shape.size[a] * place;
    place *= shape.size[a];
  }
  return result;
}

std::uint32_t peer_position(const Phase& phase, const PhaseShape& shape, const Peer& peer,
                            std::uint32_t inner) {
  std::uint32_t result;
  if (phase.has_switch) {
    TAHOMA_ASSERT(peer.kind == Peer::Kind::absolute, "a switch's phase names its peers");
    result = static_cast<std::uint32_t>(peer.value);
  } else if (peer.axis == flat_axis) {
    result = moved(peer, phase, inner, phase.positions);
  } else {
    result = along(shape, peer.axis, inner,
                   [&](std::uint32_t from, std::uint32_t size) { return moved(peer, phase, from, size); });
    if (peer.also_axis != flat_axis) {
      result = along(shape, peer.also_axis, result, [&](std::uint32_t from, std::uint32_t size) {
        return wrapped_into(std::int64_t{from} + peer.also, size);
      });
    }
  }
  TAHOMA_ASSERT(result < phase.positions + (phase.has_switch ? 1 : 0),
                "a send to a position that is not there");
  return result;
}

std::uint32_t outer_position(const PhaseShape& shape, std::uint32_t position, std::uint32_t inner) {
  position -= shape.first;
  for (std::size_t a = 0; a < shape.axes; ++a) {
    const std::uint32_t old = position / shape.group_stride[a] % shape.size[a];
    position = position - old * shape.group_stride[a] + inner % shape.size[a] * shape.group_stride[a];
    inner /= shape.size[a];
  }
  return position + shape.first;
}

std::uint32_t relative(const Schedule& schedule, std::uint32_t source, std::uint32_t destination) {
  std::uint32_t result = 0, place = 1;
  for (const Axis& axis : schedule.axes) {
    result += (source % axis.size + axis.size - destination % axis.size) % axis.size * place;
    place *= axis.size;
    source /= axis.size;
    destination /= axis.size;
  }
  return result;
}

const Role* role_of(const Phase& phase, const PhaseShape& shape, std::uint32_t inner) {
  if (!shape.role_at.empty()) return shape.role_at[inner];
  for (const Role& role : phase.roles) {
    if (inner < role.first || (inner - role.first) % role.stride != 0) continue;
    if ((inner - role.first) / role.stride < role.count) return &role;
  }
  return nullptr;
}

}  // namespace tahoma
