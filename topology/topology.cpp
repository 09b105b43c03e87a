#include "topology/topology.h"

#include "topology/graph.h"
#include "topology/product.h"
#include "topology/rank_topology.h"

namespace tahoma {

std::string_view name_of(Level level) {
  switch (level) {
    case Level::chip:
      return "chip";
    case Level::server:
      return "server";
    case Level::ultraserver:
      return "ultraserver";
    case Level::site:
      return "site";
    case Level::cluster:
      return "cluster";
  }
  return "";
}

std::unique_ptr<Topology> make_topology(const ClusterShape& shape, const Faults& faults) {
  if (shape.ranks_per_chip > 1) return std::make_unique<RankTopology>(shape, faults);
  return std::make_unique<ProductTopology>(shape, faults);
}

std::unique_ptr<Topology> make_topology(const GraphShape& shape, const Faults& faults) {
  return std::make_unique<GraphTopology>(shape, faults);
}

}  // namespace tahoma
