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

MixedShape random_mixed_cluster(Random& random) {
  MixedShape mixed;
  const std::uint64_t sites = 2 + random.below(3);
  for (std::uint64_t s = 0; s < sites; ++s) {
    ClusterShape site = random_cluster(random);
    if (site.scale_up.size() > 2) site.scale_up.resize(2);
    std::uint32_t chips = 1;
    for (const Dimension& dimension : site.scale_up) chips *= dimension.size;
    site.clos = clos_for(random, chips);
    site.clos->bandwidth = {static_cast<std::int64_t>(10 + 5 * random.below(4)), 9};
    site.sites[0] = {std::string(1, static_cast<char>('a' + s)),
                     static_cast<std::uint32_t>(1 + random.below(6))};
    mixed.sites.push_back(site);
  }
  if (random.below(3) == 0) {
    mixed.between = BetweenSites{{static_cast<std::int64_t>(1 + random.below(3)), 0}, {500'000}};
    return mixed;
  }
  for (std::uint32_t a = 0; a < sites; ++a) {
    for (std::uint32_t b = a + 1; b < sites; ++b) {
      Wan wan;
      wan.name = std::string(1, static_cast<char>('a' + a)) + static_cast<char>('a' + b);
      wan.a = a;
      wan.b = b;
      wan.bandwidth = {static_cast<std::int64_t>(20 + 30 * random.below(3)), 9};
      wan.latency = {static_cast<std::int64_t>(10'000'000 * (1 + random.below(3)))};
      if (random.below(4) == 0) wan.window = Bytes{1 << 20};
      mixed.wans.push_back(wan);
    }
  }
  return mixed;
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
