// Lower bounds: nothing finishes before them, whatever the algorithm. Asserted on every run.
//
// The largest of
//   cuts        bytes that must cross a cut / its capacity (one chip, server, UltraServer, site, halves)
//   injection   bytes that all ranks together must send / what their chips can inject
//   latency     the farthest pair that must exchange data
// with effective rates. Bytes are those of the plain data, without padding, so padded schedules are above
// too.
#pragma once

#include <string>

#include "collectives/collective.h"
#include "collectives/groups.h"
#include "core/units.h"
#include "topology/topology.h"

namespace tahoma {

struct Bound {
  Duration time;
  std::string by;  // "half of z: 2,048 GB/s", "injection", "latency"
};

/// Who adds and copies: with switches that do, what each rank must send is no bound, only the cuts of the
/// plain data and the latency are.
enum class AddedBy : std::uint8_t { hosts, switches };

/// `destinations` for permute: of each position.
Bound lower_bound(const Topology& topology, const RankGroups& groups, Collective collective, Bytes size,
                  std::uint32_t root, const std::vector<std::uint32_t>& destinations = {},
                  AddedBy added_by = AddedBy::hosts);

}  // namespace tahoma
