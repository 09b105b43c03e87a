// Ways between sites: fewest WAN links, then the lexicographically lowest list of their indices. And the caps
// that long fat pipes put on a single flow.
#pragma once

#include <cstdint>
#include <vector>

#include "topology/exceptions.h"
#include "topology/geometry.h"

namespace tahoma {

class WanRoutes {
 public:
  WanRoutes() = default;
  /// A table of sites x sites first hops, over the links alive.
  WanRoutes(const Geometry& geometry, const Exceptions& exceptions);

  /// Appends the WAN links from one site to another; false if there is no way.
  bool append(const Geometry& geometry, std::uint32_t from, std::uint32_t to, Path& path) const;

  /// The least sum of WAN latencies between two sites over the links alive; 0 past 256 sites.
  Duration least_latency(const Geometry& geometry, std::uint32_t from, std::uint32_t to) const;

  /// Sets path.cap to the least over the path's WAN links of window / RTT and MSS / (RTT sqrt(2 p / 3)),
  /// where RTT = 2 x the latency of the whole path and MSS = 8 KiB. Call when the path is complete.
  static void cap(const Geometry& geometry, Path& path);

 private:
  void find_latencies(const Geometry& geometry, const Exceptions& exceptions);

  std::vector<std::uint32_t> first_hop_;  // [from * sites + to]: index of the Wan
  std::vector<Duration> least_latency_;   // likewise; empty past 256 sites
};

}  // namespace tahoma
