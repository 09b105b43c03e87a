// What a network is, in numbers, for `tahoma topology`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "topology/topology.h"

namespace tahoma {

struct DimensionSummary {
  std::string name;  // "x ring", "x switch", ...
  std::uint32_t size = 1;
  std::uint64_t edges = 0;  // undirected: chip to chip, or chip to switch
  Capacity raw, effective;  // of one edge, per direction
  Duration latency;         // of one link
};

struct SwitchCount {
  std::string name;  // "x switch", "leaf", "spine", "core"
  std::uint64_t count = 0;
};

struct TopologySummary {
  std::uint32_t ranks_per_chip = 1;
  std::uint64_t chips = 0, servers = 0, domains = 0, sites = 0;
  std::uint64_t vertices = 0, links = 0;  // of the implicit graph; directed links alive
  std::vector<DimensionSummary> dimensions;
  std::uint64_t chip_edges = 0;                  // undirected, chip to chip, over all dimensions
  std::uint32_t degree_min = 0, degree_max = 0;  // live edges of a chip inside its domain, NICs left out
  Capacity nic_raw;                              // per chip and direction; 0 = no NICs
  std::vector<SwitchCount> switches;
  Distances distances;
  std::vector<Cut> cuts;
  int weakest = -1;  // index into cuts of the weakest bisection, by raw capacity
  std::vector<std::string> warnings;
};

TopologySummary summarize(const Topology& topology);

}  // namespace tahoma
