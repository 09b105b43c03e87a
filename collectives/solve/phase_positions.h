// From a rank's position in its group to its place in a phase, and to its peers'. Called for every send of
// every rank that is expanded, hence the tables and the header.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "collectives/schedule.h"
#include "core/errors.h"

namespace tahoma::expansion {

inline constexpr std::size_t most_axes = 16;

struct PhaseShape {
  std::array<std::uint32_t, most_axes> size{}, group_stride{};  // per phase axis
  std::size_t axes = 0;
  std::uint32_t channels = 1;        // highest channel + 1
  std::vector<const Role*> role_at;  // by position, the switch last; empty where there are few roles
};

inline constexpr std::size_t few_roles = 16;

inline PhaseShape shape_of(const Schedule& schedule, const Phase& phase) {
  PhaseShape shape;
  TAHOMA_ASSERT(phase.axes.size() <= most_axes, "a phase over more than 16 axes");
  for (const std::uint8_t axis : phase.axes) {
    std::uint32_t stride = 1;
    for (std::uint8_t inner = 0; inner < axis; ++inner) stride *= schedule.axes[inner].size;
    shape.size[shape.axes] = schedule.axes[axis].size;
    shape.group_stride[shape.axes++] = stride;
  }
  for (const Role& role : phase.roles) {
    for (const Lane& lane : role.lanes) shape.channels = std::max(shape.channels, lane.channel + 1u);
  }
  if (phase.roles.size() <= few_roles) return shape;
  shape.role_at.assign(phase.positions + 1, nullptr);
  for (const Role& role : phase.roles)
    for (std::uint32_t i = 0; i < role.count; ++i) shape.role_at[role.first + i * role.stride] = &role;
  return shape;
}

// Position within the phase of a position within the group.
inline std::uint32_t inner_position(const PhaseShape& shape, std::uint32_t position) {
  std::uint32_t result = 0, place = 1;
  for (std::size_t a = 0; a < shape.axes; ++a) {
    result += position / shape.group_stride[a] % shape.size[a] * place;
    place *= shape.size[a];
  }
  return result;
}

inline std::uint32_t place_wrapped(std::int64_t value, std::uint32_t size) {
  const std::int64_t rest = value % static_cast<std::int64_t>(size);
  return static_cast<std::uint32_t>(rest < 0 ? rest + size : rest);
}

inline std::uint32_t moved(const Peer& peer, const Phase& phase, std::uint32_t from, std::uint32_t size) {
  switch (peer.kind) {
    case Peer::Kind::shift: {
      if (peer.order == no_order) return place_wrapped(std::int64_t{from} + peer.value, size);
      const Order& order = phase.orders[peer.order];
      return order.at[place_wrapped(std::int64_t{order.place[from]} + peer.value, size)];
    }
    case Peer::Kind::alternate:
      return place_wrapped(std::int64_t{from} + (from % 2 == 0 ? peer.value : -peer.value), size);
    case Peer::Kind::exclusive_or:
      return from ^ static_cast<std::uint32_t>(peer.value);
    case Peer::Kind::absolute:
      return static_cast<std::uint32_t>(peer.value);
    case Peer::Kind::table:
      return phase.table[from];
  }
  return from;
}

// Position within the phase of the peer of `inner`.
inline std::uint32_t peer_position(const Phase& phase, const PhaseShape& shape, const Peer& peer,
                                   std::uint32_t inner) {
  std::uint32_t result;
  if (phase.has_switch) {
    TAHOMA_ASSERT(peer.kind == Peer::Kind::absolute, "a switch's phase names its peers");
    result = static_cast<std::uint32_t>(peer.value);
  } else if (peer.axis == flat_axis) {
    result = moved(peer, phase, inner, phase.positions);
  } else {
    std::uint32_t place = 1;
    for (std::size_t a = 0; a < peer.axis; ++a) place *= shape.size[a];
    const std::uint32_t coordinate = inner / place % shape.size[peer.axis];
    result = inner - coordinate * place + moved(peer, phase, coordinate, shape.size[peer.axis]) * place;
  }
  TAHOMA_ASSERT(result < phase.positions + (phase.has_switch ? 1 : 0),
                "a send to a position that is not there");
  return result;
}

inline std::uint32_t outer_position(const PhaseShape& shape, std::uint32_t position, std::uint32_t inner) {
  for (std::size_t a = 0; a < shape.axes; ++a) {
    const std::uint32_t old = position / shape.group_stride[a] % shape.size[a];
    position = position - old * shape.group_stride[a] + inner % shape.size[a] * shape.group_stride[a];
    inner /= shape.size[a];
  }
  return position;
}

// (source - destination) per axis of the group: the same for all ranks under every symmetry we fold.
inline std::uint32_t relative(const Schedule& schedule, std::uint32_t source, std::uint32_t destination) {
  std::uint32_t result = 0, place = 1;
  for (const Axis& axis : schedule.axes) {
    result += (source % axis.size + axis.size - destination % axis.size) % axis.size * place;
    place *= axis.size;
    source /= axis.size;
    destination /= axis.size;
  }
  return result;
}

inline const Role* role_of(const Phase& phase, const PhaseShape& shape, std::uint32_t inner) {
  if (!shape.role_at.empty()) return shape.role_at[inner];
  for (const Role& role : phase.roles) {
    if (inner < role.first || (inner - role.first) % role.stride != 0) continue;
    if ((inner - role.first) / role.stride < role.count) return &role;
  }
  return nullptr;
}

}  // namespace tahoma::expansion
