// Numbers for the vertices of the implicit graph: chips, then switches kind by kind. Nothing is listed.
#pragma once

#include <cstdint>
#include <vector>

#include "topology/geometry.h"
#include "topology/topology.h"

namespace tahoma {

enum class VertexPlaceKind : std::uint8_t { chip, dimension_switch, leaf, spine, core };

/// `spine` is the whole spine stage of a pod, `core` the whole core stage of a site, where routes take
/// trunks.
struct VertexPlace {
  VertexPlaceKind kind = VertexPlaceKind::chip;
  std::uint32_t owner = 0;  // chip; group of the dimension; leaf; pod; site
  std::uint32_t index = 0;  // dimension; spine in the pod; core in the site
};

class VertexNumbers {
 public:
  VertexNumbers() = default;
  explicit VertexNumbers(const Geometry& geometry);

  std::uint64_t count() const { return end_; }
  VertexPlace place(VertexId vertex) const;
  VertexId number(const VertexPlace& place) const;
  std::uint32_t spines() const { return spines_per_pod_; }  // vertices per pod, 0 below two tiers
  std::uint32_t cores() const { return cores_per_site_; }   // vertices per site, 0 below three tiers
  /// Appends the top switches of a site's Clos, where WAN links meet.
  void append_top(const Geometry& geometry, std::uint32_t site, std::vector<VertexId>& vertices) const;

 private:
  std::uint32_t chips_ = 0;
  std::vector<VertexId> dimension_switches_;  // first vertex per dimension, and one past the last
  VertexId leaves_ = 0, spines_ = 0, cores_ = 0, end_ = 0;
  std::uint32_t spines_per_pod_ = 0, cores_per_site_ = 0;
};

}  // namespace tahoma
