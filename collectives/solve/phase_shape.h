// Where a rank stands in a phase, where its peers stand, and which role it has: the arithmetic of `expand`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "collectives/schedule.h"

namespace tahoma {

inline constexpr std::size_t most_axes = 16;

struct PhaseShape {
  std::array<std::uint32_t, most_axes> size{}, group_stride{};  // per phase axis
  std::size_t axes = 0;
  std::uint32_t first = 0, ranks = ~0u;  // the positions of the group that take part, one after another
  std::uint32_t channels = 1;            // highest channel + 1
  std::vector<const Role*> role_at;      // by position, the switch last; empty where there are few roles
};

PhaseShape shape_of(const Schedule& schedule, const Phase& phase);

/// False for a rank of another site of a mixed cluster.
inline bool takes_part(const PhaseShape& shape, std::uint32_t position) {
  return position >= shape.first && position - shape.first < shape.ranks;
}

/// Position within the phase of a position within the group that takes part.
std::uint32_t inner_position(const PhaseShape& shape, std::uint32_t position);

/// Position within the phase of the peer of `inner`.
std::uint32_t peer_position(const Phase& phase, const PhaseShape& shape, const Peer& peer,
                            std::uint32_t inner);

/// The position within the group that has `inner` within the phase and is otherwise like `position`.
std::uint32_t outer_position(const PhaseShape& shape, std::uint32_t position, std::uint32_t inner);

/// (source - destination) per axis of the group: the same for all ranks under every symmetry we fold.
std::uint32_t relative(const Schedule& schedule, std::uint32_t source, std::uint32_t destination);

/// Null if the position (the switch: one past the last) does nothing in the phase.
const Role* role_of(const Phase& phase, const PhaseShape& shape, std::uint32_t inner);

}  // namespace tahoma
