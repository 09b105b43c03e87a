// Drawings of a network: every vertex while they are few, else one vertex per domain and per stage of
// switches.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "topology/topology.h"

namespace tahoma {

inline constexpr std::uint64_t most_drawn_vertices = 5'000;

struct DrawnVertex {
  std::string name;
  bool is_chip = true;  // a chip, or a group of chips
  std::uint64_t stands_for = 1;
};
struct DrawnEdge {
  std::uint32_t from = 0, to = 0;
  bool both_ways = false;  // the other direction is equal
  Capacity capacity;       // effective, per direction, of all links it stands for
  Duration latency;        // of one of them
  std::uint64_t stands_for = 1;
};
struct Drawing {
  bool aggregated = false;
  std::vector<DrawnVertex> vertices;
  std::vector<DrawnEdge> edges;
};

Drawing draw(const Topology& topology);

std::string draw_dot(const Topology& topology);
std::string draw_graphml(const Topology& topology);

}  // namespace tahoma
