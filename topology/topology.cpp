#include "topology/topology.h"

#include "topology/graph.h"
#include "topology/mixed.h"
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

std::unique_ptr<Topology> make_topology(const MixedShape& shape, const Faults& faults) {
  return std::make_unique<MixedTopology>(shape, faults);
}

DigitMask mask_of_part(const TopologyPart& part, DigitMask folded) {
  const std::size_t digits = part.inside->digits().size();
  if (part.first_digit + digits > digits_in_a_mask) return 0;
  return folded >> part.first_digit & ((DigitMask{1} << digits) - 1);
}

}  // namespace tahoma
