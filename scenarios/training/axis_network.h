// The network as one group of ranks sees it: how fast a member sends, and what a step costs, in closed form.
//
// Problem: thousands of candidate splits must be compared in a second or two; simulating the collectives of
// each is out of the question.
//
// Idea: ranks are numbered with the innermost axis fastest, so a group along an axis is a stride and a count.
// From the two follow the dimensions of the scale-up domain it spans, how many of its members share a domain,
// and which tiers of the fabric it crosses; the slowest of those decides. Ring collectives on all parallel
// paths at once, an alpha and a beta.
//
// Limit: groups do not disturb each other beyond the ports they share, the fabric is healthy, and one formula
// stands for all algorithms. Whoever prints such a time says that it is estimated; the engine's times replace
// it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "collectives/collective.h"
#include "core/units.h"
#include "scenarios/training/parallel.h"
#include "topology/shape.h"

namespace tahoma {

/// One dimension of the scale-up domain, ranks of a chip first.
struct NetworkDimension {
  std::uint32_t size = 1;
  bool is_ring = false;    // rates of rings add up, those of switches do not
  std::uint64_t rate = 0;  // B/s out of one chip along it, all links, effective
  Duration step;           // latency between neighbours
};

struct TrainingNetwork {
  std::uint32_t ranks_per_chip = 1;
  std::uint64_t ranks = 1;
  bool has_sites = false;    // several: then nothing here is an estimate, for WANs are not looked at
  std::uint64_t domain = 1;  // ranks of a scale-up domain
  std::vector<NetworkDimension> dimensions;
  std::uint64_t nic_rate = 0;  // B/s of a chip's NIC, effective; 0: domains are not joined
  Duration nic_step;
  struct Tier {
    std::uint64_t ranks = 0;                     // below one switch (or pod) of it
    std::uint64_t oversubscription_1000 = 1000;  // to the tier above
  };
  std::vector<Tier> tiers;
  // What software leaves of it (chip_calibration.h), in millionths, and what a collective costs to launch.
  std::uint32_t link_ppm = 1'000'000, nic_ppm = 1'000'000;
  bool one_nic_rings = false;
  Duration launch;
};

/// What measured steps leave of rates and add to launches (chip_math.h).
struct Calibration;
void calibrate(TrainingNetwork& network, const Calibration& calibration);

/// Of a cluster of dimensions; nothing for graphs, or unlike sites.
std::optional<TrainingNetwork> training_network(const ClusterShape& shape);

/// A group of `members` ranks, `stride` apart.
struct AxisGroup {
  std::uint64_t stride = 1, members = 1;
};
AxisGroup group_of(const Parallel& parallel, ParallelAxis axis);
/// Of the ranks that hold the same weights (dp with cp), and the same experts.
AxisGroup dense_group(const Parallel& parallel);
AxisGroup expert_copies(const Parallel& parallel);

struct GroupRate {
  std::uint64_t members = 1, inside = 1;  // of one domain
  std::uint64_t inner_rate = 0;           // B/s of a member to those of its domain; 0: alone there
  std::uint64_t ring_rate = 0;            // B/s at which a ring over all members turns
  std::uint64_t outer_rate = 0;           // B/s of a member to other domains; 0: all are in one
  Duration step;                          // latency of a step
};
GroupRate group_rate(const TrainingNetwork& network, AxisGroup group);

/// `bytes` as in AxisCollective.
Duration collective_time(const TrainingNetwork& network, const GroupRate& group, Collective collective,
                         Bytes bytes);
/// To the neighbour along the axis.
Duration hand_over_time(const TrainingNetwork& network, const GroupRate& group, Bytes bytes);

}  // namespace tahoma
