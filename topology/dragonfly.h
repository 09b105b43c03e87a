// A dragonfly as an explicit graph: groups of routers, all with all inside a group, and links between groups.
//
//     c0 c1 ─ r0 ──── r1 ─ c2 c3        local: each router of a group with each other
//              │ \    / │               global: every two groups are joined by the same number of links
//              │   ×    │
//              r3 ──── r2               the link of group i to group i + d leaves at port d - 1, and router r
//               ╲        ╲              has the ports from r x global_links on
//             group 2   group 1
//
// Routes are minimal: at most one global link, and up to one local link on either side of it; a global link
// counts as three steps, so two of them never beat that. Where it is dead, the next shortest way serves, over
// a third group. An adversarial pattern, group i to group i + 1, then shows its worst: all on one link.
//
// Valiant routes between two groups go to a third one first, drawn by a hash of source, destination, lane and
// seed, and on from there by the minimal way: any pattern takes twice the global links, and none more than
// about that. Not adaptive.
//
// Routers of a group differ by the groups their links lead to, so nothing is folded here: a few thousand
// vertices, not a cluster. Kim, Dally, Scott, Abts: Technology-driven, highly-scalable dragonfly (ISCA 2008).
#pragma once

#include <cstdint>
#include <span>

#include "topology/shape.h"

namespace tahoma {

struct Dragonfly {
  struct Wire {
    Decimal bandwidth;  // per direction
    Duration latency;
  };
  std::uint32_t ends_per_router = 1, routers = 1, groups = 1;
  std::uint32_t global_links = 1;  // per router
  Wire terminal, local, global;
  Decimal efficiency{1, 0};
  bool valiant = false;  // over a third group, drawn by GraphShape::detours' seed; else minimal

  std::uint64_t ends() const { return std::uint64_t{ends_per_router} * routers * groups; }
  /// Links between each two groups; ports beyond that stay empty.
  std::uint32_t links_between_groups() const {
    return groups < 2 ? 0 : static_cast<std::uint32_t>(std::uint64_t{routers} * global_links / (groups - 1));
  }
};

/// So many chips, filled router by router: `g0.r1.c2` is chip 2 of router 1 of group 0.
GraphShape dragonfly_of_chips(const Dragonfly& dragonfly, std::uint32_t chips);

/// Appends the routers, and joins the vertices `ends` to them, filled router by router.
void join_by_dragonfly(GraphShape& graph, std::span<const std::uint32_t> ends, const Dragonfly& dragonfly);

}  // namespace tahoma
