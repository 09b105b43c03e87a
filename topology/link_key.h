// What a LinkId of a product topology says: the kind of link, its owner, and a port *relative to the owner*.
//
// Relative ports are what makes symmetry cheap: the link that a translation maps a link onto has the
// translated owner and the same port.
//
//   kind        owner            port
//   dimension   chip             dimension, and: ring, line 0 = plus, 1 = minus; full: displacement 1..n-1;
//                                switched: 0 = chip to switch, 1 = switch to chip
//   nic         chip             0 = chip to leaf, 1 = leaf to chip
//   leaf_trunk  leaf             0 = up, 1 = down: all links between a leaf and the spines of its pod
//   leaf_spine  leaf             direction, spine: one of them
//   pod_trunk   pod              0 = up, 1 = down: all links between the spines of a pod and the cores
//   spine_core  pod              direction, spine, core: one of them
//   wan         index of Wan     0 = a to b, 1 = b to a
//
// `spray` routes over trunks, `ecmp` and `by_source` over single links; faults may name either.
#pragma once

#include <cstdint>

#include "topology/topology.h"

namespace tahoma {

enum class LinkKind : std::uint8_t { dimension = 1, nic, leaf_trunk, leaf_spine, pod_trunk, spine_core, wan };

inline constexpr std::uint32_t plus_port = 0, minus_port = 1;
inline constexpr std::uint32_t up_port = 0, down_port = 1;
inline constexpr std::uint32_t most_dimensions = 24;
inline constexpr std::uint32_t most_full_mesh = 1u << 23;     // 24 bits of port
inline constexpr std::uint32_t most_spines = (1u << 14) - 1;  // likewise of cores

struct LinkKey {
  LinkKind kind = LinkKind::dimension;
  std::uint32_t owner = 0;
  std::uint32_t dimension = 0;  // kind dimension only
  std::uint32_t port = 0;       // or direction
  std::uint32_t spine = 0, core = 0;
};

constexpr LinkId dimension_link(std::uint32_t chip, std::uint32_t dimension, std::uint32_t port) {
  return {(std::uint64_t{1} << 61) | (std::uint64_t{dimension} << 56) | (std::uint64_t{port} << 32) | chip};
}

constexpr LinkId fabric_link(LinkKind kind, std::uint32_t owner, std::uint32_t port, std::uint32_t spine = 0,
                             std::uint32_t core = 0) {
  return {(static_cast<std::uint64_t>(kind) << 61) | (std::uint64_t{port} << 60) |
          (std::uint64_t{spine} << 46) | (std::uint64_t{core} << 32) | owner};
}

constexpr LinkKind kind_of(LinkId link) {
  return static_cast<LinkKind>(link.value >> 61);
}

constexpr LinkKey key_of(LinkId link) {
  LinkKey key;
  key.kind = kind_of(link);
  key.owner = static_cast<std::uint32_t>(link.value);
  const auto bits = static_cast<std::uint32_t>((link.value >> 32) & 0x1fffffffu);
  if (key.kind == LinkKind::dimension) {
    key.dimension = bits >> 24;
    key.port = bits & 0xffffffu;
  } else {
    key.port = bits >> 28;
    key.spine = (bits >> 14) & most_spines;
    key.core = bits & most_spines;
  }
  return key;
}

constexpr LinkId link_of(const LinkKey& key) {
  return key.kind == LinkKind::dimension ? dimension_link(key.owner, key.dimension, key.port)
                                         : fabric_link(key.kind, key.owner, key.port, key.spine, key.core);
}

static_assert(key_of(dimension_link(~0u, 23, 0x7fffff)).port == 0x7fffff);
static_assert(key_of(fabric_link(LinkKind::spine_core, 9, 1, 16383, 16382)).core == 16382);
static_assert(link_of(key_of(fabric_link(LinkKind::wan, 7, 1))) == fabric_link(LinkKind::wan, 7, 1));

}  // namespace tahoma
