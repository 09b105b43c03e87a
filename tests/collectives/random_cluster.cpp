#include "tests/collectives/random_cluster.h"

#include <map>

namespace tahoma {

namespace {

Clos clos_for(Random& random, std::uint32_t chips) {
  Clos clos;
  clos.tiers = static_cast<std::uint32_t>(1 + random.below(3));
  clos.rails = random.below(3) > 0 ? chips : 1;
  if (clos.tiers > 1) clos.leaf_width = chips / clos.rails * static_cast<std::uint32_t>(2 + random.below(3));
  if (clos.tiers > 2) clos.leaves_per_pod = 2;
  clos.bandwidth = {25, 9};
  clos.latency = {Duration{6'150'000}, Duration{675'000}, Duration{675'000}};
  clos.spines_per_pod = 4;
  clos.cores = 2;
  if (clos.tiers > 1 && random.below(3) == 0)
    clos.oversubscription = {{static_cast<std::int64_t>(1 + random.below(3)), 0}};
  return clos;
}

}  // namespace

ClusterShape random_cluster(Random& random) {
  ClusterShape shape;
  std::uint32_t chips = 1;
  for (std::uint64_t d = 1 + random.below(3); d > 0; --d) {
    Dimension dimension;
    dimension.kind = random.below(4) > 0 ? DimensionKind::ring : DimensionKind::switched;
    dimension.size = static_cast<std::uint32_t>(2 + random.below(3));
    dimension.bandwidth = {static_cast<std::int64_t>(50 + 50 * random.below(3)), 9};
    dimension.latency = {1'500'000};
    chips *= dimension.size;
    shape.scale_up.push_back(dimension);
  }
  shape.server_dimensions = 1;
  shape.clos = clos_for(random, chips);
  shape.sites.push_back({"", static_cast<std::uint32_t>(2 + random.below(15))});
  return shape;
}

Faults random_faults(Random& random, const Topology& healthy) {
  Faults faults;
  const auto links = healthy.all_links();
  const auto any_link = [&] { return links[random.below(links.size())]; };
  const std::uint64_t kind = random.below(5);
  if (kind == 1) faults.failed_links.push_back(any_link());
  if (kind == 2) {
    for (int i = 0; i < 4; ++i) faults.degraded_links.push_back({any_link(), {5, -1}});
  }
  if (kind == 3) {
    const auto pairs = random_fault_candidates(healthy, "links");
    for (int i = 0; i < 2; ++i) {
      for (const LinkId link : pairs[random.below(pairs.size())]) faults.failed_links.push_back(link);
    }
  }
  if (kind == 4) {
    for (std::uint64_t i = random.below(3); i > 0; --i)
      faults.degraded_links.push_back({any_link(), {5, -1}});
    for (std::uint64_t i = random.below(3); i > 0; --i) faults.failed_links.push_back(any_link());
  }
  return faults;
}

std::vector<ChipDelay> random_delays(Random& random, std::uint32_t chips) {
  std::map<ChipId, Duration> delays;
  const std::uint64_t counts[] = {0, 0, 1, 5};
  for (std::uint64_t left = counts[random.below(4)]; left > 0; --left) {
    delays[static_cast<ChipId>(random.below(chips))] =
        Duration{static_cast<std::int64_t>(random.below(200'000'000))};
  }
  std::vector<ChipDelay> result;
  for (const auto& [chip, delay] : delays) result.push_back({chip, delay});
  return result;
}

}  // namespace tahoma
