#include "scenarios/training/axis_network.h"

#include <algorithm>

#include "core/errors.h"
#include "scenarios/decimal_text.h"
#include "scenarios/training/chip_math.h"

namespace tahoma {

namespace {

std::uint64_t rate_of(std::initializer_list<Decimal> factors, std::uint64_t times) {
  return static_cast<std::uint64_t>(capacity_of(factors, times).q20 / rate_unit_per_byte_per_second);
}

NetworkDimension dimension_of(const Dimension& d) {
  std::uint64_t times = d.links;
  if (d.kind == DimensionKind::switched) times = d.planes;
  if (d.kind == DimensionKind::full) times = std::uint64_t{d.links} * (d.size - 1);
  // Both ways round; a ring of two has one link unless it says two.
  if (d.kind == DimensionKind::ring || d.kind == DimensionKind::line)
    times = d.size > 2 ? 2 * d.links : d.links;
  // An open line turns back at its ends: a ring over it uses each link once per direction.
  if (d.kind == DimensionKind::line && d.size > 2) times = d.links;
  const bool is_ring = d.kind == DimensionKind::ring || d.kind == DimensionKind::line;
  const Duration step = d.kind == DimensionKind::switched ? d.latency * 2 : d.latency;
  return {d.size, is_ring, rate_of({d.bandwidth, d.efficiency}, times), step};
}

void add_clos(TrainingNetwork& network, const Clos& clos, std::uint64_t chips) {
  network.nic_rate =
      rate_of({clos.bandwidth, clos.efficiency}, std::uint64_t{clos.planes} * clos.leaves_per_nic);
  for (std::size_t tier = 0; tier < clos.tiers; ++tier) {
    const std::size_t at = clos.latency.empty() ? 0 : std::min(tier, clos.latency.size() - 1);
    if (!clos.latency.empty()) network.nic_step += clos.latency[at] * 2;
  }
  const std::uint64_t on_rail = std::max<std::uint64_t>(1, chips / clos.rails);  // of a domain
  std::uint64_t below = 0;
  if (clos.leaf_width > 0) below = std::max<std::uint64_t>(1, clos.leaf_width / on_rail) * network.domain;
  for (std::size_t tier = 0; tier < clos.oversubscription.size() && below > 0; ++tier) {
    network.tiers.push_back({below, to_integral(scaled(clos.oversubscription[tier], 1, 3)).nearest});
    if (clos.leaves_per_pod == 0) break;
    below *= clos.leaves_per_pod;
  }
}

std::uint64_t part_of(std::uint64_t rate, std::uint32_t ppm) {
  return static_cast<std::uint64_t>(u128{rate} * ppm / 1'000'000);
}

std::uint64_t log2_up(std::uint64_t n) {
  std::uint64_t log = 0;
  while ((std::uint64_t{1} << log) < n) ++log;
  return log;
}

Duration move(u128 bytes, std::uint64_t rate) {
  TAHOMA_ASSERT(rate > 0, "a group that communicates has a rate");
  return {static_cast<std::int64_t>(ceil_div(bytes * ps_per_second, rate))};
}

/// Chips in a domain that a group has members on, and how many groups share the ports of such a chip.
struct Sharing {
  std::uint64_t chips = 1, groups = 1;
};
Sharing sharing_of(const TrainingNetwork& network, AxisGroup group, std::uint64_t inside) {
  const std::uint64_t per_chip = network.ranks_per_chip;
  if (group.stride >= per_chip) return {inside, per_chip};
  const std::uint64_t on_chip = std::min<std::uint64_t>(group.members, per_chip / group.stride);
  return {std::max<std::uint64_t>(1, inside / on_chip), std::max<std::uint64_t>(1, group.stride)};
}

/// Rate at which a ring over the members of one domain turns.
void set_inner(const TrainingNetwork& network, AxisGroup group, GroupRate& rate) {
  const Sharing sharing = sharing_of(network, group, rate.inside);
  const std::uint64_t reach = group.stride * rate.inside;
  std::uint64_t rings = 0, slowest = 0, below = 1;
  for (std::size_t i = 0; i < network.dimensions.size(); ++i) {
    const NetworkDimension& d = network.dimensions[i];
    const std::uint64_t above = below * d.size;
    if (d.size > 1 && group.stride < above && reach > below) {
      const bool inside_chip = i == 0 && network.ranks_per_chip > 1;
      const std::uint64_t own = inside_chip ? d.rate : d.rate / sharing.groups;
      if (d.is_ring) {
        rings += own;
      } else if (!inside_chip || sharing.chips == 1) {
        slowest = slowest == 0 ? own : std::min(slowest, own);
      }
      rate.step = std::max(rate.step, d.step);
    }
    below = above;
  }
  rate.inner_rate = rings == 0 ? slowest : slowest == 0 ? rings : std::min(rings, slowest);
  rate.inner_rate = part_of(rate.inner_rate, network.link_ppm);
}

/// What is left of a NIC behind the tiers that a ring climbs: of the members below a switch only one sends
/// up.
std::uint64_t behind_tiers(const TrainingNetwork& network, AxisGroup group, std::uint64_t rate, bool ring) {
  u128 least = u128{rate} * 1000;
  u128 ratio = 1000;
  for (const TrainingNetwork::Tier& tier : network.tiers) {
    if (group.stride * group.members <= tier.ranks) break;
    ratio = ratio * tier.oversubscription_1000 / 1000;
    const std::uint64_t below =
        std::max<std::uint64_t>(1, tier.ranks / std::max(group.stride, network.domain));
    const u128 share =
        ring ? std::max<u128>(1000, ratio / std::min(below, group.members)) : std::max<u128>(1000, ratio);
    least = std::min(least, u128{rate} * 1'000'000 / share);
  }
  return static_cast<std::uint64_t>(least / 1000);
}

}  // namespace

std::optional<TrainingNetwork> training_network(const ClusterShape& shape) {
  TrainingNetwork network;
  network.has_sites = shape.sites.size() > 1;
  network.ranks_per_chip = shape.ranks_per_chip;
  if (shape.ranks_per_chip > 1) {
    const std::uint64_t rate = rate_of({shape.inner.bandwidth, shape.inner.efficiency},
                                       std::max(1u, shape.inner.cores / shape.ranks_per_chip));
    network.dimensions.push_back({shape.ranks_per_chip, false, rate, shape.inner.latency * 2});
  }
  std::uint64_t chips = 1;
  for (const Dimension& d : shape.scale_up) {
    network.dimensions.push_back(dimension_of(d));
    chips *= d.size;
  }
  network.domain = chips * shape.ranks_per_chip;
  std::uint64_t domains = 0;
  for (const Site& site : shape.sites) domains += site.domains;
  network.ranks = network.domain * domains;
  if (shape.clos) {
    add_clos(network, *shape.clos, chips);
  } else {
    for (const Dimension& d : shape.scale_out) {
      const NetworkDimension out = dimension_of(d);
      if (d.size < 2) continue;
      network.nic_rate = network.nic_rate == 0 ? out.rate : std::min(network.nic_rate, out.rate);
      network.nic_step = std::max(network.nic_step, out.step);
    }
  }
  return network;
}

void calibrate(TrainingNetwork& network, const Calibration& calibration) {
  network.link_ppm = calibration.link;
  network.nic_ppm = calibration.nic;
  network.launch = calibration.launch;
}

AxisGroup group_of(const Parallel& parallel, ParallelAxis axis) {
  if (axis == ParallelAxis::ep) return {parallel.etp, parallel.ep};
  AxisGroup group;
  for (const ParallelAxis other : parallel.order) {
    const std::uint64_t size = other == ParallelAxis::tp   ? parallel.tp
                               : other == ParallelAxis::cp ? parallel.cp
                               : other == ParallelAxis::dp ? parallel.dp
                                                           : parallel.pp;
    if (other == axis) {
      group.members = size;
      return group;
    }
    group.stride *= size;
  }
  return group;
}

AxisGroup dense_group(const Parallel& parallel) {
  const AxisGroup dp = group_of(parallel, ParallelAxis::dp), cp = group_of(parallel, ParallelAxis::cp);
  if (parallel.cp == 1) return dp;
  if (parallel.dp == 1) return cp;
  return {std::min(dp.stride, cp.stride), dp.members * cp.members};
}

AxisGroup expert_copies(const Parallel& parallel) {
  return {std::uint64_t{parallel.ep} * parallel.etp, parallel.expert_dp()};
}

GroupRate group_rate(const TrainingNetwork& network, AxisGroup group) {
  GroupRate rate;
  rate.members = group.members;
  rate.inside = group.stride >= network.domain
                    ? 1
                    : std::min(group.members, std::max<std::uint64_t>(1, network.domain / group.stride));
  if (rate.inside > 1) set_inner(network, group, rate);
  rate.ring_rate = rate.inner_rate;
  if (group.members == rate.inside) return rate;
  const Sharing sharing = sharing_of(network, group, rate.inside);
  const std::uint64_t own = part_of(network.nic_rate, network.nic_ppm) / sharing.groups;
  rate.outer_rate = behind_tiers(network, group, own, false);
  const std::uint64_t ring =
      behind_tiers(network, group, own, true) * (network.one_nic_rings ? 1 : sharing.chips);
  rate.ring_rate = rate.inner_rate == 0 ? ring : std::min(rate.inner_rate, ring);
  rate.step = std::max(rate.step, network.nic_step);
  return rate;
}

Duration collective_time(const TrainingNetwork& network, const GroupRate& group, Collective collective,
                         Bytes bytes) {
  const std::uint64_t n = group.members;
  if (n < 2 || bytes.count == 0) return {};
  if (collective == Collective::all_to_all) {
    const u128 inside = u128{bytes.count} * (group.inside - 1) / n;
    const u128 outside = u128{bytes.count} * (n - group.inside) / n;
    Duration time = inside > 0 ? move(inside, group.inner_rate) : Duration{};
    if (outside > 0) time = std::max(time, move(outside, group.outer_rate));
    return time + group.step * 2 + network.launch;
  }
  const std::uint64_t passes = collective == Collective::all_reduce ? 2 : 1;
  // Rings take n - 1 steps, trees twice the logarithm: software takes the shorter for small buffers.
  const auto steps = static_cast<std::int64_t>(passes * std::min(n - 1, 2 * log2_up(n)));
  return move(u128{bytes.count} * passes * (n - 1) / n, group.ring_rate) + group.step * steps +
         network.launch;
}

Duration hand_over_time(const TrainingNetwork& network, const GroupRate& group, Bytes bytes) {
  if (group.members < 2 || bytes.count == 0) return {};
  const std::uint64_t rate = group.outer_rate > 0 ? group.outer_rate : group.inner_rate;
  return move(bytes.count, rate) + group.step + network.launch;
}

}  // namespace tahoma
