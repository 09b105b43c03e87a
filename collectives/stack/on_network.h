// A network as the software leaves it: the same links, with what the protocol takes off their bandwidth and
// what a step adds to their latency.
//
// A message between chips of one domain that a switch joins crosses two links, each of which gets half of the
// step (rounded up to a picosecond); on rings, lines and full meshes each link gets all of it, so that a
// message over k of them pays k steps. Between domains the links next to the NICs carry it, half each. In a
// graph, links between a NIC and another vertex that is no chip are those between domains; without NICs all
// are inside. WAN links are left as they are.
//
// Where thread blocks have a rate, no link next to a chip or a NIC carries more than one of each channel: so
// many cross it in a ring, which is what such a rate is given for.
#pragma once

#include <variant>
#include <vector>

#include "collectives/groups.h"
#include "collectives/stack/stack.h"
#include "topology/shape.h"

namespace tahoma {

using NetworkShape = std::variant<ClusterShape, GraphShape, MixedShape>;

NetworkShape under_stack(const NetworkShape& shape, const StackFigures& figures);

/// The scale-up domains of a network's chips, numbered from 0.
class ScaleUpDomains {
 public:
  explicit ScaleUpDomains(const NetworkShape& shape);
  std::uint32_t of(ChipId chip) const { return by_chip_.empty() ? chip / chips_ : by_chip_[chip]; }

 private:
  std::uint32_t chips_ = 1;  // of a domain, where all are alike
  std::vector<std::uint32_t> by_chip_;
};

/// The most domains that one of the groups reaches.
std::uint32_t domains_of(const RankGroups& groups, const ScaleUpDomains& domains);

/// floor + per doubling of the ranks (rounded up) + per domain after the first + per other rank + the copy of
/// size / ranks bytes.
Duration launch_of(const StackFigures& figures, std::uint32_t ranks, std::uint32_t domains, Bytes size);

/// Chunks of a buffer of `size`; 0: the algorithm's own choice.
std::uint32_t chunks_of(const StackFigures& figures, Bytes size);

}  // namespace tahoma
