// Who exchanges what between sites of different hardware, and the phases that do it.
//
// Problem: after each site has reduced and scattered inside, its n ranks hold n different shards, and another
// site's m ranks hold m others. Rank by rank there is no counterpart, and a schedule that lists who overlaps
// whom has no symmetry to fold.
//
// Idea: shards are cut crosswise. An element has two coordinates: chip c of domain d holds those whose first
// is c modulo the chips of a domain, and whose second is d modulo the domains of the site. Then chips c and
// c' of two sites share elements if c = c' modulo the greatest common divisor g of their domains' chips, and
// domains likewise; every pair that meets shares as many:
//
//     site a, 4 chips a domain     0 1 2 3           g = 2: even meets even, odd meets odd;
//     site b, 6 chips a domain     0 1 2 3 4 5       3 peers for each of a, 2 for each of b; 12 cells
//
// An all-reduce of two sites is one exchange: each rank sends its shard to those who need it. With more sites
// each of them adds up an equal part of every shard first (reduce_scatter), then hands it out (all_gather),
// so that a site sends 2 (k - 1) / k buffers in place of k - 1. All messages of a phase start at once, as in
// `direct`.
#pragma once

#include "collectives/algorithms.h"
#include "collectives/schedule.h"

namespace tahoma {

/// The ranks of site `to` that a rank of site `from` meets.
class Meeting {
 public:
  Meeting(const SchedulePart& from, const SchedulePart& to);

  /// Domains count from 0; greatest common divisors of the two sites' sizes.
  std::uint32_t common_chips() const { return common_chips_; }
  std::uint32_t common_domains() const { return common_domains_; }
  std::uint32_t peers() const { return chip_peers_ * domain_peers_; }
  /// Position within the other site of the k-th peer of a position within this one.
  std::uint32_t peer(std::uint32_t position, std::uint32_t k) const;
  /// Pairs that meet: the buffer is cut into so many equal cells.
  std::uint64_t cells() const { return cells_; }

 private:
  std::uint32_t from_domain_, to_domain_;
  std::uint32_t common_chips_, common_domains_, chip_peers_, domain_peers_;
  std::uint64_t cells_;
};

/// The sites of a mixed network, with axes as their own networks tell them.
std::vector<SchedulePart> parts_of(const Topology& topology);

/// How a site scatters and gathers inside.
struct SitePlan {
  std::vector<LevelPlan> levels;
  Duration overhead;  // of its chips, per message: planned with
};

/// An all-reduce: reduce-scatter in each site by its plan, the exchange between the sites, all-gather
/// back. `request` is that of the whole group; its axes and levels are not looked at. Throws ScenarioError
/// where an algorithm does not fit, InfeasibleError for another collective.
Schedule make_mixed_schedule(const ScheduleRequest& request, const std::vector<SchedulePart>& parts,
                             const std::vector<SitePlan>& plans);

/// The phases between the sites alone, over `elements` per rank.
std::vector<Phase> phases_between(const std::vector<SchedulePart>& parts, std::uint64_t elements,
                                  std::uint64_t element_bytes);

/// Empty if the exchange of the phases `first` .. `first + count` - 1 gives every rank each other site's sum
/// of its shard, once; else what is wrong. Looks at the roles, element by element.
std::string fault_between(const Schedule& schedule, std::size_t first, std::size_t count);

}  // namespace tahoma
